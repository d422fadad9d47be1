"""Building and measuring the C program."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import yardstick

COMPILER = """#!/bin/sh
while [ $# -gt 0 ]; do
  case $1 in *.c) source=$1 ;; -o) program=$2 ;; esac
  shift
done
if grep -q broken "$source"; then exit 1; fi
cp "$source" "$program" && chmod +x "$program"
"""
"""A fake compiler that "compiles" scripts."""
PROGRAM = """#!/bin/sh
echo '{"bench": "c_fused", "games_s": 2.5}'
echo '{"bench": "c_solve", "solves_s": 4}'
"""


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    compiler, source = tmp_path / "bin" / "gcc", tmp_path / "bench.c"
    compiler.parent.mkdir()
    compiler.write_text(COMPILER)
    compiler.chmod(0o755)
    source.write_text(PROGRAM)
    monkeypatch.setattr(yardstick, "SOURCE", source)
    monkeypatch.setenv("PATH", f"{compiler.parent}:/usr/bin:/bin")
    return source


def test_every_figure_of_the_program_is_read(source: Path, tmp_path: Path) -> None:
    built = tmp_path / "built"
    built.mkdir()
    assert yardstick.measure(yardstick.build(built)) == {"c_fused": 2.5, "c_solve": 4}


def test_without_the_source_nothing_is_built(source: Path, tmp_path: Path) -> None:
    source.unlink()
    assert yardstick.measure(yardstick.build(tmp_path)) == {}


def test_a_source_that_does_not_compile_is_left_out(source: Path, tmp_path: Path) -> None:
    source.write_text("broken")
    assert yardstick.measure(yardstick.build(tmp_path)) == {}
