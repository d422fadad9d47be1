"""Make a data set of parties between players: records, decisions as arrays, and a card that describes them."""

from __future__ import annotations

import argparse
from gettext import gettext as _
from pathlib import Path

from chouine.cli.arguments import configure_rules, positive_number
from chouine.cli.long_jobs import configure_workers, workers
from chouine.jobs import Progress, clear, saying_that_it_goes_on
from chouine.registry import player_names

FORMATS = ("npz", "parquet")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.description = _(
        "Let players play one another and keep it for learning programs: records, what each seat knew and "
        "did as arrays, and a card that describes it. The same seed gives the same parties. "
        "Interrupted, the same command continues."
    )
    parser.add_argument("folder", metavar=_("FOLDER"), type=Path, help=_("a new folder, or an empty one"))
    parser.add_argument(
        "--players",
        metavar=_("PLAYER"),
        nargs="+",
        default=["heuristic"],
        help=_("who plays, moving on by one seat from partie to partie (default: heuristic): %(known)s")
        % {"known": ", ".join(player_names())},
    )
    parser.add_argument(
        "--parties",
        metavar=_("NUMBER"),
        type=positive_number,
        default=1_000,
        help=_("how many parties (default: 1000)"),
    )
    configure_rules(parser)
    parser.add_argument(
        "--seed", metavar=_("TEXT"), default="0", help=_("the same text gives the same parties")
    )
    parser.add_argument(
        "--format",
        choices=FORMATS,
        default="npz",
        help=_("of the arrays (default: npz); parquet needs pyarrow"),
    )
    configure_workers(parser)


def run(args: argparse.Namespace) -> int:
    """Play and write. Exit code 2 for invalid arguments."""
    from chouine.envs.dataset import DatasetOptions, write
    from chouine.envs.dataset_card import SHARD

    shards = -(-args.parties // SHARD)
    making = DatasetOptions(tuple(args.players), args.rules, args.seed, args.parties)
    progress = Progress(shards, args.language)
    with saying_that_it_goes_on(args.language), workers(args, shards) as crew:
        made = write(args.folder, making, args.format, crew, progress.tell)
    clear()
    counts = {"parties": made["parties"], "decisions": made["decisions"], "folder": args.folder}
    print(_("%(folder)s: parties %(parties)s, decisions %(decisions)s") % counts)
    return 0
