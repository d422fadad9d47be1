"""The shipped problems, and the selection of those to show."""

from __future__ import annotations

import gzip
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import cache
from pathlib import Path

from chouine.errors import int_of
from chouine.files import write_whole
from chouine.plaintext import repr_of
from chouine.rules.options import PRESETS
from chouine.school.problems.problem import KINDS, BadProblem, Kind, Problem

DATA = Path(__file__).with_name("data") / "problems.jsonl.gz"
WEEK = 7
STRIDE = 89
"""How far a weekday's problem moves in a week: a prime, so that all come, and neighbours in difficulty are apart."""
FORGIVEN = 2
"""Most days between two solved problems of a streak: one missed day does not end it."""
HARDEST = 9999
"""Above any difficulty."""
REMEMBERED = 500
"""The most recently solved problems that are remembered for a browser."""
DAYS = 400
"""The most recent days with the daily problem solved that are remembered."""


@cache
def shipped_problems() -> tuple[Problem, ...]:
    """All shipped problems, sorted by id."""
    return tuple(read(DATA))


@cache
def shipped_themes() -> tuple[str, ...]:
    """The themes of the shipped problems."""
    return tuple(sorted({theme for problem in shipped_problems() for theme in problem.themes}))


def read(path: Path) -> Iterator[Problem]:
    """The problems of a packed file. Raises `BadProblem` or `OSError`."""
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for nth, line in enumerate(lines, 1):
                yield parse_line(line, path, nth)
    except (gzip.BadGzipFile, EOFError, UnicodeDecodeError) as error:
        raise BadProblem("problem/file", file=str(path)) from error


def parse_line(line: str, path: Path, nth: int) -> Problem:
    """The problem in a line of a file."""
    try:
        return Problem.parse(line)
    except BadProblem as error:
        raise BadProblem("problem/line", file=str(path), line=nth) from error


def write(path: Path, problems: Iterable[Problem]) -> None:
    """Pack problems into a file with reproducible bytes."""
    lines = "".join(f"{problem}\n" for problem in problems)
    write_whole(path, gzip.compress(lines.encode(), 9, mtime=0))


def choose_problems(
    problems: Iterable[Problem],
    *,
    preset: str | None = None,
    kind: Kind | None = None,
    theme: str | None = None,
    easiest: int = 0,
    hardest: int = HARDEST,
    quick: bool | None = None,
) -> list[Problem]:
    """The problems that match all criteria, easiest first; the bounds of difficulty are inclusive.

    Raises `ValueError` for a preset, a kind or a theme that there is not.
    """
    named: tuple[tuple[str, object, Iterable[object]], ...] = (
        ("preset", preset, PRESETS),
        ("kind", kind, KINDS),
        ("theme", theme, shipped_themes()),
        ("quick", quick, (False, True)),
    )
    for name, value, known in named:
        if value is not None and value not in [*known]:
            raise ValueError(f"{name} is one of {', '.join(map(str, known))}, not {repr_of(value)}")
    int_of("easiest", easiest, "a difficulty, such as 1500")
    int_of("hardest", hardest, "a difficulty, such as 1500")
    fitting = [
        problem
        for problem in problems
        if preset in (None, problem.rules.preset)
        and kind in (None, problem.kind)
        and (theme is None or theme in problem.themes)
        and quick in (None, problem.quick)
        and easiest <= problem.difficulty <= hardest
    ]
    return sorted(fitting, key=lambda problem: (problem.difficulty, problem.id))


def choose_practice(query: Mapping[str, str]) -> list[Problem]:
    """The problems that an address of practice asks for: classic unless it names a preset, quick ones if it says so."""
    preset, theme = query.get("preset", "classic"), query.get("theme")
    if preset not in PRESETS or theme not in (None, *shipped_themes()):
        return []
    return choose_problems(shipped_problems(), preset=preset, theme=theme, quick="quick" in query)


def of_the_day(problems: Sequence[Problem], day: date) -> Problem:
    """The problem of a date, equal for all visitors: classic, from the easiest on Mondays to the hardest on Sundays.

    None is a quick one, and none repeats before all of its weekday have been used.
    """
    week, weekday = divmod(day.toordinal() - 1, WEEK)  # day 1 of the calendar was a Monday
    fitting = choose_problems(problems, preset="classic", quick=False)
    alike = fitting[len(fitting) * weekday // WEEK : len(fitting) * (weekday + 1) // WEEK]
    return alike[(week * STRIDE) % len(alike)]


def streak(days: Collection[date], today: date) -> int:
    """Length of the current streak. Today may still be solved, and one missed day does not end it; two do."""
    count, last = 0, today
    for day in sorted((day for day in days if day <= today), reverse=True):
        if (last - day) > timedelta(FORGIVEN):
            break
        count, last = count + 1, day
    return count


def remember_solved(
    solved: tuple[str, ...], days: tuple[date, ...], problem: str, today: date
) -> tuple[tuple[str, ...], tuple[date, ...]]:
    """The problems solved, latest last, and the days with the daily problem solved, after one more is solved."""
    solved = (*(one for one in solved if one != problem), problem)[-REMEMBERED:]
    if of_the_day(shipped_problems(), today).id == problem:
        days = tuple(sorted({*days, today}))[-DAYS:]
    return solved, days
