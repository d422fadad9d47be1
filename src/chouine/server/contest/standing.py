"""How a contest stands and how it ended, in words and as a tree: for its desk, its players, paper and the newspaper."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from chouine.contest import ActRefused, Contest, Round, RoundTable, ranking
from chouine.contest.field import pool_rounds
from chouine.contest.formula import STAGES, Stage
from chouine.contest.people import Names
from chouine.contest.ranking import RankedEntry, keys_of
from chouine.contest.views import (
    absent_entries,
    end,
    entries_open,
    is_final,
    late_tables,
    next_draw,
    room_of,
    seats,
    stage_of_final,
    to_come,
    totals,
)
from chouine.days import day_of
from chouine.phrases import N_, Language, date_in_words, signed_number, translations
from chouine.phrases.naming import hour_in_words


def standing(contest: Contest, at: int, language: Language) -> dict[str, Any]:
    """Template variables: totals, rounds, the next draw, late tables, the expected end."""
    finish = end(contest, at)
    return {
        "totals": totals(contest),
        "absent": absent_entries(contest),
        "entering": entries_open(contest),
        "next": {stage: drawable_number(contest, stage) for stage in STAGES},
        "playing": any(round_.open for round_ in contest.all_rounds()) and not contest.ended,
        "over": is_final(contest),
        "late": late_tables(contest, at),
        "finish": clock(finish, language) if finish is not None and not is_final(contest) else "",
        "stages": STAGES if contest.formula.consolante != "none" else STAGES[:1],
    }


def drawable_number(contest: Contest, stage: Stage) -> int:
    """The round that can be drawn now; 0 for none."""
    found = next_draw(contest, stage)
    return 0 if isinstance(found, ActRefused) else found


def round_view(contest: Contest, round_: Round, names: Names) -> dict[str, Any]:
    """A round's tables in order, and each entry's table, sorted by surname."""
    tables = seats(round_)
    return {
        "round": round_,
        "by_names": [(name, n, tables[n]) for n, name in names.listed.items() if n in tables],
        "room": lambda table: room_of(contest, table),
        "last": contest.rounds(round_.stage)[-1] is round_,
        "next": drawable_number(contest, round_.stage),
    }


FINALS = {"final": N_("Final"), "semi-final": N_("Semi-finals"), "quarter-final": N_("Quarter-finals")}


def round_name(contest: Contest, language: Language, stage: Stage, number: int) -> str:
    """`Round 3`, or `Final` where it is one."""
    gettext, final = translations(language).gettext, stage_of_final(contest, stage, number)
    return gettext(FINALS[final]) if final else gettext("Round %(number)s") % {"number": number}


def clock(at: int, language: Language) -> str:
    """The hour of a time in milliseconds, by this laptop's clock."""
    return hour_in_words(datetime.fromtimestamp(at / 1000, UTC).astimezone(), language)


def day(at: int, language: Language) -> str:
    """The day of a time in milliseconds, in words."""
    return date_in_words(day_of(datetime.fromtimestamp(at / 1000, UTC), None), language)


LATER = {
    0: N_("%(rank)sth place"),
    1: N_("%(rank)sst place"),
    2: N_("%(rank)snd place"),
    3: N_("%(rank)srd place"),
}
"""Places after the first by their last digit, as English says them; 0 for all others."""
TIES = {
    "manches": N_("As many wins as the second place, and a better balance of manches."),
    "parties": N_("As many wins as the second place, and a better balance of parties."),
    "opponents": N_("As many wins as the second place, and opponents who won more."),
    "above": N_("As many IMPs as the second place, and a gain at more parties."),
    "club": N_("Equal to the second place: the club has decided."),
}
"""What decides between equal wins, or equal IMPs."""


def place_words(gettext: Callable[[str], str], rank: int) -> str:
    """A place: `First place`, `2nd place`."""
    if rank == 1:
        return gettext("First place")
    last = 0 if rank % 100 in (11, 12, 13) else rank % 10
    return gettext(LATER.get(last, LATER[0])) % {"rank": rank}


def won_final(contest: Contest) -> RoundTable | None:
    """The final, if the first of the ranking has won it at the table."""
    last = contest.main[-1]
    final = last.tables[0] if len(last.tables) == 1 and len(last.tables[0].players) == 2 else None
    first = ranking(contest)[0].number
    known = final is not None and final.score is not None and final.winner == first
    return final if known and (contest.formula.knock_out or contest.pools) else None


def winners(contest: Contest) -> list[int]:
    """The entries in the first place, several if they share it."""
    return [one.number for one in ranking(contest) if one.rank == 1]


def ending_told(contest: Contest, names: Mapping[int, str], language: Language) -> list[str]:
    """Who wins a contest, and what decided it; nothing before the ranking is the last."""
    if not contest.main or not is_final(contest):
        return []
    gettext, ranked = translations(language).gettext, ranking(contest)
    firsts = [names[one] for one in winners(contest)]
    if len(firsts) > 1:
        return [gettext("The first place is shared: %(names)s.") % {"names": ", ".join(firsts)}]
    decided = what_decided(contest, ranked, names, language)
    return [gettext("%(name)s wins the contest.") % {"name": firsts[0]}, *([decided] if decided else [])]


def what_decided(
    contest: Contest, ranked: Sequence[RankedEntry], names: Mapping[int, str], language: Language
) -> str:
    """The final, the wins, or what decided between equal wins; empty where the tree alone tells it."""
    words = translations(language)
    if (final := won_final(contest)) is not None and final.score is not None:
        told = {
            "winner": names[ranked[0].number],
            "opponent": names[final.losers[0]],
            "score": final.score.of_winner(),
        }
        return words.gettext("%(winner)s won the final against %(opponent)s, %(score)s.") % told
    if len(ranked) == 1:
        return ""
    keys, formula = keys_of(contest), contest.formula
    criteria = ("", "imps", "above", "club") if formula.deals else ("", "", "wins", *formula.ties, "club")
    first, second = (keys[one.number] for one in ranked[:2])
    unequal = next((nth for nth, own in enumerate(first) if own != second[nth]), len(first))
    if criteria[unequal] == "wins":
        wins = ranked[0].tally.wins
        return words.ngettext(
            "%(num)s win, more than anybody else.", "%(num)s wins, more than anybody else.", wins
        ) % {"num": wins}
    if criteria[unequal] == "imps":
        imps = signed_number(ranked[0].tally.imps, language)
        return words.gettext("IMPs: %(imps)s, more than anybody else.") % {"imps": imps}
    return words.gettext(TIES[criteria[unequal]]) if criteria[unequal] else ""


PIECE = 16
"""Places of a tree's first column that fit on one A4 sheet."""


@dataclass(frozen=True, slots=True)
class TreeRound:
    """One round of the tree."""

    round: int
    tables: tuple[RoundTable | None, ...]
    """None for a table not known yet."""


def columns(contest: Contest, stage: Stage) -> tuple[TreeRound, ...]:
    """One column per round, then empty columns for the rounds to come; poule rounds are left out."""
    first = pool_rounds(contest) if stage == "main" else 0
    rounds = contest.rounds(stage)
    drawn = [TreeRound(round_.number, round_.tables) for round_ in rounds[first:]]
    if not rounds or len(rounds) < first:
        return tuple(drawn)
    blank = [
        TreeRound(nth, (None,) * tables)
        for nth, tables in enumerate(to_come(contest, stage), len(rounds) + 1)
    ]
    return (*drawn, *blank)


def has_bracket(contest: Contest, stage: Stage, found: Sequence[TreeRound]) -> bool:
    """Whether winners advance to adjacent places: a fixed tree without empty places."""
    fixed = stage == "main" and contest.formula.kind in {"tree", "poules"} and contest.formula.seats == 2
    halves = all(len(near.tables) == 2 * len(far.tables) for near, far in pairwise(found))
    return fixed and halves


def printed_pieces(found: Sequence[TreeRound]) -> tuple[tuple[TreeRound, ...], ...]:
    """A tree cut into pieces of `PIECE` places of the first column, then the piece that joins them."""
    if not found or len(found[0].tables) <= PIECE:
        return (tuple(found),)
    many = len(found[0].tables) // PIECE
    whole = [column for column in found if len(column.tables) >= many]
    pieces = tuple(tuple(part(column, nth, many) for column in whole) for nth in range(many))
    return (*pieces, tuple(found[len(whole) - 1 :]))


def part(column: TreeRound, nth: int, many: int) -> TreeRound:
    size = len(column.tables) // many
    return TreeRound(column.round, column.tables[nth * size : (nth + 1) * size])


def last_columns(found: Sequence[TreeRound], most: int) -> tuple[TreeRound, ...]:
    """The last columns, from the first drawn round with at most this many tables; none before that."""
    late = tuple(column for column in found if len(column.tables) <= most)
    return late if late and None not in late[0].tables else ()
