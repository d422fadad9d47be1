"""Problems: make them from self-play, verify them, export them for other programs.

Without a file the shipped problems are used; `make` packs files.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from functools import partial
from gettext import gettext as _
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from chouine.cli.arguments import positive_number
from chouine.cli.long_jobs import configure_log, configure_workers, log_of, workers
from chouine.cli.texts import some_of, write_utf8
from chouine.errors import ChouineError
from chouine.folders import make_folder
from chouine.jobs import Progress, clear, do_logged, processors, saying_that_it_goes_on
from chouine.phrases import say

if TYPE_CHECKING:
    from chouine.school.problems import Problem
    from chouine.school.problems.make import ProblemBatch


def configure(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(dest="what", required=True)
    make = commands.add_parser("make", help=_("find problems in self-play; an interrupted search goes on"))
    make.add_argument(
        "folder", metavar=_("FOLDER"), type=Path, help=_("folder for the drafts and for problems.jsonl.gz")
    )
    make.add_argument("--seed", metavar=_("TEXT"), default="1", help=_("seed of the parties (default: 1)"))
    make.add_argument(
        "--only", metavar=_("PART"), help=_("one part only, such as classic-ending (default: all)")
    )
    make.add_argument(
        "--count",
        metavar="N",
        type=positive_number,
        help=_("problems with three plays or more in each part (default: as shipped)"),
    )
    verify = commands.add_parser(
        "verify", help=_("solve problems again; the exit status is 1 if one is wrong")
    )
    verify.add_argument(
        "--sample", metavar="N", type=positive_number, help=_("solve only this many, drawn at random")
    )
    verify.add_argument("--seed", metavar="N", type=int, default=3, help=_("random seed (default: 3)"))
    configure_log(verify)
    for command in (make, verify):
        configure_workers(command)
    export = commands.add_parser("export", help=_("print one JSON line for each problem"))
    for command in (verify, export):
        command.add_argument(
            "file",
            nargs="?",
            metavar=_("FILE"),
            type=Path,
            help=_("file of problems (default: those shipped)"),
        )


def run(args: argparse.Namespace) -> int:
    """Run the subcommand. Exit code: 0 ok, 1 a problem failed verification, 2 invalid arguments."""
    write_utf8()
    return {"make": make, "verify": verify, "export": export}[args.what](args)


def export(args: argparse.Namespace) -> int:
    """Print each problem as a JSON line."""
    for problem in asked_for(args):
        print(json.dumps(problem.as_json()))
    return 0


def verify(args: argparse.Namespace) -> int:
    """Verify problems; print those that fail and a total."""
    from chouine.ai.racing import need_compiler
    from chouine.school.problems.make import WORLDS, recheck

    need_compiler()
    problems = asked_for(args)
    if args.sample:
        problems = Random(args.seed).sample(problems, min(args.sample, len(problems)))
    good, progress = 0, Progress(len(problems), args.language)
    log = log_of(args, command="problems verify", worlds=WORLDS, seed=args.seed)
    with saying_that_it_goes_on(args.language), workers(args, len(problems)) as crew:
        stand = do_logged(
            crew, partial(recheck, WORLDS, args.seed), problems, log, lambda stands: isinstance(stands, bool)
        )
        for done, (problem, stands) in enumerate(zip(problems, stand, strict=True), 1):
            if stands:
                good += 1
            else:
                clear()
                print(say("problem/fails", args.language, name=problem.id, line=problem.line), flush=True)
            progress.tell(done)
    clear()
    print(say("problem/verified", args.language, good=good, num=len(problems)))
    return int(good < len(problems))


def asked_for(args: argparse.Namespace) -> Sequence[Problem]:
    """The problems of a file, or those shipped."""
    from chouine.school.problems import read, shipped_problems

    return list(some_of(read(args.file), args.file, "problem/none")) if args.file else shipped_problems()


def make(args: argparse.Namespace) -> int:
    """Search until the drafts are full, then pack all drafts of the folder."""
    from chouine.ai.racing import need_compiler
    from chouine.school.problems.make import draft, pack_drafts
    from chouine.school.problems.shipped import write

    need_compiler()
    parts = parts_of(args)
    make_folder(args.folder)
    with saying_that_it_goes_on(args.language), workers(args, processors()) as crew:
        for part in parts:
            progress = Progress(part.many, args.language)
            for found in draft(part, part.path(args.folder), args.seed, crew):
                progress.tell(found, part.name)
    clear()
    problems = pack_drafts(args.folder)
    path = args.folder / "problems.jsonl.gz"
    write(path, problems)
    print(say("problem/packed", args.language, num=len(problems), file=path))
    return 0


def parts_of(args: argparse.Namespace) -> list[ProblemBatch]:
    """The parts to make. Raises `ChouineError` for one that does not exist."""
    from chouine.school.problems.make import PLAN

    parts = [part for part in PLAN if args.only in (None, part.name)]
    if not parts:
        known = ", ".join(part.name for part in PLAN)
        raise ChouineError("problem/part", token=args.only, known=known)
    return [part._replace(many=args.count) if args.count else part for part in parts]
