"""Parsing entries, and formatting cards and counts."""

from __future__ import annotations

import io

import pytest

from chouine.cards import Card
from chouine.cli.terminal.console import Console
from chouine.cli.terminal.conversation import read_entry
from chouine.cli.terminal.session import Asks
from chouine.cli.texts import NEAREST
from chouine.errors import ChouineError
from chouine.partie import Declaration, Play
from chouine.table.count import counts_of
from tests.cli.terminal.tables import moves, table

HAND = [Card(name) for name in ("Kd", "Qd", "Qs", "Ks", "7d")]
LEGAL = [Play(Card(card), Declaration(said)) for card, said in (("Qd", "20d"), ("Qs", "20s"), ("Qs", "50"))]


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("1", "Kd"),
        ("2+", "Qd+20d"),
        ("qd+20D", "Qd+20d"),
        ("D♦", "Qd"),
        ("R♠ + 20♠", "Ks+20s"),
        ("7", "7x"),
        ("7X", "7x"),
        ("10h", "Th"),
        ("10H", "Th"),
    ],
)
def test_an_entry_is_read(text: str, token: str) -> None:
    assert str(read_entry(text, HAND, LEGAL)) == token


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("6", "no-such-number"),
        ("0", "no-such-number"),
        ("9999999999", "no-such-number"),
        ("", "not-understood"),
        ("Zz", "not-understood"),
        ("Qd+99", "not-understood"),
        ("5+", "nothing-to-declare"),
        ("3+", "which-declaration"),
        ("²", "not-understood"),
    ],
)
def test_an_invalid_entry_is_an_error(text: str, code: str) -> None:
    with pytest.raises(ChouineError) as caught:
        read_entry(text, HAND, LEGAL)
    assert caught.value.code == f"terminal/{code}"
    assert str(caught.value)


def test_the_short_count_is_brisques_declarations_and_der() -> None:
    """§12"""
    at = next(at for at in moves(table(people="", seed="5")) if at.asked.what is Asks.COUNT)
    plain = 120 - 36 + 10 + sum(at.partie.position.declared)
    assert sum(count.short for count in counts_of(at.partie)) == plain


def test_without_signs_or_colours_a_console_makes_do() -> None:
    plain = io.TextIOWrapper(io.BytesIO(), encoding="ascii", errors=NEAREST)
    Console(io.StringIO(), plain, {}).note(["R♥ – 10♠"])
    plain.seek(0)
    assert plain.read() == "Rh - 10s\n"
