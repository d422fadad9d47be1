"""Faults are planted in each kind of file, and nowhere in comments."""

from __future__ import annotations

import pytest

from tools import mutants


@pytest.mark.parametrize(
    ("file", "text", "planted"),
    [
        ("a.py", "x = a < 1\n", {"x = a <= 1\n", "x = a < 2\n"}),
        ("a.html", "{% if a %}{% elif not b %}{% endif %}", {"{% if not a %}{% elif not b %}{% endif %}"}),
        (
            "a.js",
            "a && !b; // !c\n/* d && e\n*/",
            {"a || !b; // !c\n/* d && e\n*/", "a && b; // !c\n/* d && e\n*/"},
        ),
        ("a.js", "a === b", {"a !== b"}),
    ],
)
def test_every_operator_is_mutated(file: str, text: str, planted: set[str]) -> None:
    assert {fault.planted(text) for fault in mutants.faults_in(file, text)} == planted


def test_every_package_has_faults_and_tests() -> None:
    for patterns, tests in mutants.PLACES.values():
        files = [path for pattern in patterns for path in mutants.ROOT.glob(pattern)]
        assert any(mutants.faults_in(str(path), path.read_text("utf-8")) for path in files)
        assert all((mutants.ROOT / test).exists() for test in tests)


def test_all_packages_are_the_default(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["mutants", "--faults", "0"])
    mutants.main()
    assert capsys.readouterr().out == "0 of 0 caught\n"
