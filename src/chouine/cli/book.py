"""Play the parties for the book of Chouine, and write its tables, plots and pages."""

from __future__ import annotations

import argparse
import subprocess
from functools import partial
from gettext import gettext as _
from pathlib import Path

from chouine import __version__
from chouine.cli.arguments import positive_number
from chouine.cli.long_jobs import configure_workers, workers
from chouine.compilations import CACHE, user_cache
from chouine.errors import ChouineError
from chouine.folders import make_folder, need_folder
from chouine.jobs import Progress, clear, saying_that_it_goes_on
from chouine.phrases import say

PARTIES, LEVEL_PARTIES = 5_000_000, 100_000


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Write the book of Chouine: what many parties of strong self-play say, as CSV, SVG and Markdown. "
        "What was played before is kept, and an interrupted run goes on where it was."
    )
    parser.add_argument(
        "--parties", metavar="N", type=positive_number, default=PARTIES,
        help=_("parties of the network, for each of two seeds (default: %(default)s)"),
    )  # fmt: skip
    parser.add_argument(
        "--level-parties", metavar="N", type=positive_number, default=LEVEL_PARTIES,
        help=_("parties of each level (default: %(default)s)"),
    )  # fmt: skip
    parser.add_argument(
        "--parts", metavar=_("FOLDER"), type=Path,
        help=_("where what was played is kept (default: book in your cache folder)"),
    )  # fmt: skip
    parser.add_argument(
        "--write", metavar=_("FOLDER"), type=Path, default=Path("book"),
        help=_("where the book is written (default: %(default)s)"),
    )  # fmt: skip
    configure_workers(parser)


def run(args: argparse.Namespace) -> int:
    """Play and write. Exit code 2 if that is impossible."""
    from chouine.fast import AVAILABLE

    if not AVAILABLE:
        raise ChouineError("thinking/no-compiler")
    from chouine.book.run import LEVELS, PART, SEEDS, STRONG, missing_parts, play_part, write_book

    args.parts = args.parts or need_folder(user_cache(), f"--parts, {CACHE}") / "book"
    for folder in (args.parts, args.write):  # fail before hours of play, not after
        make_folder(folder)
    args.parts /= __version__  # another version's players may play otherwise
    wanted = [(STRONG, seed, args.parties) for seed in SEEDS]
    wanted += [(level, SEEDS[0], args.level_parties) for level in LEVELS]
    parts = [
        part for player, seed, parties in wanted for part in missing_parts(args.parts, player, seed, parties)
    ]
    progress = Progress(len(parts), args.language)
    with saying_that_it_goes_on(args.language), workers(args, len(parts)) as crew:
        for done, _played in enumerate(crew(partial(play_part, args.parts, PART), parts), 1):
            progress.tell(done)
    clear()
    write_book(args.parts, args.write, commit())
    print(say("book/written", args.language, folder=args.write))
    return 0


def commit() -> str:
    """The commit of the sources; of a package, which may lie in a repository of the user's, the version."""
    here = Path(__file__)
    git = ["git", "-C", str(here.parent)]
    try:
        subprocess.run([*git, "ls-files", "--error-unmatch", here.name], check=True, capture_output=True)  # noqa: S603
        asked = [*git, "rev-parse", "--short", "HEAD"]
        return subprocess.run(asked, check=True, capture_output=True, encoding="utf-8").stdout.strip()  # noqa: S603
    except (OSError, subprocess.CalledProcessError):
        return __version__
