"""Building and measuring the C programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import yardstick

COMPILER = """#!/bin/sh
while [ $# -gt 0 ]; do
  case $1 in *.c) source=$1 ;; -o) program=$2 ;; -mno-avx512vpopcntdq) shuffled=1 ;; esac
  shift
done
if [ -z "$shuffled" ] && grep -q population "$source"; then exit 1; fi
cp "$source" "$program" && chmod +x "$program"
"""
"""A fake compiler that "compiles" scripts for a processor without AVX-512 population count."""


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder, programs = tmp_path / "sources", tmp_path / "bin"
    folder.mkdir()
    programs.mkdir()
    compiler = programs / "gcc"
    compiler.write_text(COMPILER)
    compiler.chmod(0o755)
    (folder / "bench.c").write_text("""#!/bin/sh\necho '{"bench": "c_fused", "games_s": 2.5}'\n""")
    (folder / "simd.c").write_text(
        """#!/bin/sh\n# population\necho '{"bench": "c_avx512", "games_s": 15}'\n"""
    )
    monkeypatch.setattr(yardstick, "SOURCES", folder)
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    return folder


def test_a_processor_without_population_count_is_compared_all_the_same(sources: Path, tmp_path: Path) -> None:
    figures = yardstick.measure(yardstick.build(tmp_path))
    assert figures == {"c_fused": 2.5, "c_avx512_shuffled": 15}


def test_without_the_sources_nothing_is_built(sources: Path, tmp_path: Path) -> None:
    for source in sources.iterdir():
        source.unlink()
    sources.rmdir()
    assert yardstick.build(tmp_path) == []
