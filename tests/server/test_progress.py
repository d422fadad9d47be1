"""Learning progress: days in a row, problems due for repetition, and the progress file."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chouine.days import day_of, start_of
from chouine.school.lessons import lessons
from chouine.school.problems import shipped_problems, streak
from chouine.school.problems.shipped import DAYS, REMEMBERED
from chouine.server.counting import KINDS, CountRecord
from chouine.server.difficulty import TrialRating
from chouine.server.guard import LARGEST_BODY
from chouine.server.repetition import MOST, Mistake, ProblemAnswer, add_mistakes, due_problems, gone_over
from chouine.server.routes.progress import UnreadableProgress, export_progress, import_progress
from chouine.server.saved import Repetition, Schooling

TODAY = date(2026, 11, 23)
NOW = datetime(2026, 11, 23, 8, tzinfo=UTC)
LESSONS, PROBLEMS = {"takes", "points"}, {"p1", "p2", "p3"}


@pytest.mark.parametrize(
    ("ago", "row"),
    [((), 0), ((0,), 1), ((1, 2), 2), ((0, 2, 4), 3), ((3, 4), 0), ((0, 1, 4), 2), ((2,), 1), ((-1,), 0)],
)
def test_a_row_of_days_forgives_one_that_was_missed(ago: tuple[int, ...], row: int) -> None:
    assert streak([TODAY - timedelta(days) for days in ago], TODAY) == row


def test_a_missed_problem_comes_again_later_and_later() -> None:
    waiting = gone_over((), ProblemAnswer("p1", right=False, at=NOW))
    assert due_problems(waiting, NOW) == []
    at, gaps = NOW, []
    while waiting:
        gap = waiting[0].due - at
        gaps.append(gap)
        assert gone_over(waiting, ProblemAnswer("p1", right=True, at=at)) == waiting, (
            "not due: only practised"
        )
        at = waiting[0].due
        assert due_problems(waiting, at) == ["p1"]
        waiting = gone_over(waiting, ProblemAnswer("p1", right=True, at=at))
    assert gaps[0] == timedelta(hours=20), "from 8 h to 4 h of the next day"
    assert gaps == sorted(gaps)
    assert len(gaps) > 2


@given(
    st.integers(1_767_000_000, 1_900_000_000),
    st.sampled_from(["Europe/Paris", "America/Halifax", "Australia/Lord_Howe", "Pacific/Kiritimati", "UTC"]),
    st.booleans(),
)
def test_what_was_missed_is_due_when_a_later_day_begins(
    moment: int,
    name: str,
    late: bool,  # noqa: FBT001  # drawn by chance
) -> None:
    """A problem missed at 23 h is due the next day from 4 h, as one missed at 5 h; nothing is due on the same day."""
    zone = ZoneInfo(name)
    today = day_of(datetime.fromtimestamp(moment, UTC), zone)
    begins, ends = start_of(today, zone), start_of(today + timedelta(1), zone)
    at = (ends - timedelta(minutes=1) if late else begins).astimezone(zone)
    waiting = gone_over((), ProblemAnswer("p1", right=False, at=at))
    assert due_problems(waiting, ends - timedelta(seconds=1)) == []
    assert due_problems(waiting, ends) == ["p1"]
    again = gone_over(waiting, ProblemAnswer("p1", right=True, at=ends.astimezone(zone)))
    assert again[0].due == start_of(day_of(again[0].due, zone), zone)
    assert again[0].due >= start_of(today + timedelta(3), zone), (
        "a whole day counts as one, however late it was"
    )


def test_a_problem_missed_again_comes_sooner() -> None:
    waiting = gone_over((), ProblemAnswer("p1", right=False, at=NOW))
    at = waiting[0].due
    right, wrong = (gone_over(waiting, ProblemAnswer("p1", right=right, at=at)) for right in (True, False))
    assert wrong[0].due < right[0].due


def test_what_was_solved_at_once_does_not_wait() -> None:
    assert gone_over((), ProblemAnswer("p1", right=True, at=NOW)) == ()


def test_so_many_wait_and_no_more() -> None:
    waiting: tuple[Repetition, ...] = ()
    for nth in range(MOST + 5):
        waiting = gone_over(waiting, ProblemAnswer(f"p{nth}", right=False, at=NOW))
    assert len(waiting) == MOST
    assert waiting[-1].problem == f"p{MOST + 4}"


def test_a_mistake_of_ones_own_comes_again_as_a_problem_does() -> None:
    mistake = Mistake("game-1_x", 2, 17)
    assert Mistake.parse(str(mistake)) == mistake
    assert Mistake.parse("p1") is None
    waiting = add_mistakes((), [mistake], NOW)
    assert add_mistakes(waiting, [mistake], NOW + timedelta(days=9)) == waiting, "known already"
    assert due_problems(waiting, NOW + timedelta(days=9)) == [str(mistake)]


def test_what_waits_here_stays_when_a_file_comes_back() -> None:
    """Importing a file keeps this server's mistakes and adds none, since mistakes refer to a server's tables."""
    here = Schooling(again=add_mistakes(WAITING, [Mistake("game", 1, 0)], NOW))
    assert len(import_progress(export_progress(SCHOOL), here, LESSONS, PROBLEMS).again) == 2
    assert import_progress(export_progress(here), Schooling(), LESSONS, PROBLEMS).again == WAITING


WAITING = gone_over((), ProblemAnswer("p2", right=False, at=NOW))
SCHOOL = Schooling(
    done=("takes",), solved=("p1",), days=(TODAY,), again=WAITING, rated=TrialRating(1612.5, 140.0, 12)
)


def due_at(time: str) -> bytes:
    """A progress file with a problem due at this time."""
    return export_progress(SCHOOL).replace(
        WAITING[0].due.isoformat().replace("+00:00", "Z").encode(), time.encode()
    )


def test_the_longest_progress_is_no_larger_than_what_may_be_sent() -> None:
    """Else whoever has learned most could not bring it to another device."""
    moment, ids = datetime(2026, 3, 1, 12, 34, 56, 123456, tzinfo=UTC), [one.id for one in shipped_problems()]
    mistakes = (f"{'A' * 36}/{nth}/{nth}" for nth in range(MOST))
    everything = Schooling(
        done=tuple(lesson.name for lesson in lessons()),
        solved=tuple(ids[:REMEMBERED]),
        days=tuple(date(2026, 1, 1) + timedelta(days=nth) for nth in range(DAYS)),
        again=tuple(
            Repetition(name, moment, moment, 123.45678901234567, 5.123456789012345) for name in mistakes
        ),
        rated=TrialRating(1234.123456789, 123.123456789, 500),
        counting=tuple(CountRecord(kind, 10, 20, 3) for kind in KINDS),
    )
    assert len(export_progress(everything)) < LARGEST_BODY - 2000  # for what else a form sends


def test_what_was_kept_comes_back() -> None:
    assert import_progress(export_progress(SCHOOL), Schooling(), LESSONS, PROBLEMS) == SCHOOL


def test_both_are_kept_together_and_what_is_unknown_passed_over() -> None:
    other = Schooling(done=("points", "magic"), solved=("p3", "p1", "p9"), days=(TODAY - timedelta(1),))
    both = import_progress(export_progress(other), SCHOOL, LESSONS, PROBLEMS)
    assert set(both.done) == LESSONS
    assert set(both.solved) == {"p1", "p3"}
    assert both.days == (TODAY - timedelta(1), TODAY)
    assert both.again == WAITING
    assert import_progress(export_progress(both), both, LESSONS, PROBLEMS) == both


@pytest.mark.parametrize(
    ("file", "code", "place"),
    [
        (b"", "school/progress-unreadable", ""),
        (b"\xff\xfe", "school/progress-unreadable", ""),
        (b'{"', "school/progress-unreadable", ""),
        (b"[]", "school/progress-shape", "…"),
        (b"{}", "school/progress-shape", "…"),
        (b'{"chouine_progress":2}', "school/progress-shape", "chouine_progress"),
        (b'{"chouine_progress":1,"solved":"p1"}', "school/progress-shape", "solved"),
        (b'{"chouine_progress":1,"days":["tomorrow"]}', "school/progress-shape", "days[0]"),
        (
            export_progress(Schooling(again=(Repetition("p1", NOW, NOW, stability=-1, difficulty=5),))),
            "school/progress-shape",
            "again",
        ),
        (due_at("0001-01-01T00:00:00+14:00"), "school/progress-shape", "again"),
        (due_at("9999-12-31T23:59:59-14:00"), "school/progress-shape", "again"),
    ],
)
def test_what_is_no_progress_is_refused_and_said_why(file: bytes, code: str, place: str) -> None:
    with pytest.raises(UnreadableProgress) as refused:
        import_progress(file, SCHOOL, LESSONS, PROBLEMS)
    assert refused.value.code == code
    assert refused.value.data.get("place", "") == place


ERA = st.datetimes(datetime(1970, 1, 1), datetime(8999, 12, 31))  # noqa: DTZ001  # as Hypothesis wants them


@given(st.floats(0.001, 1e6), st.floats(1, 10), ERA, ERA, st.booleans())
def test_any_file_of_numbers_can_be_gone_on_with(
    stability: float,
    difficulty: float,
    due_at: datetime,
    last: datetime,
    right: bool,  # noqa: FBT001  # drawn by chance
) -> None:
    told = {"problem": "p1", "due": due_at, "last": last, "stability": stability, "difficulty": difficulty}
    file = msgspec.json.encode({"chouine_progress": 1, "again": [told]})
    school = import_progress(file, Schooling(), LESSONS, PROBLEMS)
    due_problems(school.again, NOW)
    gone_over(school.again, ProblemAnswer("p1", right=right, at=NOW))
