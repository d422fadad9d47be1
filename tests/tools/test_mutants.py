"""Faults are planted in each kind of file, and nowhere in comments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tools import mutants

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("file", "text", "planted"),
    [
        ("a.py", "x = a < 1\n", {"x = a <= 1\n", "x = a < 2\n"}),
        ("a.html", "{% if a %}{% elif not b %}{% endif %}", {"{% if not a %}{% elif not b %}{% endif %}"}),
        ("a.html", "{{ a }}, {{ b }}", {", {{ b }}", "{{ a }}, "}),
        (
            "a.js",
            "a && !b; // !c\n/* d && e\n*/",
            {"a || !b; // !c\n/* d && e\n*/", "a && b; // !c\n/* d && e\n*/"},
        ),
        ("a.js", "a === b", {"a !== b"}),
        ("a.js", "a < b => c", {"a <= b => c"}),
    ],
)
def test_every_operator_is_mutated(file: str, text: str, planted: set[str]) -> None:
    assert {fault.plant(text) for fault in mutants.faults_in(file, text)} == planted


def test_every_part_has_faults_and_tests() -> None:
    for part in mutants.PLACES:
        files = mutants.files_of(mutants.ROOT, part)
        assert any(True for path in files for _ in mutants.faults_in(path.name, path.read_text("utf-8")))
        assert mutants.tests_of(mutants.ROOT, part)
    assert all((mutants.ROOT / test).exists() for test in mutants.GENERAL.values())


def test_every_package_is_a_part_of_one() -> None:
    package = mutants.ROOT / "src" / "chouine"
    drawn = [path for part in mutants.PLACES for path in mutants.files_of(mutants.ROOT, part)]
    assert sorted(drawn) == sorted(
        path
        for path in package.rglob("*")
        if path.suffix in {".py", ".html", ".js"} and "runtime" not in path.parts
    )


def test_tests_of_the_same_words_run_first() -> None:
    file = "src/chouine/match/score.py"
    text = (mutants.ROOT / file).read_text("utf-8")
    fault = next(mutants.faults_in(file, text))
    assert (
        mutants.nearest(mutants.ROOT, fault, mutants.tests_of(mutants.ROOT, "game"))[0]
        == "tests/match/test_score.py"
    )


@pytest.mark.parametrize(("outcome", "found"), [("a.a == 0", "test_a.py::test_a"), ("False", "")])
def test_a_test_that_fails_without_the_fault_does_not_count(tmp_path: Path, outcome: str, found: str) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("a = 0\n", "utf-8")
    code = f"import pytest, a\n\n@pytest.mark.parametrize('x', ['a b'])\ndef test_a(x): assert {outcome}\n"
    (tmp_path / "test_a.py").write_text(code, "utf-8")
    fault = next(mutants.faults_in("src/a.py", "a = 0\n"))
    assert mutants.catching_test(tmp_path, fault, ["test_a.py"]) == found


def test_all_packages_are_the_default(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["mutants", "--faults", "0"])
    mutants.main()
    assert capsys.readouterr().out == "0 of 0 caught\n"
