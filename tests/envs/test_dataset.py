"""Data sets: their decisions match their records, and their card documents every column."""

from __future__ import annotations

import json
import shlex
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import IO

import numpy as np
import pyarrow.parquet
import pytest

from chouine.cli import main
from chouine.envs import dataset
from chouine.envs.dataset import DatasetOptions, DecisionColumns, Format, decisions, play, shard_of, write
from chouine.envs.deterministic import deterministic_rivals
from chouine.envs.encode import encode, mask_of
from chouine.envs.numbered_partie import NumberedPartie
from chouine.errors import ChouineError
from chouine.fast import AVAILABLE
from chouine.notation import Record, read_records
from chouine.partie.deal import Deal
from chouine.rules import Rules

MAKING = DatasetOptions(("greedy", "random"), "three", "seven", 4)


def shard(folder: Path, kind: Format) -> DecisionColumns:
    (path,) = folder.glob("data/decisions-*")
    if kind == "npz":
        with np.load(path) as kept:
            return DecisionColumns(**kept)
    table = pyarrow.parquet.read_table(path)
    return DecisionColumns(*(np.array(table[name].to_pylist()) for name in DecisionColumns._fields))


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_what_is_no_folder_s_name_is_refused() -> None:
    with pytest.raises(TypeError, match="folder is a folder's name, not None"):
        write(None, MAKING)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["npz", "parquet"])
def test_decisions_replay_to_the_records(tmp_path: Path, kind: Format) -> None:
    """§14: Observations equal the seat's view; actions, masks and rewards equal the partie's."""
    told = write(tmp_path / "set", MAKING, kind)
    rows = shard(tmp_path / "set", kind)
    records = list(read_records((tmp_path / "set" / "_parties.cgn").read_text()))
    assert len(records) == MAKING.parties
    assert told["decisions"] == len(rows.action)
    for number, record in enumerate(records):
        assert isinstance(record, Record)
        assert record.tag("Players") == (
            "greedy; random; greedy" if number % 2 == 0 else "random; greedy; random"
        )
        deal = record.deal
        partie = NumberedPartie(
            record.rules,
            Deal(deal.dealer, tuple(hand.known for hand in deal.hands), deal.turnup,
                 tuple(card for card in deal.talon if card is not None)),
        )  # fmt: skip
        for row in np.flatnonzero(rows.partie == number):
            assert rows.seat[row] == partie.deciding
            assert rows.player[row] == (partie.deciding + number) % 2
            assert (rows.action_mask[row] == mask_of(partie.actions)).all()
            if partie.p.pending < 0:
                assert (rows.observation[row] == encode(partie.view(partie.deciding))).all()
            won = record.result.winner
            assert rows.reward[row] == (0 if won is None else 1 if won == rows.seat[row] else -0.5)
            partie.act(int(rows.action[row]))
        assert partie.state.result == record.result


def test_it_is_made_again_by_the_command_on_its_card(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = write(tmp_path / "one", MAKING)
    card = (tmp_path / "one" / "_README.md").read_text()
    (command,) = (line for line in card.splitlines() if line.startswith("    chouine dataset"))
    words = shlex.split(command)[2:]
    assert main(["dataset", str(tmp_path / "two"), *words[1:]]) == 0
    assert f": parties 4, decisions {made['decisions']}" in capsys.readouterr().out
    again = json.loads((tmp_path / "two" / "_dataset.json").read_text())
    records = (tmp_path / "two" / "_parties.cgn").read_bytes()
    assert again["sha256"]["_parties.cgn"] == made["sha256"]["_parties.cgn"] == sha256(records).hexdigest()
    for one, other in zip(shard(tmp_path / "one", "npz"), shard(tmp_path / "two", "npz"), strict=True):
        assert (one == other).all()


def test_interrupted_it_continues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After an interruption the same command gives identical files; another command refuses the folder."""
    monkeypatch.setattr(dataset, "SHARD", 1)
    making, keep = MAKING._replace(parties=3), dataset.KEEPERS["npz"]()
    whole = write(tmp_path / "whole", making)

    def stopped_at(shard: int) -> dataset.Keeper:
        def keep_or_stop(file: IO[bytes], rows: DecisionColumns) -> None:
            if rows.partie[0] == shard:
                file.write(b"half")
                raise KeyboardInterrupt
            keep(file, rows)

        return keep_or_stop

    folder = tmp_path / "set"
    for shard in (1, 2):
        with monkeypatch.context() as patch:
            patch.setitem(dataset.KEEPERS, "npz", partial(stopped_at, shard))
            with pytest.raises(KeyboardInterrupt):
                write(folder, making)
        with pytest.raises(ChouineError, match="the beginning of another"):
            write(folder, making._replace(seed="eight"))
    assert write(folder, making) == whole
    assert contents(folder) == contents(tmp_path / "whole")
    with pytest.raises(ChouineError, match="is not empty"):
        write(folder, making)


@pytest.mark.parametrize("lost", ["_parties.cgn", "data/decisions-*"])
def test_it_does_not_go_on_from_what_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lost: str
) -> None:
    monkeypatch.setattr(dataset, "SHARD", 2)

    def stop(done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write(tmp_path, MAKING, tell=stop)
    (file,) = tmp_path.glob(lost)
    file.unlink()
    before = contents(tmp_path)
    with pytest.raises(ChouineError, match=f"{file} is missing"):
        write(tmp_path, MAKING)
    assert contents(tmp_path) == before


def test_the_head_of_its_card_names_the_decisions_alone(tmp_path: Path) -> None:
    """Programs that read a folder by its card find the shards, not the records; so does the line it shows."""
    folder = tmp_path / "set"
    write(folder, MAKING, "parquet")
    _, head, card = (folder / "_README.md").read_text().split("---\n", 2)
    files = head.partition("data_files: ")[2].split()[0]
    found = sorted(folder.glob(files))
    assert [path.name for path in found] == ["decisions-00000.parquet"]
    assert '`pandas.read_parquet("FOLDER")`' in card
    assert set(pyarrow.parquet.ParquetDataset(folder).files) == {str(path) for path in found}
    assert pyarrow.parquet.read_table(folder).num_rows == pyarrow.parquet.read_table(found).num_rows > 0


def test_its_card_documents_every_column(tmp_path: Path) -> None:
    write(tmp_path, MAKING._replace(parties=1))
    card = (tmp_path / "_README.md").read_text()
    assert all(f"| `{name}` |" in card for name in DecisionColumns._fields)


def test_what_is_there_is_not_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "kept").touch()
    with pytest.raises(ChouineError, match="is not empty"):
        write(tmp_path, MAKING)
    assert main(["dataset", str(tmp_path)]) == 2
    assert "is not empty" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    new = tmp_path / "new"
    for wrong in (["--players", "nobody"], ["--rules", "none"], ["--players", "pipe:/no/such/engine"]):
        assert main(["dataset", str(new), *wrong]) == 2
        assert wrong[1].removeprefix("pipe:") in capsys.readouterr().err
        assert not new.exists()
    assert main(["dataset", str(new), "--parties", "1"]) == 0


@pytest.mark.skipif(not AVAILABLE, reason="compiled players need numba")
@pytest.mark.parametrize("rules", ["classic", "three", "mondoubleau"])
def test_compiled_players_make_the_set_that_their_players_make(rules: str) -> None:
    making = DatasetOptions(("net", "greedy", "heuristic"), rules, "nine", 12)
    assert deterministic_rivals(making.players, Rules.parse(rules))
    records, told = shard_of(making, range(2, 12))
    parties = [play(making, number) for number in range(2, 12)]
    assert list(map(str, records)) == [str(record) for record, _, _ in parties]
    for one, other in zip(told, decisions(parties), strict=True):
        assert one.dtype == other.dtype
        assert (one == other).all()


def test_random_players_are_called_themselves() -> None:
    assert not deterministic_rivals(("net", "random"), Rules())
    assert not deterministic_rivals(("level:3",), Rules())
    assert not deterministic_rivals(("python:module:Player",), Rules())


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("raise KeyError('x')", "Faulty ended with an error, KeyError: 'x'"),
        ("return 'As'", "Faulty answered 'As', which is no act"),
        ("return Play(Card('As'))", "Faulty played As, which is not legal"),
    ],
)
def test_a_class_at_fault_is_told_with_what_it_was_asked(
    answer: str,
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    name = f"faulty_{abs(hash(answer))}"
    head = "from chouine import Card, Play\n\n\nclass Faulty:\n    def act(self, view):\n"
    Path(f"{name}.py").write_text(f"{head}        {answer}\n", encoding="utf-8")
    assert (
        main(["dataset", "set", "--players", f"python:{name}:Faulty", "--parties", "9", "--workers", "1"])
        == 2
    )
    (told,) = capsys.readouterr().err.splitlines()
    assert said in told
    assert "classic a " in told or "classic b " in told
    call = [
        "play",
        "--save",
        "match",
        "--seat",
        f"a=python:{name}:Faulty",
        "--seat",
        "b=random",
        "--format",
        "1x1",
    ]
    assert main([*call, "--language", "en"]) == 1
    assert said in capsys.readouterr().err.splitlines()[-1]
