"""Data sets of parties between programs: records, and every decision as arrays.

    chouine dataset FOLDER --players heuristic net --parties 10000 --seed 1

The folder has decisions in shards of 1,000 parties under `data`, `_parties.cgn`, `_dataset.json` with the options, and
`_README.md`, which describes it all. After an interruption the same command continues with the next shard.

Partie n follows from the seed, n, the rules and the players: its deal is that of `Random(f"{seed}:{n}")`, dealt by seat
n mod seats; the players move on by one seat from partie to partie.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Callable, Iterator, Sequence
from hashlib import file_digest
from pathlib import Path
from random import Random
from shutil import copyfileobj
from typing import IO, Any, Literal, NamedTuple

from chouine import __version__
from chouine.arena.pairs import Wanted, seat_players, seed_of
from chouine.envs import MissingPackage
from chouine.errors import ChouineError
from chouine.jobs import Crew, Log, in_this_process
from chouine.notation.records import Record
from chouine.partie.deal import Deal
from chouine.partie.result import Result
from chouine.rules.options import Rules
from chouine.rules.rule_table import rule_table_of

try:
    import numpy as np

    from chouine.envs.deterministic import deterministic_rivals, play_all
    from chouine.envs.encode import Mask, Observation, action_table, mask_of, observation_table, rewards_of
    from chouine.envs.numbered_partie import NumberedPartie, acts_of_numbers, numbers_of
except ModuleNotFoundError as error:
    raise MissingPackage(error) from error

Format = Literal["npz", "parquet"]
SHARD = 1_000
"""Parties per file of decisions."""
DATA = "data"
"""The folder of the decisions."""
RECORDS, CARD, ABOUT, UNFINISHED = "_parties.cgn", "_README.md", "_dataset.json", "_unfinished.jsonl"
"""The other files: what reads a folder of Parquet passes over such names, as it does over Spark's `_SUCCESS`."""


class DatasetOptions(NamedTuple):
    """The options that determine a data set."""

    players: tuple[str, ...]
    """Registry names; seat s of partie n has player (s + n) mod their number."""
    rules: str = "classic"
    seed: str = "0"
    parties: int = 1_000


class DecisionColumns(NamedTuple):
    """The columns of a shard: decisions in the order they were made, one per row."""

    partie: Any
    """int32: the partie's number."""
    seat: Any
    """int8: the seat that decided."""
    player: Any
    """int8: index of that seat's player."""
    observation: Any
    """uint8[n, size]: what that seat knew, by `chouine.envs.encode`."""
    action_mask: Any
    """int8[n, 52]: its legal actions."""
    action: Any
    """int8: the action chosen; a declaration and its card are two decisions."""
    reward: Any
    """float32: the seat's reward for the partie: 1, 0 for a nulle, or its share of the loss (§12)."""


Row = tuple[int, int, int, Observation, Mask, int]


def play(making: DatasetOptions, number: int) -> tuple[Record, list[Row], list[float]]:
    """Play partie `number`: its record, its decisions (all columns but the last), and each seat's reward."""
    rules = Rules.parse(making.rules)
    deal, places = deal_partie(making, rules, number)
    wanted = [
        Wanted(making.players[place], seed_of(f"{making.seed}:{number}:{seat}"), None)
        for seat, place in enumerate(places)
    ]
    partie, rows = NumberedPartie(rules, deal), list[Row]()
    with seat_players(wanted, rules) as players:
        while partie.deciding >= 0:
            seat = partie.deciding
            for action in numbers_of(players[seat].act(partie.view(seat))):
                seen, mask = partie.observation(seat), mask_of(partie.actions)
                partie.act(action)
                rows.append((number, seat, places[seat], seen, mask, action))
    record = Record.of(partie.state, tags(making, places, number))
    return record, rows, rewards_of(rules.seats, partie.winner)


def deal_partie(making: DatasetOptions, rules: Rules, number: int) -> tuple[Deal, list[int]]:
    """The deal of partie `number`, and the index of each seat's player."""
    deal = Deal.random(rules, number % rules.seats, Random(f"{making.seed}:{number}"))
    return deal, [(seat + number) % len(making.players) for seat in range(rules.seats)]


def tags(making: DatasetOptions, places: Sequence[int], number: int) -> dict[str, str]:
    """Tags of a partie's record."""
    return {"Players": "; ".join(making.players[place] for place in places), "Partie": str(number)}


def decisions(parties: Sequence[tuple[Record, list[Row], list[float]]]) -> DecisionColumns:
    """The decisions of these parties as columns."""
    rows = [(*row, rewards[row[1]]) for _, taken, rewards in parties for row in taken]
    types = np.int32, np.int8, np.int8, np.uint8, np.int8, np.int8, np.float32
    return DecisionColumns(*map(np.array, zip(*rows, strict=True), types))


def shard_of(making: DatasetOptions, numbers: range) -> tuple[list[Record], DecisionColumns]:
    """Records and decisions of these parties, by compiled code if all players are compiled and deterministic."""
    rules = Rules.parse(making.rules)
    rivals = deterministic_rivals(making.players, rules)
    if not rivals:
        parties = [play(making, number) for number in numbers]
        return [record for record, _, _ in parties], decisions(parties)
    deals, places = zip(*(deal_partie(making, rules, number) for number in numbers), strict=True)
    decided, ends = play_all(rules, rivals, deals, places)
    records, first, rule_table = list[Record](), 0, rule_table_of(rules)
    partie, reward = np.zeros(len(decided.seat), np.int32), np.zeros(len(decided.seat), np.float32)
    for number, deal, seats, (last, p) in zip(numbers, deals, places, ends, strict=True):
        result, rows = Result.of_position(rules, rule_table, p), slice(first, last)
        partie[rows] = number
        reward[rows] = np.array(rewards_of(rules.seats, result.winner))[decided.seat[rows]]
        records.append(
            Record.of_result(
                rules,
                deal,
                acts_of_numbers(decided.action[rows].tolist()),
                result,
                tags(making, seats, number),
            )
        )
        first = last
    player = (decided.seat + partie) % len(making.players)
    columns = (
        partie,
        decided.seat,
        player.astype(np.int8),
        decided.numbers,
        decided.masks,
        decided.action,
        reward,
    )
    return records, DecisionColumns(*columns)


class Shard(NamedTuple):
    """A shard to make: a task's item."""

    folder: Path
    making: DatasetOptions
    kind: Format
    number: int

    def __str__(self) -> str:
        return self.name

    @property
    def name(self) -> str:
        """The file of its decisions, in the data set's folder."""
        return f"{DATA}/decisions-{self.number:05}.{self.kind}"

    @property
    def records(self) -> Path:
        """The file of its records until they are in `_parties.cgn`."""
        return self.folder / DATA / f"parties-{self.number:05}.part"


class ShardNote(NamedTuple):
    """What is noted of a shard."""

    decisions: int
    sha256: str
    records: int = 0
    """Bytes of `_parties.cgn` with this shard's."""


def write_shard(shard: Shard) -> ShardNote:
    """Play a shard's parties and write its files: whoever computes it writes it, and only a note goes to the head."""
    first = shard.number * SHARD
    played, rows = shard_of(shard.making, range(first, min(first + SHARD, shard.making.parties)))
    shard.records.write_text("".join(f"{record}\n\n" for record in played), encoding="utf-8", newline="\n")
    path = shard.folder / shard.name
    partial = path.with_suffix(".part")
    with partial.open("wb") as file:
        KEEPERS[shard.kind]()(file, rows)
    partial.replace(path)
    return ShardNote(len(rows.action), digest_of(path))


def write(
    folder: Path,
    making: DatasetOptions,
    kind: Format = "npz",
    crew: Crew = in_this_process,
    tell: Callable[[int], object] = lambda _done: None,
) -> dict[str, Any]:
    """Play and write a data set, or continue an interrupted one. Returns the content of `_dataset.json`.

    `tell` is called with the number of shards done. A crew on other machines must reach the folder by the same path.
    Raises `ChouineError` if the folder holds anything else, or has lost a part of what was written.
    """
    KEEPERS[kind]()  # raises if it cannot write
    origin = {"chouine": __version__, **making._asdict(), "players": list(making.players), "format": kind}
    log, notes = begin(folder, origin)
    (folder / DATA).mkdir(exist_ok=True)
    shards = [Shard(folder, making, kind, number) for number in range(-(-making.parties // SHARD))]
    written = notes[-1].records if notes else 0
    check_written(folder, shards[: len(notes)], written)
    left = shards[len(notes) :]
    for shard, note in zip(left, crew(write_shard, left), strict=True):
        with (folder / RECORDS).open("ab") as records, shard.records.open("rb") as played:
            records.truncate(written)
            copyfileobj(played, records)
            records.flush()
            os.fsync(records.fileno())
            written = records.tell()
        notes.append(note._replace(records=written))
        log.add(notes[-1]._asdict())
        shard.records.unlink()
        tell(len(notes))
    decisions = sum(note.decisions for note in notes)
    digests = {shard.name: note.sha256 for shard, note in zip(shards, notes, strict=True)}
    digests = {RECORDS: digest_of(folder / RECORDS)} | digests
    about = {"chouine": __version__, **making._asdict(), "decisions": decisions, "sha256": digests}
    (folder / ABOUT).write_text(json.dumps(about, indent=1) + "\n", encoding="utf-8")
    (folder / CARD).write_text(card(about), encoding="utf-8")
    for stale in (folder / DATA).glob("*.part"):
        stale.unlink()
    log.path.unlink()
    return about


def check_written(folder: Path, done: Sequence[Shard], records: int) -> None:
    """Raise `ChouineError` unless these shards are there, and so many bytes of records."""
    kept = folder / RECORDS
    lost = [folder / shard.name for shard in done if not (folder / shard.name).exists()]
    if records and (not kept.exists() or kept.stat().st_size < records):
        lost.append(kept)
    if lost:
        raise ChouineError("research/lost", file=lost[0])


def digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def begin(folder: Path, origin: dict[str, Any]) -> tuple[Log, list[ShardNote]]:
    """The log of the data set with these options in this folder, which is created; and what it notes of its shards."""
    folder.mkdir(parents=True, exist_ok=True)
    log = UnfinishedLog(folder / UNFINISHED, origin)
    if any(folder.iterdir()) and not log.path.exists():
        raise ChouineError("research/folder", folder=folder)
    return log, list(log.entries(lambda data, _number: ShardNote(**data)))


class UnfinishedLog(Log):
    """The log beside an incomplete data set: its options, and a line for each shard."""

    kind = "dataset"
    other = "research/unfinished"


Keeper = Callable[[IO[bytes], DecisionColumns], None]


def npz() -> Keeper:
    return lambda file, shard: np.savez_compressed(file, **shard._asdict())


def parquet() -> Keeper:
    """A writer of Parquet shards, in which observations and masks are lists of fixed size."""
    try:
        import pyarrow as pa
        import pyarrow.parquet
    except ModuleNotFoundError:
        raise ChouineError("research/parquet") from None

    def column(rows: Any) -> Any:
        flat = pa.array(rows.ravel())
        return flat if rows.ndim == 1 else pa.FixedSizeListArray.from_arrays(flat, rows.shape[1])

    return lambda file, shard: pa.parquet.write_table(
        pa.table({name: column(rows) for name, rows in shard._asdict().items()}), file, compression="zstd"
    )


KEEPERS: dict[Format, Callable[[], Keeper]] = {"npz": npz, "parquet": parquet}


LOADING = """
- `datasets.load_dataset("FOLDER")`
- `pandas.read_parquet("FOLDER")`, `polars.read_parquet("FOLDER/data")`
- `duckdb.sql("SELECT player, avg(reward) FROM 'FOLDER/data/*.parquet' GROUP BY player")`
"""
HEAD = """---
pretty_name: Parties of Chouine
task_categories: [reinforcement-learning]
tags: [card-game, imperfect-information]
configs:
  - config_name: default
    data_files: data/decisions-*.parquet
---
"""
"""The head by which a published set's page and `datasets.load_dataset` find the decisions among the other files."""


def card(about: dict[str, Any]) -> str:
    """The data set's README."""
    return "\n".join(sections(about)) + "\n"


def sections(about: dict[str, Any]) -> Iterator[str]:
    players = ", ".join(f"`{name}`" for name in about["players"])
    kind = "parquet" if any(name.endswith("parquet") for name in about["sha256"]) else "npz"
    words = ["--players", *about["players"], "--rules", about["rules"], "--parties", str(about["parties"])]
    again = shlex.join([*words, "--seed", about["seed"], "--format", kind])
    if kind == "parquet":
        yield HEAD
    yield f"# {about['parties']:,} parties of Chouine\n"
    yield f"Rules `{about['rules']}`, players {players}, {about['decisions']:,} decisions."
    yield f"Made by Chouine {about['chouine']}:\n\n    chouine dataset FOLDER {again}\n"
    yield "The same command plays the same parties, if the players are the same and have no clock.\n"
    yield "## Files\n\n| file | SHA-256 |\n| --- | --- |"
    yield from (f"| `{name}` | `{digest}` |" for name, digest in about["sha256"].items())
    yield f"""
`{RECORDS}` holds the records, hidden cards included: tags name the players from seat a on. `data/decisions-*` are
shards of {SHARD:,} parties each, a row a decision in the order of play. `{ABOUT}` says what this page
says, for programs. What reads the folder as one table passes over names that begin with `_`; where a set is published,
this page is called `README.md`.
{LOADING if kind == "parquet" else ""}
## Columns

| column | type | meaning |
| --- | --- | --- |
| `partie` | int32 | the partie's number, from 0: its tag `Partie` |
| `seat` | int8 | who decides |
| `player` | int8 | which of the players that is, from 0 |
| `observation` | uint8 list | what the seat knows, and nothing else; see below |
| `action_mask` | int8 list | 1 for each action that is open |
| `action` | int8 | what is done; a declaration and its card are two rows |
| `reward` | float32 | what comes of the partie for the seat: 1, 0, or what the others lose between them |

## Observation

{observation_table()}
## Actions

{action_table()}
## Use and limits

To test on parties that were not learned from, part by `partie`, not by row: its decisions belong together. Players are
programs: how people play is not in here, and how good a program is `chouine duel` tells. Deals follow from a public
seed, so do not measure on them a program that could know it."""
