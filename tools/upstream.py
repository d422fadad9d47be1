"""What OpenSpiel needs for the game, tried on the OpenSpiel that is installed: `python -m tools.upstream [--write]`.

Lays `docs/upstream/openspiel` and its patch over a copy of the package and replays the playthroughs of both games;
`--write` first records them anew, after the game's texts have changed. Exit status 1 if one does not replay.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from shutil import copy, copytree
from tempfile import TemporaryDirectory

UPSTREAM = Path(__file__).parents[1] / "docs" / "upstream"
FILES = UPSTREAM / "openspiel"
PLAYTHROUGHS = Path("open_spiel/integration_tests/playthroughs")
GAMES = ("chouine", "chouine_petite")
CHANGED = "open_spiel/python/games/__init__.py", "open_spiel/integration_tests/playthrough_test.py"
"""Files that the patch changes and the tests need; the others are lists of tests and of games."""
REPLAY = """
import sys
from absl import flags
from open_spiel.integration_tests import playthrough_test
from open_spiel.python import games
from open_spiel.python.algorithms import generate_playthrough
flags.FLAGS(sys.argv[:1])
folder, write, names = sys.argv[1], sys.argv[2] == "write", sys.argv[3:]
for name in names:
    if write:
        with open(f"{folder}/{name}.txt", "w") as file:
            file.write(generate_playthrough.playthrough(name, None, seed=1))
    playthrough_test.PlaythroughTest().run_test(folder, f"{name}.txt")
"""


@contextmanager
def overlay() -> Iterator[Path]:
    """A folder with OpenSpiel as it would be with our files and our patch, by links to the installed one."""
    spec = find_spec("open_spiel")
    if spec is None or spec.origin is None:
        sys.exit("OpenSpiel is not installed: pip install 'chouine[research]'")
    with TemporaryDirectory() as name:
        folder = Path(name)
        copytree(Path(spec.origin).parent, folder / "open_spiel", copy_function=os.symlink)
        for path in CHANGED:
            whole = (folder / path).resolve()
            (folder / path).unlink()
            copy(whole, folder / path)
        copytree(FILES, folder, dirs_exist_ok=True)
        included = [f"--include={path}" for path in CHANGED]
        run("git", "apply", *included, str(UPSTREAM / "openspiel.patch"), folder=folder)
        yield folder


def run(*command: str, folder: Path) -> None:
    """Run a command in the overlay; raises `CalledProcessError`."""
    environment = os.environ | {"PYTHONPATH": str(folder), "GIT_CEILING_DIRECTORIES": str(folder.parent)}
    subprocess.run(command, cwd=folder, env=environment, check=True)  # noqa: S603  # our own


def replay(folder: Path, *, write: bool = False) -> None:
    """Replay the playthroughs by OpenSpiel's own test, recorded anew before if `write`."""
    how = "write" if write else "read"
    run(sys.executable, "-c", REPLAY, str(PLAYTHROUGHS), how, *GAMES, folder=folder)


def main() -> None:
    write = sys.argv[1:] == ["--write"]
    with overlay() as folder:
        (folder / PLAYTHROUGHS).mkdir(parents=True, exist_ok=True)
        try:
            replay(folder, write=write)
        except subprocess.CalledProcessError:
            sys.exit(1)
        if write:
            copytree(folder / PLAYTHROUGHS, FILES / PLAYTHROUGHS, dirs_exist_ok=True)


if __name__ == "__main__":
    main()
