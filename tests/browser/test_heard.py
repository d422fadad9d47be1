"""A blind player plays a whole partie by keyboard and hears everything that others see."""

from __future__ import annotations

from tests.browser.conftest import Visits
from tests.browser.heard import heard
from tests.browser.house import House

TOLD = """
Votre main. dame de pique, sept de pique, neuf de cœur, sept de cœur, huit de trèfle
Talon. 22 cartes, la retourne est le valet de carreau
Vous jouez la dame de pique.
Basile échange le sept de carreau contre le valet de carreau.
Vous ramassez le pli.
Vous tirez le valet de trèfle.
À vous d’attaquer.
Basile joue le huit de carreau.
À vous de répondre.
Vous pouvez annoncer : un vingt de carreau.
Vous : « J’ai un vingt de carreau »
Vous montrez le roi et la dame de carreau.
Basile : « J’ai un vingt de trèfle »
Basile montre le roi et la dame de trèfle.
Basile tire la retourne, le sept de carreau.
On ne tire plus : il faut fournir.
Vous gagnez la partie, 196–\N{WORD JOINER}44.
"""


def test_a_whole_partie_is_heard(house: House, visit: Visits) -> None:
    """Leads, cards, offers, declarations, shown and drawn cards, the end of the talon and the count, in order."""
    guest = house.guest("Irma", hold=0.3)
    lines = [line.strip() for line in heard(house, visit(house, guest=guest, still=True), guest)]
    at = iter(lines)
    missed = [line for line in TOLD.strip().splitlines() if f"says “{line}”" not in at]
    assert missed == [], lines
    assert "term “Dix de der”" in lines
    assert lines.count("Enter") == 16
