"""A drill: a made-up day at ten times the speed, in which the program plays the players who come to the desk.

What they ask for is a function of the contest's log and of the hour. Nothing of it is stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from chouine.contest import (
    ActRefused,
    Contest,
    ContestOpened,
    Details,
    Entered,
    ListEntered,
    Round,
    RoundTable,
    formula_for,
)
from chouine.contest.chance import Chance
from chouine.contest.formula import STAGES
from chouine.contest.people import Names, Person
from chouine.contest.score import Score, possible_scores
from chouine.contest.views import entries_open, is_final, next_draw, price
from chouine.names import person_key
from chouine.phrases import Language, say, translations
from chouine.phrases.naming import money
from chouine.server.contest.contest_store import ContestStore, hasten
from chouine.server.contest.standing import round_name

TIMES = 10
"""How many times as fast as the clock on the wall."""
MINUTE = 60_000
"""Milliseconds of the drill's clock."""
SHOWN = 3
"""Most requests shown at once."""
LISTED = (
    ("Aubin Rochereau", "Troo"), ("Berthe Lunel", "Sougé"), ("Colas Brizard", "Artins"), ("Denise Hallier", "Ternay"),
    ("Jean Bellanger", "Troo"), ("Fernand Ouvrard", "Poncé"), ("Ginette Pivron", "Thoré"), ("Hubert Salmon", "Lunay"),
    ("Isabelle Courtin", "Fontaine"), ("Joseph Rabier", "Houssay"), ("Lucette Mauny", "Savigny"),
    ("Maxime Tessier", "Bessé"),
)  # fmt: skip
"""Who is on the list, entered in advance; the last does not come."""
NEW, TWIN, LATE = ("Odile Ronsin", "Troo"), ("Jean Bellanger", "Vendôme"), ("Firmin Gallois", "Montoire")
"""Who is not on it: at the door, at the door with the name of somebody else, and after the draw."""


@dataclass(frozen=True, slots=True)
class Request:
    """What somebody asks of the desk; `chouine.phrases` has the sentence for `code` and `data`."""

    code: str
    since: int
    """Milliseconds since 1970, by the drill's clock; later than now for one that has not come yet."""
    done: bool
    data: Mapping[str, object] = field(default_factory=dict)


def open_drill(folder: Path, language: Language) -> ContestStore:
    """A new contest of made-up people in this folder, and from now on a clock that runs ten times as fast."""
    hasten(TIMES)
    title, rooms = translations(language).gettext("Drill"), (("Salle des fêtes", 5), ("Bar", 9))
    act = ContestOpened(formula_for("lavardin"), "", title, 1000, 0, rooms)
    store = ContestStore.begin(folder / "drill.chouine", act, "desk")
    people = {number: Person(*each) for number, each in enumerate(LISTED, 1)}
    store.do(ListEntered(tuple(Entered(n, Details(), here=False) for n in people)), "desk", people)
    return store


def drill_panel(
    contest: Contest, people: Mapping[int, Person], at: int, language: Language
) -> dict[str, object]:
    """Variables of the panel on the desk's pages: who waits, since how many minutes, and how much is done."""
    come = [one for one in requests(contest, people, language) if one.since <= at]
    waiting = sorted((one for one in come if not one.done), key=lambda one: one.since)
    return {
        "waiting": [
            (say(one.code, language, **one.data), (at - one.since) // MINUTE) for one in waiting[:SHOWN]
        ],
        "more": max(0, len(waiting) - SHOWN),
        "done": sum(one.done for one in come),
        "minutes": (at - contest.lines[0].at) // MINUTE // TIMES,
    }


def requests(contest: Contest, people: Mapping[int, Person], language: Language) -> Iterator[Request]:
    """All that the players ask for, as far as the log tells it, those to come too."""
    yield from at_the_door(contest, people, language)
    names = Names(people, contest.entrants)
    for stage in STAGES:
        for round_ in contest.rounds(stage):
            for table in round_.played:
                yield from at_table(contest, names, round_, table)
        found = next_draw(contest, stage)
        if not isinstance(found, ActRefused) and (contest.main or stage == "main"):
            since = max(
                (table.at or 0 for round_ in contest.all_rounds() for table in round_.tables), default=0
            )
            since = since or contest.lines[0].at + 38 * MINUTE
            code = "drill/draw" if stage == "main" else "drill/draw-consolante"
            yield Request(
                code, since, done=False, data={"round": round_name(contest, language, stage, found)}
            )
    if contest.main and is_final(contest):
        yield Request("drill/close", contest.head.at, done=contest.seed is not None)


def at_the_door(contest: Contest, people: Mapping[int, Person], language: Language) -> Iterator[Request]:
    """Who is on the list comes one after the other, between them a stranger and a namesake; one stays away."""
    opened, drawn = contest.lines[0].at, bool(contest.main)
    for number, (name, village) in enumerate(LISTED, 1):
        entrant = contest.entrants[number]
        who = {"name": name, "village": village, "due": money(price(contest, entrant), language)}
        if number == len(LISTED):
            gone = entrant.withdrawn or (drawn and not entrant.here)
            yield Request("drill/absent", opened + 34 * MINUTE, gone, who)
            continue
        settled = entrant.withdrawn or (entrant.here and entrant.paid >= price(contest, entrant))
        yield Request("drill/arrives", opened + (3 * number - 2) * MINUTE, settled, who)
    entered = [person_key(person.name) for number, person in people.items() if number in contest.entrants]
    due = money(contest.opened.fee, language)
    for code, (name, village), minute, many in (("drill/new", NEW, 11, 1), ("drill/twin", TWIN, 20, 2)):
        there = entered.count(person_key(name)) >= many
        if there or entries_open(contest):
            who = {"name": name, "village": village, "due": due}
            yield Request(code, opened + minute * MINUTE, there, who)
    there = person_key(LATE[0]) in entered
    if drawn and (there or entries_open(contest)):
        who = {"name": LATE[0], "village": LATE[1], "due": due}
        yield Request("drill/late", contest.main[0].drawn + 4 * MINUTE, there, who)


def at_table(
    contest: Contest, names: Mapping[int, str], round_: Round, table: RoundTable
) -> Iterator[Request]:
    """A table hands its slip in; one quarrels about it later, from one somebody has to go home."""
    chance = Chance("chouine drill 1", round_.stage, str(round_.number), *map(str, table.players))
    over = round_.start + (9 + chance.number_below(12)) * MINUTE
    scores = possible_scores(round_.match, len(table.players))
    score = scores[chance.number_below(len(scores))]
    first = round_.stage == "main" and table is round_.played[0]
    leaves = first and round_.number == 2
    if leaves:
        left = contest.entrants[table.players[0]].withdrawn
        yield Request("drill/leaves", round_.start + 5 * MINUTE, left, {"name": names[table.players[0]]})
        if left or not table.decided:
            return
    yield Request("drill/slip", over, table.decided, slip(table, score, names))
    if (
        table.score is None or table.at is None or contest.seed is not None
    ):  # a closed contest takes no correction
        return
    other = Score.of(score.manches[::-1])
    if first and round_.number == 1 and table.score.manches in (score.manches, other.manches):
        settled = table.score.manches == other.manches
        yield Request("drill/quarrel", table.at + 5 * MINUTE, settled, slip(table, other, names))
    elif table.score.manches != score.manches:
        yield Request("drill/protest", table.at + MINUTE, done=False, data=slip(table, score, names))


def slip(table: RoundTable, score: Score, names: Mapping[int, str]) -> dict[str, object]:
    """What a slip says."""
    winner = names[table.players[score.winner]]
    return {"table": table.number, "winner": winner, "score": score.of_winner()}
