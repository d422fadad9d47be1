"""The dialogue at the table, without a terminal."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import pairwise

import pytest

from chouine.cards import Card
from chouine.cli.terminal.computers import SeatPlayers
from chouine.cli.terminal.conversation import Conversation, Keep, Left, Notice, Page, Prompt, TableOver
from chouine.cli.terminal.page import chapter, seat_lines
from chouine.cli.terminal.session import Asks, Session
from chouine.errors import ChouineError
from chouine.notation.display import arrange, faces
from chouine.partie import AuSept, Exchange
from chouine.phrases import Language
from chouine.phrases.books import rulebook
from chouine.phrases.typography import french_print
from chouine.rules import Rules
from chouine.table import Command
from chouine.table import commands as ask
from tests.cli.terminal.tables import NAMES, legal_answers, moves, table, talk


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize(
    "rules", ["classic", "three", "four", "mondoubleau", "mondoubleau-three", "mondoubleau-four"]
)
def test_a_whole_match_is_talked_through(rules: str, language: Language) -> None:
    form = "2x2" if Rules.parse(rules).seats == 2 else "2"
    outputs = list(talk(table(rules, form, "ab"), legal_answers(), language))
    final = outputs[-1][1].table.match
    assert final.over
    ended = [output for output, _ in outputs if isinstance(output, TableOver)]
    assert [
        entry
        for entry in final.entries
        if entry in [partie.table.played[-1].state.result for partie in ended]
    ]
    shown = "\n".join(line for output, _ in outputs if isinstance(output, Page) for line in output.lines)
    assert ("Votre main" in shown) == (language == "fr")
    assert ("Your hand" in shown) == (language == "en")


@pytest.mark.parametrize("seed", ["0", "1", "2", "3"])
def test_the_winner_of_a_manche_is_told_with_the_winners_score_first(seed: str) -> None:
    """§13"""
    pages = [
        output
        for output, _ in talk(table("classic", "2", seed=seed), legal_answers())
        if isinstance(output, Page)
    ]
    (won,) = {line for page in pages for line in page.lines if "gagne la manche" in line}
    scores = re.findall(r"\d+", won.partition(",")[2])
    assert scores[0] == "2"
    assert scores[1] in ("0", "1")


@pytest.mark.parametrize("rules", ["classic", "three", "four"])
def test_a_hand_is_shown_only_to_its_owner(rules: str) -> None:
    """§14: On a shared screen a hand is shown only after its owner was called."""
    at = table(rules, "2", "abcd", seed="shared")
    front, hands = -1, 0
    for output, now in talk(at, legal_answers(3)):
        if not isinstance(output, Page | Notice) or now.table.state is None:
            continue
        text = "\n".join(output.lines)
        called = re.match(r"L’écran est à (\w+), et", text)
        if called:
            front = NAMES.index(called[1])
            assert "main" not in text
        elif "Votre main" in text:
            hands += 1
            hand = arrange(now.table.state.view(front).hand)
            assert "  " + "   ".join(f"{n} {faces([card], 'fr')}" for n, card in enumerate(hand, 1)) in text
            told = [
                line for line in text.splitlines() if line.startswith("Vous tirez") and "retourne" not in line
            ]
            assert all(faces([card for card in hand if faces([card], "fr") in line], "fr") for line in told)
    assert hands > 40


@pytest.mark.parametrize("rules", ["classic", "four"])
def test_a_seat_s_page_has_a_line_for_all_there_is_and_no_other(rules: str) -> None:
    for at in moves(table(rules, "1", "abcd")):
        if at.table.state is None:
            continue
        view = at.partie.view(0)
        own = sum(trick.seat == 0 for trick in view.tricks)
        there = {
            "Declarations: ": any(view.position.declared),
            f"Your tricks: {own}; ": own > 0,
            "Table:  ": bool(view.table),
            "Last trick:  ": bool(view.tricks and not view.table),
            "Your hand:": bool(view.hand),
        }
        lines = seat_lines(view, NAMES[: view.rules.seats], "en")
        assert {start: any(line.startswith(start) for line in lines) for start in there} == there
        assert len(lines) == 1 + sum(there.values()) + 2 * there["Your hand:"]


def test_au_sept_is_asked_whoever_holds_the_seven() -> None:
    """§11: "Au sept" is asked of every seat but the leader, so that the question reveals nothing."""
    held = {True: 0, False: 0}
    for seed in range(12):
        last: list[str] = []
        for output, now in talk(table("three", "1", "abc", str(seed)), legal_answers(seed)):
            if isinstance(output, Prompt):
                last.append(output.text)
            if isinstance(output, Prompt) and now.asked.what is Asks.SEVEN and "7" in output.text:
                assert isinstance(now.partie.events[-1], AuSept)
                assert output.text == french_print(
                    f"Au sept, {NAMES[now.asked.seat]} : 7 pour échanger, Entrée pour laisser passer :"
                )
                held[Exchange() in now.partie.legal(now.asked.seat)] += 1
    assert min(held.values()) > 0


def test_an_exchange_closes_au_sept() -> None:
    """§11"""
    for seed in range(60):
        for at in moves(table("classic", "1", "ab", str(seed)), seed):
            if at.asked.what is Asks.SEVEN and Exchange() in at.partie.legal(at.asked.seat):
                after = at.do(ask.Act(at.asked.seat, "7x"))
                assert after.asked.what is Asks.PLAY
                return
    pytest.fail("no seat off lead held the seven")


def converse(at: Session, answers: list[str], language: Language = "fr") -> list[str]:
    """The output lines for these answers, followed by `q`."""
    given = iter([*answers, "q"])
    shown: list[str] = []
    with suppress(Left):
        for output, _ in talk(at, lambda _at, _text: next(given), language):
            match output:
                case Page(lines=lines) | Notice(lines=lines):
                    shown += lines
                case Prompt(text=text):
                    shown.append(text)
                case Keep() | TableOver():
                    pass
    assert not list(given), "all was asked for"
    return shown


def playing(rules: str = "classic", people: str = "a", seed: str = "0") -> Session:
    """A table at the first turn of a person."""
    return next(
        at
        for at in moves(table(rules, "2", people, seed))
        if at.asked.what is Asks.PLAY and at.asked.seat in at.table.people
    )


def test_help_tells_what_is_legal_and_how_to_answer() -> None:
    shown = "\n".join(converse(playing(), ["?"]))
    assert french_print("Vous pouvez jouer :") in shown
    assert french_print("7 : échanger le sept d’atout") in shown


def test_a_refusal_gives_the_rule_and_help_says_it_again() -> None:
    """§5"""
    at = playing()
    not_held = next(card for card in map(Card, range(32)) if card not in at.partie.view(0).hand)
    shown = converse(at, [str(not_held), "?"])
    assert shown.count("Cette carte n’est pas dans votre main, §5.") == 2


def test_a_chapter_of_the_rules_is_read_at_the_table() -> None:
    """§8"""
    assert any(line.startswith("§8 ") for line in converse(playing(), ["?8"]))
    assert any(line.startswith("§8 ") for line in converse(playing(), ["?§8"], "en"))
    assert any("1 à 17" in line for line in converse(playing(), ["?99"]))


def test_every_chapter_can_be_read() -> None:
    for number in range(1, 18):
        assert chapter(number, "fr")[0].startswith(f"§{number} ")
        assert chapter(number, "en")[0].startswith(f"§{number} ")


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("number", range(1, 18))
def test_a_chapter_has_a_paragraph_on_a_line_and_no_markup(number: int, language: Language) -> None:
    lines = chapter(number, language)
    assert not any(set("*`|>") & set(line) or "](" in line for line in lines)
    prose = [
        line for line in lines if line and not line.startswith(("§", "-", "  ", "1", "2", "3", "4", "5"))
    ]
    assert all(after not in prose for line, after in pairwise(lines) if line in prose and after)
    words = "".join(re.findall(r"\w+", " ".join(lines)))
    assert words in "".join(re.findall(r"\w+", re.sub(r"\]\([^)]*\)", "", rulebook(language))))


def test_own_tricks_and_the_others_last_one_may_be_seen() -> None:
    """§14"""
    at = next(
        at
        for at in moves(table("classic", "1", "a", "4"))
        if at.table.state and len(at.partie.view(0).tricks) > 8 and at.asked == (Asks.PLAY, 0)
    )
    tricks = at.partie.view(0).tricks
    own = [trick for trick in tricks if trick.seat == 0]
    other = [trick for trick in tricks if trick.seat == 1]
    before = len(converse(at, []))
    assert len(converse(at, ["t"])) == before + len(own) + 1
    shown = converse(at, ["d"])[before:]
    assert len(shown) == 2
    assert faces(other[-1].cards, "fr") in shown[0]


def test_giving_up_is_confirmed() -> None:
    """§16"""
    at = playing()
    assert sum("À vous" in line for line in converse(at, ["c", ""])) == 2
    assert any("abandonnée" in line and "Charles gagne." in line for line in converse(at, ["c", "p"]))
    assert any("Charles gagne le match." in line for line in converse(at, ["c", "m"]))


def test_the_revanche_is_a_new_match_at_the_same_table() -> None:
    """§13"""
    at = playing()
    lost = at.do(ask.ForfeitMatch(at.asked.seat)).count_partie()
    shown = converse(lost, ["o"])
    assert any("quelle carte" in line for line in shown)
    assert [output for output, _ in talk(lost, lambda _at, _text: "n")]


def test_only_a_card_still_on_the_table_is_drawn() -> None:
    """§2"""
    at = table(people="ab")
    shown = converse(at, ["0", "33", "x", "5", "5", "6"])
    assert sum("de 1 à 32" in line for line in shown) == 4


def test_a_void_cut_is_made_again() -> None:
    """§2"""
    at = next(at for at in moves(table(people="ab")) if at.asked.what is Asks.CUT)
    shown = converse(at, ["3", "29", "x", "16"])
    assert sum("Coupe nulle" in line for line in shown) == 3


def test_a_program_at_fault_is_named() -> None:
    at = next(at for at in moves(table(people="a", seed="1")) if at.asked == (Asks.PLAY, 1))

    class Cheat(SeatPlayers):
        def command(self, session: Session) -> Command:
            hand = session.partie.view(1).hand
            return ask.Act(1, str(next(card for card in map(Card, range(32)) if card not in hand)))

    with pytest.raises(ChouineError) as caught:
        list(Conversation(at, Cheat(at.holders), "fr", 80).run())
    assert caught.value.code == "terminal/player-fault"
    assert "Charles" in str(caught.value)
