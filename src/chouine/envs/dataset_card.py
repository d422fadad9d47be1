"""The README of a data set: its files, columns, observations and actions."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any

from chouine.envs.encode import action_table, observation_table

SHARD = 1_000
"""Parties per file of decisions."""
RECORDS, CARD, ABOUT, UNFINISHED = "_parties.cgn", "_README.md", "_dataset.json", "_unfinished.jsonl"
"""The files beside the decisions: what reads a folder of Parquet passes over such names, as over Spark's `_SUCCESS`."""
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
