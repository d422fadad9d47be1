"""§2: a deal agrees with the digest shown before its cut, and any change is detected."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chouine.cards import PACK
from chouine.errors import NotationError
from chouine.match.draw import cut
from chouine.partie.deal import SEATS, Deal
from chouine.rules.options import PRESETS, Rules
from chouine.server.verify import FIELDS, Proof, Unverifiable
from chouine.table.state import digest_of


def proof(preset: str = "classic", seed: int = 0, at: int = 13) -> Proof:
    rng, rules = Random(seed), Rules.of_preset(preset)
    pack = list(PACK)
    rng.shuffle(pack)
    text, nonce = "".join(map(str, pack)), f"{rng.getrandbits(256):064x}"
    deal = Deal.from_pack(rules, rng.randrange(rules.seats), cut(pack, at))
    return Proof(rules, text, nonce, digest_of(text, nonce), at, str(deal))


@given(st.sampled_from(sorted(PRESETS)), st.integers(0, 9999), st.integers(4, 28))
def test_2_an_honest_deal_agrees(preset: str, seed: int, at: int) -> None:
    """§2: an unchanged proof has no faults."""
    honest = proof(preset, seed, at)
    assert honest.faults == ()
    assert Proof.of_data(honest.to_data()) == honest


def test_2_the_digest_is_sha_256_of_pack_then_nonce() -> None:
    """§2: the well-known digest of "abc"."""
    known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert digest_of("a", "bc") == digest_of("ab", "c") == known


@given(st.integers(0, 9999), st.integers(0, 31), st.integers(0, 31))
def test_2_two_cards_swapped_are_found(seed: int, one: int, other: int) -> None:
    """§2: a pack with two cards swapped does not match its digest."""
    honest = proof(seed=seed)
    cards = [honest.pack[place : place + 2] for place in range(0, 64, 2)]
    cards[one], cards[other] = cards[other], cards[one]
    moved = replace(honest, pack="".join(cards))
    assert moved.faults == (("verify/digest",) if one != other else ())


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"nonce": "0"}, "verify/digest"),
        ({"digest": "0" * 64}, "verify/digest"),
        ({"cut": 14}, "verify/deal"),
        ({"cut": 3}, "verify/void-cut"),
        ({"cut": 29}, "verify/void-cut"),
        ({"deal": "b nonsense"}, "verify/deal"),
        ({"deal": ""}, "verify/deal"),
        ({"deal": "d " + "x"}, "verify/deal"),
        ({"rules": Rules.of_preset("three")}, "verify/deal"),
    ],
)
def test_2_what_was_changed_is_named(changes: dict[str, object], code: str) -> None:
    """§2, §3: each change is reported with its code."""
    assert replace(proof(), **changes).faults == (code,)  # type: ignore[arg-type]


@pytest.mark.parametrize("pack", ["", "As", "AsAs" * 16, "zz" * 32, "A" * 63])
def test_1_what_is_no_pack_is_refused(pack: str) -> None:
    """§1: an invalid pack is refused."""
    honest = proof()
    assert replace(honest, pack=pack, digest=digest_of(pack, honest.nonce)).faults == ("verify/pack",)


def test_3_the_other_dealer_is_found() -> None:
    """§3: a wrong dealer is detected."""
    honest = proof()
    other = SEATS[1 - SEATS.index(honest.deal[0])] + honest.deal[1:]
    assert replace(honest, deal=other).faults == ("verify/deal",)


@pytest.mark.parametrize("name", FIELDS)
def test_every_piece_is_needed(name: str) -> None:
    data = {field: value for field, value in proof().to_data().items() if field != name}
    with pytest.raises(Unverifiable) as caught:
        Proof.of_data(data)
    assert caught.value.code == "verify/missing"
    assert name in str(caught.value)


@pytest.mark.parametrize("text", ["", "x", "-4", "4.0", "111", "²"])
def test_the_cut_is_a_number(text: str) -> None:
    with pytest.raises(Unverifiable) as caught:
        Proof.of_data({**proof().to_data(), "cut": text})
    assert caught.value.code == "verify/cut-number"


def test_rules_that_cannot_be_read() -> None:
    with pytest.raises(NotationError):
        Proof.of_data({**proof().to_data(), "rules": "belote"})
