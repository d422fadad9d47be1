"""Moments of known parties, each a deal and the acts played, that a table must show correctly."""

from __future__ import annotations

from dataclasses import dataclass

LAVARDIN = "b Q7.97..8|.K.A97.7 Jd Jc8d9c9s8sQdTsJsTcKdTdQhKsAsKcThJh8hQcAhAc"
"""The deal of the notation's example record: b exchanges the seven, declares 20 and 20, then a fifty."""
OPENING = "Qs 7x 7c 8c 8d 9d 9s Kh 7h Ad 9h Ts"
LONG = f"{OPENING} Qd+20d 7s 8s Jd Jc 9c Js Qh 8h Qc+20c Kd"
SEVEN_KEPT = "a AQ..Q.A8|7.9.97.K Th 8dTdQcAhQhKhJc8s7cTsJd7h8hKdAdKs9cJhTc9sJs"
"""Nobody exchanges before the last trick with a draw, in which a leads, says "au sept", and b holds the seven."""


@dataclass(frozen=True)
class Moment:
    """A moment of a partie; `seat` is a seat that may act."""

    rules: str
    deal: str
    played: str
    seat: int


SEVEN = Moment("classic", LAVARDIN, "Qs", 1)
"""The answering seat may exchange the seven (§11)."""
TWENTY = Moment("classic", LAVARDIN, OPENING, 0)
"""A mariage in trumps may be declared in answer (§9)."""
THIRTY = Moment("classic", "b J98.A..J|.9.KQJ9. Jh TcTdKhQhAdTs8cThQs9c7sAs7d7h8d8hKs7cAcQcKc", "8s", 1)
"""A tierce, or its mariage, may be declared (§9)."""
CHOUINE = Moment("classic", "b 9.QJ.J.9|ATKQJ... Jc 8cAhKc7hTcQcAd7s9hQdKdKh7cTd7d8sAc8h8dTh9d", "9c", 1)
"""A chouine and lesser declarations are possible (§10)."""
AFTER_TALON = Moment("classic", LAVARDIN, f"{LONG} Td+50", 1)
"""The talon is empty: a trump is led and must be followed (§8)."""
LAST_CARD = Moment("classic", LAVARDIN, f"{LONG} Td+50 7d Th Jh As Ks Ah Kc Ac", 1)
"""Each seat has one card left."""
AU_SEPT = Moment("classic", SEVEN_KEPT, "9h Qs 7s Td 8d Ac 9d 8c Jc As 7d Ah Ts Qh 8h Qd Qc Jd Ad Kh", 1)
"""“Au sept” has just been said (§11)."""
MONDOUBLEAU = Moment(
    "mondoubleau", "b Q.AK87..|K.J.T.T9 - 8c9h9sJdQhTs7sAcKdJsQd9dThAsQc8sAdJc7dKc7c8d", "", 0
)
"""The trump is not fixed yet (§17)."""
THREE = Moment("three", "b Q..T.T|.AJ7..|K.K8.. 9c 8c9h9sJdQhTs7sAcKdJsQd9dThAsQc8sAdJc7dKc7c8d", "Kh Qs", 1)
FOUR = Moment("four", "c .J..T9|.AK..8|K.9.T.|Q.87.. 9s JdQhTs7sAcKdJsQd9dThAsQc8sAdJc7dKc7c8d", "8h Jh", 1)
FOUR_SAYS = Moment(
    "four",
    "a Q.9.J.|A...Q9|8..87.|K.J8.. Tc KhTd7sKdKcTsQhQdAdThAhJsAc9s7c8cJc9d7h",
    "9c 7d Ks Qs As 8s Jh 9h Qc+20c",
    2,
)
"""Seat 1 has just declared a mariage at the lead."""
QUARTERON = Moment(
    "classic", "a T.T.T9.J|AKJ..8.7 Kc KhQsQd8cAd9hAcQc8hTcAh7sJd9s7h8s7d9cQhKdJh", "8d Jc 9d", 1
)
"""A quarteron, its tierce or its mariage may be declared, and the seven exchanged (§9, §11)."""
THREE_OFFERS = Moment(
    "three",
    "a .KJ..J|A7..7.|Q..Q9. 8c Ah7cThJs8s8d9hJdKsTc8hQcTsKcAcAdQhKd9s9cTd7h",
    "7d Qd Kh Ah Jh 7s 9d Jc As 7c 8d",
    2,
)
FOUR_OFFERS = Moment(
    "four",
    "a Q.9.J.|A...Q9|8..87.|K.J8.. Tc KhTd7sKdKcTsQhQdAdThAhJsAc9s7c8cJc9d7h",
    "9c 7d Ks Qs As 8s Jh 9h Kh Ts 7s",
    0,
)
"""The last to answer may declare a chouine or its mariage (§9)."""
