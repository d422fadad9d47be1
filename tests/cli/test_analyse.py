"""`chouine analyse`: a partie's accounts, mistakes and reasons, and records that cannot be analysed."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import pytest

from chouine.ai.determinization import uniform_worlds
from chouine.ai.facts import FACTS, TURNUP
from chouine.ai.network import NO_NETWORK
from chouine.ai.racing import Estimate
from chouine.ai.reasons import TRAITS, reasons
from chouine.ai.review import Verdict
from chouine.cards import Card
from chouine.cli import main
from chouine.notation.lines import actions_of, read_view
from chouine.notation.reader import read_records
from chouine.notation.records import Comment, Glyph, Record
from chouine.partie import Deal, Play, State
from chouine.players.heuristic import HeuristicPlayer
from chouine.rules import Rules
from chouine.school.review.decisions import holder_asked
from tests.calls import status_of
from tests.cli.bare import without_compiler

RECORDS = Path("tests/records")
LAVARDIN = RECORDS / "lavardin.cgn"
MISTAKE_FR = re.compile(r"^  Pli (\d+), (Jean \(a\)|Charles \(b\)), .* : −\d+,\d %", re.MULTILINE)
MISTAKE_EN = re.compile(r"^  Trick (\d+), (Jean \(a\)|Charles \(b\)), .*: −\d+\.\d%", re.MULTILINE)
FACE_DOWN = "??" * 21


def analyse(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The command's output, with French no-break spaces replaced by plain ones."""
    main(["analyse", "--worlds", "60", *arguments])
    return capsys.readouterr().out.replace("\N{NO-BREAK SPACE}", " ")


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    """The analysis of the example record as JSON."""
    with redirect_stdout(StringIO()) as out:
        assert main(["analyse", "--worlds", "60", "--json", str(LAVARDIN)]) == 0
    [line] = out.getvalue().splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def test_result_is_luck_and_mistakes(told: dict[str, Any]) -> None:
    """A seat's result is the sum of its parts, and one seat's mistakes are the other's gain."""
    a, b = told["seats"]
    for seat in (a, b):
        parts = seat["fair"] + seat["mistakes"] + seat["others_mistakes"] + seat["luck"]
        assert seat["result"] == pytest.approx(parts, abs=2e-3)
    assert a["mistakes"] == -b["others_mistakes"]
    assert a["luck"] == pytest.approx(-b["luck"], abs=2e-3)
    for act in told["acts"]:
        assert act["done"] != act["best"]
        assert 0.02 <= act["cost"] <= 1
        assert all(
            trait in FACTS or (trait in (*TRAITS, TURNUP) and more > 0)
            for trait, more in act["reasons"].items()
        )


def test_only_a_sure_difference_is_a_mistake() -> None:
    """A mistake needs a gap well above two standard errors, since the best act was selected by its estimate."""
    best, done = Estimate(Play(Card("Kd")), 0.525, 0.0, 2000), Estimate(Play(Card("Qd")), 0.5, 0.01, 2000)
    assert Verdict([best, done], done).cost == 0.0
    assert Verdict([best, done], done).label is None
    sure = done._replace(gap_error=0.008)
    assert Verdict([best, sure], sure).cost == pytest.approx(0.025)
    assert Verdict([best, sure], sure).label == "inaccuracy"


def test_what_is_listed_adds_up(told: dict[str, Any]) -> None:
    """A seat's mistakes are the listed ones plus the small ones."""
    for seat in told["seats"]:
        listed = sum(act["cost"] for act in told["acts"] if act["seat"] == seat["seat"])
        assert -seat["mistakes"] == pytest.approx(listed - seat["small"], abs=1e-3)


def test_the_same_seed_says_the_same_in_both_languages(capsys: pytest.CaptureFixture[str]) -> None:
    french, english, again = (
        analyse(capsys, "--language", language, str(LAVARDIN)) for language in ("fr", "en", "fr")
    )
    assert french == again
    assert "part égale" in french
    assert "fair share" in english
    assert len(MISTAKE_EN.findall(english)) == english.count("better: ") > 0
    assert MISTAKE_EN.findall(english) == MISTAKE_FR.findall(french)
    assert "%" in english
    assert " %" not in english


def test_what_cannot_be_analysed_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    broken = tmp_path / "broken.cgn"
    broken.write_text('[Rules "classic"]\n[Deal "b nothing"]\n\n 1. Qs 1-0\n')
    assert main(["analyse", "--language", "en", str(broken)]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("chouine analyse: 2:")
    assert main(["analyse", "--language", "en", str(tmp_path / "none.cgn")]) == 2
    assert "none.cgn" in capsys.readouterr().err


def test_no_partie_and_no_worlds_are_wrong_calls(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    empty = tmp_path / "empty.cgn"
    empty.write_text("\n")
    assert status_of("analyse", "--language", "en", str(empty)) == 2
    assert capsys.readouterr().err == f"chouine analyse: There is no partie in {empty}.\n"
    for many in ("0", "-5", "x"):
        assert status_of("analyse", str(LAVARDIN), "--worlds", many) == 2
        assert "--worlds: a whole number from 1" in capsys.readouterr().err


DEAL = '[Rules "classic"]\n[Deal "b Q7.97..8|.K.A97.7 Jd Jc8d9c9s8sQdTsJsTcKdTdQhKsAsKcThJh8hQcAhAc"]\n'


@pytest.mark.parametrize(
    ("record", "results"),
    [
        (DEAL + '[Termination "concede a"]\n\n 1. Qs 7c *\n', [0.0, 1.0]),
        (DEAL + '[Termination "misdeal"]\n\n 1. Qs *\n', [None, None]),
        (DEAL + "\n 1. Qs 7c *\n", [None, None]),
    ],
    ids=["conceded", "misdeal", "unfinished"],
)
def test_luck_is_computed_for_complete_parties_only(
    record: str, results: list[float | None], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    stopped = tmp_path / "stopped.cgn"
    stopped.write_text(record.replace(" *", " 0-1") if "concede" in record else record)
    seats = json.loads(analyse(capsys, "--json", str(stopped)))["seats"]
    assert [seat["result"] for seat in seats] == results
    assert [seat["luck"] for seat in seats] == [None, None]
    words = analyse(capsys, "--language", "en", str(stopped))
    assert words.count("the partie was not played out") == 2
    assert "luck" not in words


def complete_partie(state: State) -> State:
    """The partie completed by the heuristic, without exchanging the seven."""
    player = HeuristicPlayer()
    while state.result is None:
        turn = state.position.turn
        action = player.act(state.view(turn))
        if not isinstance(action, Play):
            action = next(act for act in state.view(turn).legal if isinstance(act, Play))
        state = state.play(action, turn)
    return state


def test_the_seven_kept_at_au_sept_is_judged(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """§11: Declining the exchange at "au sept" is judged, although records do not contain it."""
    rules = Rules()
    for seed in (39, *range(39)):  # the first seed in which it is a mistake
        partie = complete_partie(State.new(rules, Deal.random(rules, 0, Random(seed))))
        kept = tmp_path / "kept.cgn"
        kept.write_text(f"{Record.of(partie)}\n")
        state = State.new(rules, partie.deal)
        for action in actions_of(partie.events):
            asked = holder_asked(state)
            if asked is not None:
                break
            state = state.play(action, state.position.turn)
        else:
            continue
        acts = json.loads(analyse(capsys, "--json", str(kept)))["acts"]
        told = [act for act in acts if act["done"] == "-"]
        if told:
            assert told[0]["best"] == "7x"
            assert told[0]["seat"] == "ab"[asked]
            assert told[0]["trick"] == state.position.tricks + 1
            assert ", keep the seven: −" in analyse(capsys, "--language", "en", str(kept))
            return
    pytest.fail("nobody minded")


def test_what_each_of_three_gives_away_the_others_share(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """With three seats the others share the gain of a mistake, so luck sums to 0 here too."""
    line = next(
        line for line in (RECORDS / "mixed.cgn").read_text().splitlines() if "mondoubleau-three" in line
    )
    three = tmp_path / "three.cgn"
    three.write_text(line + "\n")
    words = analyse(capsys, "--language", "en", str(three))
    assert words.count("(the others', shared out evenly)") == 3
    seats = json.loads(analyse(capsys, "--json", str(three)))["seats"]
    assert sum(seat["luck"] for seat in seats) == pytest.approx(0, abs=1e-3)
    assert sum(seat["mistakes"] + seat["others_mistakes"] for seat in seats) == pytest.approx(0, abs=1e-3)
    for seat in seats:
        parts = seat["fair"] + seat["mistakes"] + seat["others_mistakes"] + seat["luck"]
        assert seat["result"] == pytest.approx(parts, abs=1e-3)


def test_a_record_with_comments_is_a_record(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, told: dict[str, Any]
) -> None:
    """Each mistake is a comment at its act; the partie is unchanged."""
    acts, commented = told["acts"], tmp_path / "told.cgn"
    commented.write_text(analyse(capsys, "--cgn", "--language", "en", str(LAVARDIN)), encoding="utf-8")
    with LAVARDIN.open() as before, commented.open(encoding="utf-8") as after:
        [old], [new] = list(read_records(before)), list(read_records(after))
    assert isinstance(old, Record)
    assert isinstance(new, Record)
    assert (new.actions, new.result, new.tags) == (old.actions, old.result, old.tags)
    comments = [item.text for item in new.items if isinstance(item, Comment)]
    assert sum("better: " in text for text in comments) == len(acts) > 0
    assert sum("(fair share)" in text for text in comments) == 2
    assert sum(isinstance(item, Glyph) for item in new.items) == len(acts)


def test_a_partie_lost_by_a_mistake_in_the_last_tricks_is_reported(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    line = next(line for line in (RECORDS / "mixed.cgn").read_text().splitlines() if " b K8.K..T8|" in line)
    thrown = tmp_path / "thrown.cgn"
    thrown.write_text(line + "\n")
    assert re.search(
        r"Trick 13, a, J♥: −50\.0% .*; better: 9♣ "
        r"\(the partie was won, now it is a nulle; the highest card left of a suit is kept\)",
        analyse(capsys, "--language", "en", str(thrown)),
    )
    told = analyse(capsys, "--language", "fr", str(thrown))
    assert re.search(r"\(la partie était gagnée, elle devient nulle.; on garde une carte maîtresse\)", told)


@pytest.mark.parametrize(("language", "words"), [("fr", "demande numba"), ("en", "needs numba")])
def test_without_the_compiler_it_says_what_it_needs(language: str, words: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "chouine", "analyse", "--language", language, str(LAVARDIN)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **without_compiler(tmp_path)},
    )
    assert done.returncode == 2
    assert words in done.stderr
    assert "pip install 'chouine[fast]'" in done.stderr
    assert done.stderr.count("\n") == 1


def test_reasons_speak_for_the_better_act_only() -> None:
    """Reasons are for the better act: a quinte adds fifty points; for not declaring it no reason exists."""
    view = read_view(f"classic b AT.A.T.A|?5 7c {FACE_DOWN} :", 0)
    spoken = next(action for action in view.legal if isinstance(action, Play) and action.declaration)
    silent = Play(spoken.card)
    among = uniform_worlds(view, 50, 1)
    told = {reason.trait: reason.difference for reason in reasons(view, spoken, silent, among, NO_NETWORK)}
    assert told["declares"] == 50
    others = {reason.trait for reason in reasons(view, silent, spoken, among, NO_NETWORK)}
    assert not others & {"declares", "declared"}
