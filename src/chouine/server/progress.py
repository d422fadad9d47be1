"""Export and import of learning progress as a file, and the number of days in a row."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable
from datetime import date
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import replace

from chouine.errors import ChouineError
from chouine.school.problems.shipped import DAYS, REMEMBERED
from chouine.server.counting import Records, join_records
from chouine.server.difficulty import Rated
from chouine.server.difficulty import sound as sound_rating
from chouine.server.repetition import MOST, in_utc
from chouine.server.saved import Repetition, Schooling

Name = Annotated[str, Meta(max_length=40)]


class UnreadableProgress(ChouineError):
    """The file does not hold progress; `code` is `school/progress-…`."""


class ProgressFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The exported progress file. Unknown lessons and problems are skipped."""

    chouine_progress: Literal[1]
    lessons: Annotated[tuple[Name, ...], Meta(max_length=100)] = ()
    solved: Annotated[tuple[Name, ...], Meta(max_length=5000)] = ()
    days: Annotated[tuple[date, ...], Meta(max_length=5000)] = ()
    again: Annotated[tuple[Repetition, ...], Meta(max_length=1000)] = ()
    rated: Rated = Rated()
    counting: Annotated[Records, Meta(max_length=100)] | UnsetType = UNSET
    """Records of the counting trainer; files of older versions have none."""


def export_progress(school: Schooling) -> bytes:
    """Progress as a file to download."""
    progress_file = ProgressFile(
        1, school.done, school.solved, school.days, school.again, school.rated, school.counting or UNSET
    )
    return msgspec.json.format(msgspec.json.encode(progress_file), indent=1)


def import_progress(
    file: bytes, school: Schooling, lessons: Collection[str], problems: Collection[str]
) -> Schooling:
    """Merge a progress file into the progress stored here. Raises `UnreadableProgress`."""
    try:
        progress_file = msgspec.json.decode(file, type=ProgressFile)
    except msgspec.ValidationError as error:
        place = re.search(r"`\$\.?([^`]*)`$", str(error))
        raise UnreadableProgress("school/progress-shape", place=place[1] if place else "…") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UnreadableProgress("school/progress-unreadable") from error
    if not all(sound(one) for one in progress_file.again):
        raise UnreadableProgress("school/progress-shape", place="again")
    again = [in_utc(one) for one in progress_file.again]
    if not sound_rating(progress_file.rated):
        raise UnreadableProgress("school/progress-shape", place="rated")
    solved = (*progress_file.solved, *school.solved)
    known = {*problems, *(one.problem for one in school.again)}
    waiting = {one.problem: one for one in (*again, *school.again)}
    return replace(
        school,
        done=known_names((*school.done, *progress_file.lessons), lessons),
        solved=known_names(solved, problems)[-REMEMBERED:],
        days=tuple(sorted({*school.days, *progress_file.days}))[-DAYS:],
        again=tuple(one for one in waiting.values() if one.problem in known)[-MOST:],
        rated=max(progress_file.rated, school.rated, key=lambda one: one.tries),
        counting=join_records(school.counting, progress_file.counting or ()),
    )


def sound(one: Repetition) -> bool:
    """Whether stability and difficulty are in the ranges that the scheduler (FSRS) produces, and times in this era."""
    in_era = all(1970 <= at.year < 9000 for at in (one.due, one.last))
    return in_era and 0 < one.stability < math.inf and 1 <= one.difficulty <= 10


def known_names(names: Iterable[str], known: Collection[str]) -> tuple[str, ...]:
    """The known names in order, without repetitions."""
    return tuple(dict.fromkeys(name for name in names if name in known))
