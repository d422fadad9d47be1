"""Render the measured duels in `docs/strength.md` and its plot: `python -m benchmarks.strength`.

`python -m benchmarks.strength measure FOLDER` first plays every duel of every table, 2,000 pairs each, and goes on from
the logs in the folder, and from `duels.jsonl`, when it is called again: also at a later commit, or on another machine,
as long as the players play the first pairs as before. Interrupted, it keeps what it has. It takes `--pairs`,
`--only TABLE…`, `--among PLAYER…`, `--workers`, `--ray`, and `--dry` to leave the figures as they are.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import combinations, islice
from pathlib import Path
from statistics import fmean
from typing import Any
from urllib.parse import quote

from benchmarks.arguments import read_arguments
from chouine.arena import pool
from chouine.arena.duel import DuelLog, DuelRun, pair_of
from chouine.arena.pairs import LOST, NULLE, WON, Pair, play_pair
from chouine.arena.pairs import Duel as Setting
from chouine.arena.score import PairScore
from chouine.cli.long_jobs import configure_workers, workers
from chouine.cli.texts import INTERRUPTED
from chouine.jobs import Crew, Progress, clear, in_this_process, saying_that_it_goes_on
from chouine.plots import Bar, bars

DUELS = Path(__file__).with_name("duels.jsonl")
"""A duel a line: rules, players, seed, ms a decision, the result of every partie, and a digest of the first ones."""
SIGNS = {WON: "+", LOST: "-", NULLE: "="}
OUTCOMES = {sign: outcome for outcome, sign in SIGNS.items()}
DOCS = Path(__file__).parents[1] / "docs"
SEED = "strength"
PAIRS = 2_000
CHECKED = 3
"""Pairs by whose acts players are known again."""
PLAYERS = {
    "full": "network rollouts in worlds of a Bayesian opponent model; equilibrium and exact solver at the end",
    "net": "the network's best act, trained by PPO; no search",
    "mc:1000": "flat Monte Carlo, heuristic rollouts, 1,000 uniform worlds",
    "pimc:300": "perfect-information Monte Carlo, alpha-beta with open cards",
    "ismcts:5000": "information-set MCTS, 5,000 simulations",
    "mc:300": "flat Monte Carlo, 300 worlds",
    "heuristic": "linear evaluation tuned by self-play, exact last tricks",
    "greedy": "one ply: takes what pays",
    "random": "any legal act",
}
"""The method of each player of the cross-table."""
LEVELS = {"full": 8, "heuristic": 6}
"""The levels that these players are."""
OPPONENT = "heuristic"
SECONDS = (0.02, 0.1, 0.5, 2.0)
"""Time limits of `full` against `net`, in the table of strength by seconds."""
RULES = ("classic", "mondoubleau", "three", "four")
VARIANTS = (
    ("mc:1000", "heuristic"),
    ("net", "heuristic"),
    ("net", "mc:1000"),
    ("full", "heuristic"),
    ("full", "mc:1000"),
)
PLAN: dict[str, list[Setting]] = {
    "pool": [Setting(a, b, seed=SEED) for a, b in combinations(PLAYERS, 2)],
    "bound": [Setting("lbr", "full", seed=SEED)],
    "seconds": [Setting("full", "net", seed=SEED, seconds=(limit, None)) for limit in SECONDS],
    "variants": [Setting(a, b, rules, SEED) for rules in RULES[1:] for a, b in VARIANTS],
    "levels": [
        Setting(f"level:{level}", f"level:{level - 1}", rules, SEED)
        for rules in RULES
        for level in range(2, 9)
    ],
}
"""Every duel by the table that shows it."""
TITLES = {
    "pool": "cross-table",
    "bound": "local best response",
    "seconds": "strength by time",
    "variants": "Mondoubleau, three and four seats",
    "levels": "levels",
}
Duel = dict[str, Any]


def all_duels() -> list[Duel]:
    """Every measured duel: what `DUELS` holds, A's rate in per cent with its 95 % interval, and the number of pairs."""
    return [with_rate(duel) for duel in read_logged_duels()]


def key(duel: Duel) -> tuple[str, ...]:
    return tuple(duel[name] for name in ("table", "rules", "a", "b"))


def read_logged_duels() -> list[Duel]:
    """The duels of `DUELS`: `outcomes` has a word for each pair, a sign for each of its parties."""
    return [json.loads(line) for line in DUELS.read_text(encoding="utf-8").splitlines()]


def pairs_of(duel: Duel) -> Iterator[Pair]:
    """The pairs of a logged duel, without their times."""
    for nth, word in enumerate(duel["outcomes"].split()):
        yield Pair(nth, tuple(OUTCOMES[sign] for sign in word), ((), ()))


def with_rate(duel: Duel) -> Duel:
    """A logged duel with its rate."""
    score = PairScore.of(pairs_of(duel))
    rates = (round(100 * rate, 1) for rate in (score.rate or 0, *score.interval))
    return duel | dict(zip(("rate", "low", "high"), rates, strict=True)) | {"pairs": score.pairs}


def row_of(setting: Setting, table: str, digest: str) -> Duel:
    """A duel of the plan without its results."""
    limit = setting.seconds[0]
    named = f"{setting.a}, {limit:g} s" if limit else setting.a
    return {
        "table": table,
        "rules": setting.rules,
        "a": named,
        "b": setting.b,
        "seed": setting.seed,
        "digest": digest,
    }


def read_log(log: Path, row: Duel) -> Duel:
    """A duel from its log; the times are those of the pairs that were played into it."""
    _, *lines = map(json.loads, log.read_text(encoding="utf-8").splitlines())
    pairs = [pair_of(line, nth)[0] for nth, line in enumerate(lines)]
    micros = ([spent for pair in pairs for spent in pair.micros[side]] for side in (0, 1))
    times = [fmean(spent) / 1000 for spent in micros if spent]
    shown = ["< 0.1" if time < 0.1 else round(time, 1) if time < 2 else round(time) for time in times]
    outcomes = " ".join("".join(SIGNS[outcome] for outcome in pair.outcomes) for pair in pairs)
    return row | ({"ms": shown} if shown else {}) | {"outcomes": outcomes}


def keep(duels: Iterable[Duel]) -> None:
    """Add duels to `DUELS`, where they replace those of the same players and rules."""
    found = {key(duel): duel for duel in read_logged_duels()}
    for duel in duels:
        found[key(duel)] = found.get(key(duel), {}) | duel
    lines = (json.dumps(duel, ensure_ascii=False) + "\n" for duel in found.values())
    DUELS.write_text("".join(lines), encoding="utf-8")


def against(duels: Sequence[Duel], opponent: str) -> list[Duel]:
    """The duel of each player of the cross-table against one, reversed where that was A; best rate first."""
    found = []
    for duel in (each for each in duels if each["table"] == "pool"):
        if duel["b"] == opponent:
            found.append(duel)
        elif duel["a"] == opponent:
            rates = (round(100 - duel[name], 1) for name in ("rate", "high", "low"))
            turned = dict(zip(("rate", "low", "high"), rates, strict=True))
            found.append(duel | {"a": duel["b"], "b": opponent} | turned)
    return sorted(found, key=lambda duel: -duel["rate"])


def bar_chart(duels: Sequence[Duel]) -> str:
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
    yield f"{head}| A | B | rate of A | 95 % | pairs | A, ms | B, ms |"
    yield f"{head and '| --- '}| --- | --- | ---: | --- | ---: | ---: | ---: |"
    for duel in (each for each in duels if each["table"] == name):
        times = " | ".join(map(str, duel["ms"]))
        rules = f"| {duel['rules']} " if several else ""
        interval = f"{duel['low']:.1f}–{duel['high']:.1f}"
        yield (
            f"{rules}| `{duel['a']}` | `{duel['b']}` | {duel['rate']:.1f} % | {interval} | {duel['pairs']:,} "
            f"| {times} |"
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


def pool_table(duels: Sequence[Duel], name: str) -> Iterator[str]:
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


def decision_time(duels: Sequence[Duel], player: str) -> str:
    """A player's mean milliseconds a decision, over its duels of the cross-table."""
    times = [
        time
        for duel in duels
        if duel["table"] == "pool"
        for name, time in zip((duel["a"], duel["b"]), duel["ms"], strict=True)
        if name == player and time != "< 0.1"
    ]
    mean = fmean(times) if times else 0.0
    return "< 0.1" if mean < 0.1 else f"{mean:.{0 if mean >= 10 else 1}f}"


def summary(duels: Sequence[Duel]) -> Iterator[str]:
    """Each player's method, rate against `OPPONENT`, and time, the best first."""
    rates = {duel["a"]: duel["rate"] for duel in against(duels, OPPONENT)} | {OPPONENT: 50.0}
    yield f"| player | method | against `{OPPONENT}` | ms a decision |"
    yield "| --- | --- | ---: | ---: |"
    for player in sorted(rates, key=lambda player: -rates[player]):
        level = f", level {LEVELS[player]}" if player in LEVELS else ""
        rate = "50 %" if player == OPPONENT else f"{rates[player]:.1f} %"
        yield f"| `{player}`{level} | {PLAYERS[player]} | {rate} | {decision_time(duels, player)} |"


def progress_table(duels: Sequence[Duel]) -> Iterator[str]:
    """How many pairs the duels of each table have."""
    yield "| table | duels | pairs of each |"
    yield "| --- | ---: | ---: |"
    for name, planned in PLAN.items():
        if not (shown := [duel for duel in duels if duel["table"] == name]):
            continue
        pairs = sorted({duel["pairs"] for duel in shown})
        most = f"–{pairs[-1]:,}" if len(pairs) > 1 else ""
        yield f"| {TITLES[name]} | {len(planned)} | {pairs[0]:,}{most} |"


FORMS = {"levels": by_level, "pool": pool_table}
"""How a table is written, if not as one row for each duel."""


def fill_tables(text: str, duels: Sequence[Duel]) -> str:
    """The document with its generated tables, each between such comments as `<!-- pool -->` and `<!-- end -->`."""
    tables = {name: FORMS.get(name, table)(duels, name) for name in {duel["table"] for duel in duels}}
    for name, rows in (tables | {"summary": summary(duels), "pairs": progress_table(duels)}).items():
        shown = "\n".join(rows)
        text = re.sub(
            rf"(<!-- {name} -->\n).*?(<!-- end -->)", rf"\g<1>{shown}\n\g<2>", text, flags=re.DOTALL
        )
    return text


def acts_of(setting: Setting, number: int) -> str:
    """The parties of a pair as they are written, without their tags."""
    lines = "\n".join(play_pair(replace(setting, recorded=True), number).records).splitlines()
    return "\n".join(line for line in lines if not line.startswith("["))


def digest_of(setting: Setting, crew: Crew = in_this_process) -> str:
    """A digest of all that is done in the first pairs of a duel: other players, or other rules, have another."""
    played = "\n".join(crew(partial(acts_of, setting), range(CHECKED)))
    return hashlib.sha256(played.encode()).hexdigest()[:16]


def add_known(log: Path, setting: Setting, known: Duel) -> None:
    """Add to a log the known pairs that it lacks."""
    with closing(DuelLog(log, setting, 0)) as opened:
        logged = sum(1 for _ in opened.pairs())
        for pair in islice(pairs_of(known), logged, None):
            opened.add_pair(pair, 0)


def measure(arguments: Sequence[str]) -> None:
    """Play every duel, each with its log, and keep the figures."""
    parser = argparse.ArgumentParser("python -m benchmarks.strength measure")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pairs", type=int, default=PAIRS)
    parser.add_argument("--only", nargs="+", metavar="TABLE", choices=PLAN, default=list(PLAN))
    parser.add_argument("--among", nargs="+", metavar="PLAYER", default=None, help="only duels between these")
    parser.add_argument("--dry", action="store_true", help="leave the document as it is")
    configure_workers(parser)
    args = parser.parse_args(arguments)
    kept = {key(duel): duel for duel in read_logged_duels()}
    planned = [
        (name, setting)
        for name in args.only
        for setting in PLAN[name]
        if args.among is None or {setting.a, setting.b} <= {*args.among}
    ]
    progress, done = Progress(args.pairs * len(planned), "en"), 0
    found = list[Duel]()
    try:
        with saying_that_it_goes_on("en"), workers(args, args.pairs) as crew:
            for name, setting in planned:
                row = row_of(setting, name, digest_of(setting, crew))
                known = kept.get(key(row))
                if known is not None and known["digest"] != row["digest"]:
                    known = None  # other players
                words = (*key(row)[1:], row["digest"])
                log = args.folder / name / f"{quote(' '.join(words), safe=' ')}.jsonl"
                log.parent.mkdir(parents=True, exist_ok=True)
                if known is not None:
                    add_known(log, setting, known)
                run = DuelRun(setting, args.pairs, log=log)
                try:
                    for _ in run.play(crew):
                        progress.tell(done + run.score.pairs, " ".join(key(row)))
                finally:
                    if run.score.pairs >= (args.pairs if known is None else len(known["outcomes"].split())):
                        found.append(read_log(log, row))
                done += args.pairs
    finally:
        clear()
        if not args.dry:
            keep(found)


def main() -> None:
    status = 0
    if sys.argv[1:2] == ["measure"]:
        try:
            measure(sys.argv[2:])
        except KeyboardInterrupt:
            status = INTERRUPTED
    else:
        read_arguments(__doc__)
    duels = all_duels()
    (DOCS / "strength.svg").write_text(bar_chart(duels), encoding="utf-8")
    page = DOCS / "strength.md"
    page.write_text(fill_tables(page.read_text(encoding="utf-8"), duels), encoding="utf-8")
    sys.exit(status)


if __name__ == "__main__":
    main()
