"""Render the measured duels in `docs/strength.md` and its plot: `python -m benchmarks.strength`.

`python -m benchmarks.strength measure FOLDER` first plays every duel of every table at the present commit, 2,000 pairs
each, and goes on from the logs in the folder when it is called again. It takes `--pairs`, `--only TABLE…`, `--workers`,
`--ray`, and `--dry` to leave the figures as they are, and ends by telling how long 2,000 pairs of everything take.

`python -m benchmarks.strength TABLE COMMIT LOG…` first adds the logs of `chouine duel A B --log LOG` to `duels.jsonl`:
the result of every partie, a duel a line. `strength.json` holds the rates of duels without a log.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from chouine.arena import pool
from chouine.arena.duel import DuelRun, pair_of
from chouine.arena.pairs import LOST, NULLE, WON, Pair
from chouine.arena.pairs import Duel as Setting
from chouine.arena.score import PairScore
from chouine.cli.long_jobs import configure_workers, workers
from chouine.cli.texts import INTERRUPTED
from chouine.jobs import Progress, clear, saying_that_it_goes_on
from chouine.plots import Bar, bars

FIGURES = Path(__file__).with_name("strength.json")
DUELS = FIGURES.with_name("duels.jsonl")
SIGNS = {WON: "+", LOST: "-", NULLE: "="}
DOCS = Path(__file__).parents[1] / "docs"
OPPONENT = "heuristic"
SECONDS = (0.02, 0.1, 0.5, 2.0)
"""Time limits of `full` against `net`, in the table of strength by seconds."""
PAIRS = 2_000
Duel = dict[str, Any]


def measured() -> list[Duel]:
    """Every duel: rules, players, A's rate in per cent with its 95 % interval, pairs, ms a decision, commit."""
    duels = {key(duel): duel for duel in json.loads(FIGURES.read_text())}
    return list((duels | {key(duel): scored(duel) for duel in logged()}).values())


def key(duel: Duel) -> tuple[str, ...]:
    return tuple(duel[name] for name in ("table", "rules", "a", "b"))


def logged() -> list[Duel]:
    """The duels of `duels.jsonl`: `outcomes` has a word for each pair, a sign for each of its parties."""
    return [json.loads(line) for line in DUELS.read_text(encoding="utf-8").splitlines()]


def scored(duel: Duel) -> Duel:
    """A logged duel with its rate."""
    value = {sign: outcome for outcome, sign in SIGNS.items()}
    pairs = (tuple(value[sign] for sign in word) for word in duel["outcomes"].split())
    score = PairScore.of(Pair(nth, outcomes, ((), ())) for nth, outcomes in enumerate(pairs))
    rates = (round(100 * rate, 1) for rate in (score.rate or 0, *score.interval))
    return duel | dict(zip(("rate", "low", "high"), rates, strict=True)) | {"pairs": score.pairs}


def read_log(log: Path, table: str, commit: str) -> Duel:
    """A duel from its log."""
    head, *lines = map(json.loads, log.read_text(encoding="utf-8").splitlines())
    pairs = [pair_of(line, nth)[0] for nth, line in enumerate(lines)]
    times = (fmean(micros for pair in pairs for micros in pair.micros[side]) / 1000 for side in (0, 1))
    duel = {name: head["duel"][name] for name in ("rules", "a", "b", "seed")}
    limits = head["duel"].get("seconds")
    duel["a"] += f", {limits[0]:g} s" if isinstance(limits, list) else ""
    return {
        "table": table,
        **duel,
        "commit": commit,
        "ms": ["< 0.1" if time < 0.1 else round(time, 1) if time < 2 else round(time) for time in times],
        "outcomes": " ".join("".join(SIGNS[outcome] for outcome in pair.outcomes) for pair in pairs),
    }


def keep(duels: Iterable[Duel]) -> None:
    """Add duels to `duels.jsonl`; they replace earlier ones of the same players and rules."""
    found = {key(duel): duel for duel in (*logged(), *duels)}
    lines = (json.dumps(duel, ensure_ascii=False) + "\n" for duel in found.values())
    DUELS.write_text("".join(lines), encoding="utf-8")


def against(duels: Sequence[Duel], opponent: str) -> list[Duel]:
    """The longest classic duel of each player against one, reversed where it was A; best rate first."""
    found: dict[str, Duel] = {}
    classic = [duel for duel in duels if duel["rules"] == "classic"]
    for duel in sorted(classic, key=lambda duel: duel["pairs"]):
        if duel["b"] == opponent:
            found[duel["a"]] = duel
        elif duel["a"] == opponent:
            rates = (round(100 - duel[name], 1) for name in ("rate", "high", "low"))
            found[duel["b"]] = (
                duel
                | {"a": duel["b"], "b": opponent}
                | dict(zip(("rate", "low", "high"), rates, strict=True))
            )
    return sorted(found.values(), key=lambda duel: -duel["rate"])


def drawn(duels: Sequence[Duel]) -> str:
    """A bar for each player: its rate against `OPPONENT`, with the interval."""
    title = f"Parties won against {OPPONENT}, per cent of those decided, with 95 % intervals"
    rates = {
        duel["a"]: Bar(*(duel[name] / 100 for name in ("rate", "low", "high")))
        for duel in against(duels, OPPONENT)
    }
    return bars(title, rates, even=0.5).svg


def table(duels: Sequence[Duel], name: str) -> Iterator[str]:
    """The rows of one table of the document."""
    several = name == "variants"
    head = "| rules " if several else ""
    yield f"{head}| A | B | rate of A | 95 % | pairs | A, ms | B, ms | commit |"
    yield f"{head and '| --- '}| --- | --- | ---: | --- | ---: | ---: | ---: | --- |"
    for duel in (each for each in duels if each["table"] == name):
        times = " | ".join("" if "ms" not in duel else f"{each}" for each in duel.get("ms", ["", ""]))
        rules = f"| {duel['rules']} " if several else ""
        interval = f"{duel['low']:.1f}–{duel['high']:.1f}"
        yield (
            f"{rules}| `{duel['a']}` | `{duel['b']}` | {duel['rate']:.1f} % | {interval} | {duel['pairs']:,} "
            f"| {times} | {duel.get('commit', '')} |"
        )


def by_level(duels: Sequence[Duel], name: str) -> Iterator[str]:
    """Each level's rate against the level below with its 95 % interval, a column for each preset."""
    rows: dict[str, dict[str, str]] = {}
    for duel in (each for each in duels if each["table"] == name):
        cell = f"{duel['rate']:.1f} % ({duel['low']:.1f}–{duel['high']:.1f})"
        rows.setdefault(duel["a"].removeprefix("level:"), {})[duel["rules"]] = cell
    presets = list(dict.fromkeys(preset for row in rows.values() for preset in row))
    yield f"| level | {' | '.join(presets)} |"
    yield f"| --- {'| ---: ' * len(presets)}|"
    for level in sorted(rows):
        yield f"| {level} | {' | '.join(rows[level].get(preset, '') for preset in presets)} |"


def crossed(duels: Sequence[Duel], name: str) -> Iterator[str]:
    """Each player's rating and its rate against each other one, the best first."""
    contests = [duel for duel in duels if duel["table"] == name]
    players = list(dict.fromkeys(player for duel in contests for player in (duel["a"], duel["b"])))
    results = {
        (players.index(duel["a"]), players.index(duel["b"])): [
            (word.count("+"), word.count("-")) for word in duel["outcomes"].split()
        ]
        for duel in contests
    }
    ratings = pool.ratings(len(players), results)
    order = sorted(range(len(players)), key=lambda player: -ratings[player].elo)
    rates: dict[tuple[str, str], str] = {}
    for duel in contests:
        error = (duel["high"] - duel["low"]) / 2
        rates[duel["a"], duel["b"]] = f"{duel['rate']:.1f} ± {error:.1f}"
        rates[duel["b"], duel["a"]] = f"{100 - duel['rate']:.1f} ± {error:.1f}"
    yield f"| player | Elo | {' | '.join(f'`{players[other]}`' for other in order)} |"
    yield f"| --- {'| ---: ' * (len(players) + 1)}|"
    for player in order:
        cells = (rates.get((players[player], players[other]), "") for other in order)
        elo, error = ratings[player]
        yield f"| `{players[player]}` | {elo:+.0f} ± {error:.0f} | {' | '.join(cells)} |"


FORMS = {"levels": by_level, "pool": crossed}
"""How a table is written, if not as one row for each duel."""


def filled(text: str, duels: Sequence[Duel]) -> str:
    """The document with its generated tables, each between `<!-- duels -->` and `<!-- end -->`."""
    for name in {duel["table"] for duel in duels}:
        rows = "\n".join(FORMS.get(name, table)(duels, name))
        text = re.sub(rf"(<!-- {name} -->\n).*?(<!-- end -->)", rf"\g<1>{rows}\n\g<2>", text, flags=re.DOTALL)
    return text


def plan(seed: str) -> dict[str, list[Setting]]:
    """Every duel of the document by its table, from one seed, and `full` with several time limits."""
    tables: dict[str, list[Setting]] = {}
    for duel in measured():
        if duel["table"] != "seconds":
            tables.setdefault(duel["table"], []).append(Setting(duel["a"], duel["b"], duel["rules"], seed))
    tables["seconds"] = [Setting("full", "net", seed=seed, seconds=(limit, None)) for limit in SECONDS]
    return tables


def measure(arguments: Sequence[str]) -> None:
    """Play every duel, each with its log, and keep the figures."""
    parser = argparse.ArgumentParser("python -m benchmarks.strength measure")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pairs", type=int, default=PAIRS)
    parser.add_argument("--seed", default="strength")
    parser.add_argument("--only", nargs="+", metavar="TABLE", choices=plan(""), default=list(plan("")))
    parser.add_argument("--dry", action="store_true", help="leave the document as it is")
    configure_workers(parser)
    args = parser.parse_args(arguments)
    commit = subprocess.check_output(["git", "describe", "--always", "--dirty"], text=True).strip()  # noqa: S607
    planned = [
        (name, setting) for name, each in plan(args.seed).items() if name in args.only for setting in each
    ]
    folder = args.folder / commit  # other sources are another measurement
    found, progress, done = list[Duel](), Progress(args.pairs * len(planned), "en"), 0
    hours = dict.fromkeys(args.only, 0.0)
    with saying_that_it_goes_on("en"), workers(args, args.pairs) as crew:
        for name, setting in planned:
            (folder / name).mkdir(parents=True, exist_ok=True)
            limit = f" {setting.seconds[0]:g}" if setting.seconds[0] else ""
            log = folder / name / f"{pool.log_name(setting).removesuffix('.jsonl')}{limit}.jsonl"
            run = DuelRun(setting, args.pairs, log=log)
            for _ in run.play(crew):
                progress.tell(done + run.score.pairs, f"{name}: {setting.a} {setting.b} {setting.rules}")
            done += args.pairs
            hours[name] += sum(map(sum, run.micros)) / 3.6e9 / args.pairs * PAIRS
            found.append(read_log(log, name, commit))
    clear()
    for name, spent in hours.items():
        print(f"{name}: {PAIRS:,} pairs of each are about {spent:.1f} hours of a core")
    print(f"together: {sum(hours.values()):.1f}")
    if not args.dry:
        keep(found)


def main() -> None:
    if sys.argv[1:2] == ["measure"]:
        try:
            measure(sys.argv[2:])
        except KeyboardInterrupt:
            sys.exit(INTERRUPTED)
    elif len(sys.argv) > 3:
        table, commit, *logs = sys.argv[1:]
        keep(read_log(Path(log), table, commit) for log in logs)
    duels = measured()
    (DOCS / "strength.svg").write_text(drawn(duels), encoding="utf-8")
    page = DOCS / "strength.md"
    page.write_text(filled(page.read_text(encoding="utf-8"), duels), encoding="utf-8")


if __name__ == "__main__":
    main()
