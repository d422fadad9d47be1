"""`chouine engine` as a separate process."""

from __future__ import annotations

import os
import subprocess
import sys

CONVERSATION = """\
> hello
< id name Chouine *
< id options all
< id asks open
< rules classic three four mondoubleau mondoubleau-three mondoubleau-four
< option level 1..8
< ready
> option level 2
> view b classic b Q7.97..8|.K.A97.7 Jd Jc8d9c9s8sQdTsJsTcKdTdQhKsAsKcThJh8hQcAhAc : Qs
> go time 1500
< best 7x
> view b classic b ?5|.K.A97.7 Jd ?????????????????????????????????????????? : Qs 7x
> go nodes 100
< best *
> view b classic b ?5|.K.A97.7 Jd ?????????????????????????????????????????? : Qs 7x 7x
< error illegal/* *
> go
< error engine/no-view *
> allez
< error engine/command *
> quit
"""


def converse(told: bytes, **environment: str) -> tuple[list[str], int]:
    """The engine's output lines and exit status."""
    done = subprocess.run(
        [sys.executable, "-m", "chouine", "engine"],
        input=told,
        capture_output=True,
        timeout=280,
        check=False,
        env={**os.environ, **environment},
    )
    assert done.stderr == b""
    return done.stdout.decode().splitlines(), done.returncode


def test_a_conversation() -> None:
    """Golden conversation: `>` is input, `<` output, `*` matches the rest of a word or line."""
    lines = CONVERSATION.splitlines()
    told = "".join(line[2:] + "\n" for line in lines if line[0] == ">")
    expected = [line[2:] for line in lines if line[0] == "<"]
    answers, status = converse(told.encode())
    assert status == 0
    for pattern, answer in zip(expected, answers, strict=True):
        for wanted, word in zip(pattern.split(), answer.split(), strict=False):
            assert word.startswith(wanted.removesuffix("*"))
            assert wanted.endswith("*") or word == wanted


def test_a_level_that_thinks_ahead_says_what_it_thinks() -> None:
    """A searching level reports each act's win rate, the likely continuation and the best act, within its budget."""
    view = f"view a classic b Q7.97..8|?5 Jd {'??' * 21} :"
    answers, status = converse(f"option level 8\n{view}\ngo nodes 50\ngo time 900\n".encode())
    assert status == 0
    for part in ("worlds 50", "worlds"):
        said = answers[: answers.index(next(line for line in answers if line.startswith("best"))) + 1]
        answers = answers[len(said) :]
        best = said[-1].split()[1]
        acts = [line.split() for line in said if " act " in line]
        assert all(0 < int(words[2]) <= 50 for words in acts) or part == "worlds"
        assert {words[4] for words in acts} == {"Qs", "7s", "9h", "7h", "8c"}
        assert all(float(low) <= float(win) <= float(high) for *_, win, _, low, _, high in acts)
        assert any(line.startswith(f"info line {best}") for line in said)
        assert said[-2].startswith(f"info {part} ")
        assert said[-2].endswith(f"best {best}")
    assert answers == []


def test_the_end_of_the_input_ends_it() -> None:
    assert converse(b"hello")[0][-1] == "ready"
    assert converse(b"") == ([], 0)


def test_a_line_that_is_too_long_gets_one_error() -> None:
    long = b"view a " + b"?" * 10_000_000
    answers, status = converse(long + b"\ngo\n" + long)
    assert status == 0
    assert [answer.split()[:3] for answer in answers] == [
        ["error", "engine/too-long", "1:1"],
        ["error", "engine/no-view", "2:1"],
        ["error", "engine/too-long", "3:1"],
    ]


def test_nothing_after_quit_is_answered() -> None:
    assert converse(b"quit\nhello\n") == ([], 0)


def test_bytes_that_are_no_text_get_an_error_whatever_the_locale() -> None:
    answers, status = converse(b"\xff\xfe\n\x00\nview a \xe2\x99\xa0\r\nhello\n", LC_ALL="C", PYTHONUTF8="0")
    assert status == 0
    assert [answer.split()[0] for answer in answers[:3]] == ["error"] * 3
    assert answers[-1] == "ready"
