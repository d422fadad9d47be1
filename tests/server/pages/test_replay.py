"""A finished partie face up: each trick at its own address, the count, and the deal's verification."""

from __future__ import annotations

import re
import shlex
from itertools import pairwise

import pytest

from chouine.cards import ALL_CARDS, Card, CardSet
from chouine.cli import main
from chouine.notation.display import Narrator
from chouine.partie import AuSept, Declared, Exchanged, TrumpFixed
from chouine.server.pages.replay import beyond_cards, command, replay_page, trick_history
from chouine.server.pages.visit import Visit
from chouine.server.pages.words import words_of
from chouine.server.records import proof_of
from chouine.table import Phase, TableState, commands
from chouine.table.count import tally_of
from tests.server.pages.matches import Table, play_match
from tests.server.pages.reading import Page

VISIT = Visit("fr", "a-token", "guest-1", "Charles")
SPOKEN = (AuSept, Exchanged, Declared, TrumpFixed)
PRESETS = ("classic", "three", "four", "mondoubleau", "mondoubleau-three", "mondoubleau-four")


def concede_after(after: int) -> TableState:
    """A match whose first partie is conceded after so many acts."""
    table = Table(seed=11)
    table.play_to(Phase.PLAY)
    for _ in range(after):
        table.step()
    table.do(commands.Concede(0))
    return table.table


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seed", range(4))
def test_5_moments_follow_the_cards(preset: str, seed: int) -> None:
    """§5: in each trick every seat plays from the hand shown, and its draw is in the next hand shown."""
    state = play_match(preset, "1x1", seed).played[0].state
    moments = trick_history(state)
    assert moments[0].hands == state.deal.hands
    assert [event for moment in moments for event in moment.events] == list(state.events[1:])
    for moment, following in pairwise(moments[1:]):
        for seat in range(state.rules.seats):
            (laid,) = [event.card for event in moment.laid if event.seat == seat]
            drawn = [event.card for event in moment.drawn if event.seat == seat and event.card is not None]
            assert laid in moment.hands[seat]
            held = moment.hands[seat] - CardSet([laid]) | CardSet(drawn)
            for exchange in following.events_of(Exchanged):
                if exchange.seat == seat:
                    held = held - CardSet([Card(8 * exchange.card.suit)]) | CardSet([exchange.card])
            assert held == following.hands[seat]
        assert moment.after == following.before
    assert state.result is not None
    assert moments[-1].after == state.result.points


@pytest.mark.parametrize("preset", PRESETS)
def test_3_every_card_is_somewhere(preset: str) -> None:
    """§3: at the start hands, turnup and talon make up the whole pack."""
    moment = trick_history(play_match(preset, "1x1", 3).played[0].state)[0]
    cards = [*moment.talon, *([moment.turnup] if moment.turnup is not None else [])]
    cards += [card for hand in moment.hands for card in hand]
    assert CardSet(cards).mask == ALL_CARDS
    assert len(cards) == 32


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("seed", range(8))
def test_12_the_count_is_the_result(preset: str, seed: int) -> None:
    """§10, §12: cards, declarations and dix de der add up to each seat's points."""
    for played in play_match(preset, "3x1", seed).played:
        tally = tally_of(played.state)
        for seat, total in enumerate(tally.totals):
            der = 10 if tally.der == seat else 0
            assert tally.cards[seat] + sum(event.counts for event in tally.declared[seat]) + der == total
            assert sum(line.points[seat] for line in tally.ranks) == tally.cards[seat]


@pytest.mark.parametrize("acts", [0, 1, 2, 3, 4])
def test_16_a_partie_broken_off(acts: int) -> None:
    """§16: an unfinished trick is a moment too, and the count gives the points at that moment."""
    room = concede_after(acts)
    state = room.played[0].state
    moments = trick_history(state)
    assert sum(len(moment.laid) for moment in moments) == sum(
        len(moment.laid) for moment in moments if moment.taken
    ) + len(moments[-1].laid) * (moments[-1].taken is None)
    assert state.result is not None
    assert tally_of(state).totals == state.result.points
    for trick in range(len(moments) + 1):
        Page(replay_page(VISIT, "g", room, 1, trick))


def test_each_moment_has_its_address() -> None:
    room = play_match(seed=1)
    last = len(trick_history(room.played[0].state))
    for trick in range(last + 1):
        page = Page(replay_page(VISIT, "g", room, 1, trick))
        steps = re.findall(r'href="/match/g/1\?trick=(\d+)#board" rel="(\w+)"', page.html)
        there = {rel: int(to) for to, rel in steps}
        assert there.get("prev", 0) == max(trick - 1, 0)
        assert there.get("next", last) == min(trick + 1, last)
        jumps = {link for link in page.links if "trick=" in link}
        assert {f"/match/g/1?trick={to}#board" for to in range(last + 1)} <= jumps
        assert page.html.count('aria-current="page"') == 1


@pytest.mark.parametrize(
    ("rules", "kinds"),
    [
        ("classic", {Exchanged, Declared}),
        ("mondoubleau", {Declared, TrumpFixed}),
        ("three", {AuSept, Exchanged, Declared}),
    ],
)
def test_what_was_said_is_told_at_its_trick(rules: str, kinds: set[type]) -> None:
    """§9, §11, §17: "au sept", exchanges, declarations with their points, and the trump they fix."""
    words, names = words_of(VISIT), ("Jean", "Charles", "Marthe")
    narrator = Narrator(names, None, VISIT.language)
    seen: set[type] = set()
    for state in (play_match(rules, "1x1", seed).played[0].state for seed in range(12)):
        for moment in trick_history(state):
            events = [event for event in moment.events if isinstance(event, SPOKEN)]
            seen |= set(map(type, events))
            for sentence, event in zip(beyond_cards(narrator, moment), events, strict=True):
                if isinstance(event, Declared):
                    assert sentence.startswith(names[event.seat])
                    assert words.declaration_said(event.declaration) in sentence
                    assert (f"{event.counts}\N{NO-BREAK SPACE}points" in sentence) == bool(event.counts)
                if isinstance(event, Exchanged):
                    assert words.the(event.card) in sentence
    assert kinds <= seen


def test_addresses_beyond_the_last_show_the_count() -> None:
    room = play_match(seed=1)
    count = replay_page(VISIT, "g", room, 1, 10_000)
    assert "Dix de der" in count
    assert replay_page(VISIT, "g", room, 1, -4) == replay_page(VISIT, "g", room, 1, 0)


def test_whoever_played_is_spoken_to() -> None:
    """The page says "vous" for one's own seat and names the others; spectators see names only."""
    room = next(
        room for room in map(play_match, ["classic"] * 9, ["1x1"] * 9, range(9)) if room.match.winner == 1
    )
    tricks = len(trick_history(room.played[0].state))
    own = [replay_page(VISIT, "g", room, 1, trick) for trick in range(tricks + 1)]
    assert all("Charles" not in page.replace('value="Charles"', "") for page in own)
    assert "Vous gagnez" in own[-1]
    assert any("Vous prenez" in page for page in own)
    looked_at = replay_page(Visit("fr", "t", "somebody"), "g", room, 1, tricks)
    assert "Vous" not in Page(looked_at).text
    assert "Charles gagne" in looked_at


def declared_in(room: TableState) -> list[Declared]:
    return [event for event in room.played[0].state.events if isinstance(event, Declared)]


def test_declarations_are_marked_beside_their_cards() -> None:
    """§9: declarations and their points are marked in the list of tricks and on the trick itself."""
    rooms = (play_match("classic", "1x1", seed) for seed in range(9))
    room = next(room for room in rooms if declared_in(room))
    state, declared = room.played[0].state, declared_in(room)
    page = replay_page(VISIT, "g", room, 1, 0)
    marks = re.findall(r'<span class="badge"><span class="unseen">([^<]+), </span>([^<]+)</span>', page)
    words = words_of(VISIT)
    assert marks == [(words.declaration(event.declaration), f"+{event.counts}") for event in declared]
    trick = next(moment.trick for moment in trick_history(state) if moment.events_of(Declared))
    laid = replay_page(VISIT, "g", room, 1, trick).partition('class="laid"')[2]
    assert marks[0][1] in laid.partition("</ol>")[0]


def test_one_s_own_hand_lies_at_the_bottom() -> None:
    html = replay_page(VISIT, "g", play_match("three", "1x1", 1), 1, 0)
    assert re.findall(r'<ul class="hand" aria-label="([\w ]+)"', html)[-1] == "Votre main"


def test_nothing_of_another_partie() -> None:
    """§14: a finished partie's page does not change with the next deal."""
    table = Table(seed=3)
    table.play_to(Phase.COUNT)
    before = replay_page(VISIT, "g", table.table, 1, 4)
    table.play_to(Phase.PLAY)
    assert replay_page(VISIT, "g", table.table, 1, 4) == before


def test_the_command_shown_verifies_the_deal(capsys: pytest.CaptureFixture[str]) -> None:
    """§2: the verification command on the page succeeds."""
    room = play_match("four", "1x1", 5)
    proof = proof_of(room.played[0])
    assert proof is not None
    program, *arguments = shlex.split(command(proof))
    assert program == "chouine"
    assert main(arguments) == 0
    assert proof.digest in capsys.readouterr().out
    html = replay_page(VISIT, "g", room, 1, 0)
    assert f'data-digest="{proof.digest}"' in html


def test_a_deal_played_again_has_nothing_to_verify() -> None:
    first = play_match("classic", "1x1", 5).played[0].state.deal
    table = Table("classic", "1x1", seed=9, deal=str(first))
    room = table.play_to(Phase.OVER)
    assert room.played[0].state.deal == first
    html = replay_page(VISIT, "g", room, 1, 0)
    assert "On a rejoué ici une donne" in html
    assert "data-digest" not in html


def test_playing_the_deal_again() -> None:
    form = Page(replay_page(VISIT, "g", play_match(seed=1), 2, 0)).form("/match/g/2/again")
    assert (form.method, form.sent, form.offered) == ("post", {"csrf": "a-token"}, {"swap": ["1"]})
