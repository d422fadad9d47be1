"""The code blocks of the README and of the programmers' pages run unchanged."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from chouine.compilations import cache_folder
from tests.patience import PATIENCE

ROOT = Path(__file__).parent.parent
PAGES = ("README.md", "docs/index.md", "docs/programmers.md")
BLOCKS = {
    page: re.findall(r"```(\w+)\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    for page in PAGES
}
SHELL = [block for blocks in BLOCKS.values() for language, block in blocks if language == "sh"]


def environment(home: Path) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "CHOUINE_CACHE_DIR": str(cache_folder().parent),  # reuses compiled code
        "LANG": "C.UTF-8",
        "SERVE": "--port 0 --no-browser",
    }


def test_every_block_is_one_we_run() -> None:
    assert {language for blocks in BLOCKS.values() for language, _ in blocks} == {"sh", "python"}
    assert [language for language, _ in BLOCKS["README.md"]] == ["sh", "sh"]


PROGRAMS = [block for language, block in BLOCKS["docs/programmers.md"] if language == "python"]


@pytest.mark.parametrize("nth", range(5))
def test_a_first_program_runs_by_itself(
    nth: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    exec(PROGRAMS[nth], {})  # noqa: S102  # it is our own page
    assert capsys.readouterr().out.strip()


@pytest.mark.parametrize("program", PROGRAMS[:5])
def test_a_first_program_is_short(program: str) -> None:
    lines = [line for line in program.splitlines() if line]
    assert len(lines) <= 5
    assert not any("chouine." in line for line in lines if line.startswith(("import ", "from ")))


def test_a_picture_shows_the_table() -> None:
    pictures = re.findall(r'<img src="([^"]+)"', (ROOT / "README.md").read_text(encoding="utf-8"))
    assert len(pictures) == 2
    assert all((ROOT / picture).read_bytes()[8:12] == b"WEBP" for picture in pictures)
    assert sum(path.stat().st_size for path in (ROOT / "docs/pictures").iterdir()) < 300 * 1024


@pytest.mark.parametrize("block", [block for block in SHELL if not block.startswith("make ")])
def test_shell_blocks(block: str, tmp_path: Path) -> None:
    for command in block.strip().splitlines():
        done = subprocess.run(
            ["bash", "-ec", command],
            check=False,
            cwd=ROOT,
            env=environment(tmp_path),
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout


def test_make_play_answers(tmp_path: Path) -> None:
    assert "make play\n" in SHELL
    serving = subprocess.Popen(
        ["make", "play"],
        cwd=ROOT,
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert serving.stdout is not None
        assert re.fullmatch(r"Chouine: http://127\.0\.0\.1:\d+/\n", serving.stdout.readline())
    finally:
        os.killpg(serving.pid, signal.SIGTERM)
        serving.communicate(timeout=PATIENCE)


def test_make_test_is_what_continuous_integration_runs() -> None:
    assert "make test\n" in SHELL
    assert re.search(r"^(exec )?make test$", (ROOT / ".ci" / "run").read_text(encoding="utf-8"), re.MULTILINE)
