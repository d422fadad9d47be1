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
from collections.abc import Callable, Sequence
from contextlib import closing
from hashlib import file_digest
from pathlib import Path, PurePath
from random import Random
from shutil import copyfileobj
from typing import IO, Any, Literal, NamedTuple

from chouine import __version__
from chouine.arena.pairs import Wanted, seat_players, seed_of
from chouine.envs import MissingPackage
from chouine.errors import ChouineError, check_each, check_type, int_of
from chouine.files import TEMPORARY, write_whole, writing
from chouine.folders import make_folder
from chouine.jobs import Crew, Log, in_this_process
from chouine.notation.lines import partie_line
from chouine.notation.records import Record
from chouine.partie.deal import Deal
from chouine.partie.result import Result
from chouine.plaintext import repr_of
from chouine.players.process import EngineFault
from chouine.registry import displayed_name
from chouine.rules.options import Rules
from chouine.rules.rule_table import rule_table_of

try:
    import numpy as np

    from chouine.envs.dataset_card import ABOUT, CARD, RECORDS, SHARD, UNFINISHED, card
    from chouine.envs.deterministic import deterministic_rivals, play_all
    from chouine.envs.encode import Mask, Observation, mask_of, rewards_of
    from chouine.envs.numbered_partie import NumberedPartie, acts_of_numbers, numbers_of, rules_of
except ModuleNotFoundError as error:
    raise MissingPackage(error, "fast") from error

Format = Literal["npz", "parquet"]
MOST = 2**31
"""More parties than a data set can have: their numbers are int32."""
DATA = "data"
"""The folder of the decisions."""


class DatasetOptions(NamedTuple):
    """The options that determine a data set."""

    players: tuple[str, ...]
    """Registry names; seat s of partie n has player (s + n) mod their number."""
    rules: Rules | str = "classic"
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
    rules = rules_of(making.rules)
    deal, places = deal_partie(making, rules, number)
    wanted = [
        Wanted(making.players[place], seed_of(f"{making.seed}:{number}:{seat}"), None)
        for seat, place in enumerate(places)
    ]
    partie, rows = NumberedPartie(rules, deal), list[Row]()
    with seat_players(wanted, rules) as players:
        while partie.deciding >= 0:
            seat = partie.deciding
            view = partie.view(seat)
            try:
                act = players[seat].act(view)
            except EngineFault as fault:
                fault.add_note(partie_line(view))
                raise
            for action in numbers_of(act):
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
    rules = rules_of(making.rules)
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
    write_whole(shard.records, "".join(f"{record}\n\n" for record in played))
    path = shard.folder / shard.name
    with writing(path) as file:
        KEEPERS[shard.kind]()(file, rows)
    return ShardNote(len(rows.action), digest_of(path))


def check_options(making: DatasetOptions, kind: Format) -> None:
    """Raise unless such a data set can be made, before anything is written. A program is started to see."""
    check_type("making", making, DatasetOptions, "DatasetOptions, such as DatasetOptions(('net', 'greedy'))")
    check_each(
        "players", making.players, str, "a tuple of names of player_names(), such as ('net', 'greedy')"
    )
    check_type("seed", making.seed, str, "a text")
    if not making.players or not 0 < int_of("parties", making.parties, "a number of parties") < MOST:
        raise ValueError(
            f"players are at least one, and parties 1 to {MOST - 1}, not {making.players} and {making.parties}"
        )
    if kind not in [*KEEPERS]:
        raise ValueError(f"a data set's format is one of {', '.join(KEEPERS)}, not {repr_of(kind)}")
    rules = rules_of(making.rules)
    for player in making.players:
        displayed_name(player, rules)
    KEEPERS[kind]()  # raises if it cannot write


def write(
    folder: Path | str,
    making: DatasetOptions,
    kind: Format = "npz",
    crew: Crew = in_this_process,
    tell: Callable[[int], object] = lambda _done: None,
) -> dict[str, Any]:
    """Play and write a data set, or continue an interrupted one. Returns the content of `_dataset.json`.

    `tell` is called with the number of shards done. A crew on other machines must reach the folder by the same path.
    Raises `ChouineError` if the folder holds anything else, or has lost a part of what was written.
    """
    check_type("folder", folder, (str, PurePath), "a folder's name")
    check_options(making, kind)
    making = making._replace(rules=str(making.rules), parties=int(making.parties))
    folder = Path(folder)
    origin = {"chouine": __version__, **making._asdict(), "players": list(making.players), "format": kind}
    shards = [Shard(folder, making, kind, number) for number in range(-(-making.parties // SHARD))]
    with closing(begin(folder, origin)) as log:
        notes = write_left(folder, shards, log, crew, tell)
    decisions = sum(note.decisions for note in notes)
    digests = {shard.name: note.sha256 for shard, note in zip(shards, notes, strict=True)}
    digests = {RECORDS: digest_of(folder / RECORDS)} | digests
    about = {"chouine": __version__, **making._asdict(), "decisions": decisions, "sha256": digests}
    write_whole(folder / ABOUT, json.dumps(about, indent=1) + "\n")
    write_whole(folder / CARD, card(about))
    for pattern in ("parties-*.part", TEMPORARY.format("*")):
        for stale in (folder / DATA).glob(pattern):
            stale.unlink()
    log.path.unlink()
    return about


def write_left(
    folder: Path, shards: Sequence[Shard], log: Log, crew: Crew, tell: Callable[[int], object]
) -> list[ShardNote]:
    """Write the shards that are not in the log; returns the notes of all."""
    notes = list(log.entries(lambda data, _number: ShardNote(**data)))
    (folder / DATA).mkdir(exist_ok=True)
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
    return notes


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


def begin(folder: Path, origin: dict[str, Any]) -> Log:
    """The log of the data set with these options in this folder, which is created."""
    make_folder(folder)
    log = UnfinishedLog(folder / UNFINISHED, origin)
    if any(folder.iterdir()) and not log.path.exists():
        raise ChouineError("research/folder", folder=folder)
    return log


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
