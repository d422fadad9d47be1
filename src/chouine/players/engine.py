"""The answering side of the engine protocol: each command line gets its answer or an error."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.metadata import version
from typing import Protocol, runtime_checkable

from chouine.cards import CardSet
from chouine.errors import ChouineError, NotationError
from chouine.notation.lines import contradicts, disclose, disclosures, read_view
from chouine.notation.tokens import (
    PASS,
    Word,
    read_action,
    read_card,
    read_seat,
    read_suits,
    read_word,
    token,
    words,
)
from chouine.partie.actions import Action
from chouine.partie.view import View
from chouine.phrases import say
from chouine.players.base import Player
from chouine.players.process import LONGEST_LINE
from chouine.rules.options import PRESETS
from chouine.rules.play import au_sept

LIMITS = ("time", "nodes")
REPEATED = 60
"""Characters of a faulty word that an error repeats."""
USED = 0.9
"""The share of the allowed time that is used for thinking; the rest is for transmission."""


@runtime_checkable
class InformingPlayer(Protocol):
    """A player with a time or worlds limit per call, and information to print."""

    def act_with_info(
        self, view: View, seconds: float | None, worlds: int | None
    ) -> tuple[Action | None, list[str]]:
        """Its act, and lines of information."""


class EngineSession:
    """One session. Its players are the levels from 1; `first`, or else the highest, answers until another is chosen."""

    def __init__(self, levels: Sequence[Player], first: int | None = None) -> None:
        self.levels = levels
        self.player = levels[-1 if first is None else first - 1]
        self.view: View | None = None
        self.lines = 0

    def answer(self, line: str) -> Iterator[str]:
        """The answer to any command but `quit`; an error begins with its line and column, from 1."""
        self.lines += 1
        try:
            yield from self.obey(line)
        except ChouineError as error:
            column = error.column if isinstance(error, NotationError) else 1
            yield f"error {error.code} {self.lines}:{column} {sentence(error)}"

    def obey(self, line: str) -> Iterator[str]:
        if len(line) > LONGEST_LINE:
            self.view = None  # the line may have been one
            raise ChouineError("engine/too-long", most=LONGEST_LINE)
        match line.strip().partition(" ")[0]:
            case "hello":
                yield from self.greeting()
            case "option":
                self.set_option(words(line)[1:])
            case "view":
                self.look(line)
            case "shown" | "exchanged" as command:
                self.disclose(command, line)
            case "trick" | "legal" as command:
                for word in words(line)[1:]:
                    read_word(read_laid if command == "trick" else read_act, word)
            case "go":
                yield from self.best(words(line)[1:])
            case "quit":
                raise wrong_word("engine/quit", words(line)[1:])
            case command:
                raise ChouineError("engine/command", token=command)

    def greeting(self) -> Iterator[str]:
        yield f"id name Chouine {version('chouine')}"
        yield "id options all"
        yield "id asks open"
        yield f"rules {' '.join(PRESETS)}"
        yield f"option level 1..{len(self.levels)}"
        yield "ready"

    def set_option(self, said: Sequence[Word]) -> None:
        if len(said) != 2 or said[0].text != "level":
            raise wrong_word("engine/option", said)
        level = number(said[1].text)
        if not 1 <= level <= len(self.levels):
            raise wrong_word("engine/level", said[1:], highest=len(self.levels))
        self.player = self.levels[level - 1]

    def look(self, line: str) -> None:
        """Read a view. An unreadable one clears the last, so that no old view is answered."""
        self.view = None
        nothing = Word("", len(line) + 1)
        _, seat, first, *_ = *words(line), nothing, nothing
        observer = read_word(read_seat, seat)
        try:
            self.view = read_view(line[first.column - 1 :].rstrip(), observer)
        except NotationError as error:
            raise error.at(1, first.column) from None

    def disclose(self, what: str, line: str) -> None:
        """Read information that a view's line cannot express. If it cannot be true, no view is left."""
        view = self.seen
        items = words(line)[1:]
        known = disclosures(view)
        try:
            if what == "shown":
                known = known._replace(shown=tuple(read_word(read_shown, word) for word in items))
            else:
                known = known._replace(exchanged=tuple(read_word(read_exchanger, word) for word in items))
            told = disclose(view, known)
        except ValueError as error:
            self.view = None
            if isinstance(error, NotationError):
                raise
            raise ChouineError("engine/disclosed", token=what) from None
        self.view = None if contradicts(told) else told
        if self.view is None:
            raise ChouineError("engine/contradicts", token=what)

    @property
    def seen(self) -> View:
        """The view last given."""
        if self.view is None:
            raise ChouineError("engine/no-view")
        return self.view

    def best(self, said: Sequence[Word]) -> Iterator[str]:
        """The player's information and its act for the last view."""
        limits = [word.text for word in said]
        if limits and (len(limits) != 2 or limits[0] not in LIMITS or number(limits[1]) < 1):
            raise wrong_word("engine/limit", said)
        view = self.seen
        if view.turn is None:
            raise ChouineError("illegal/over")
        if view.turn != view.observer and not au_sept(view.rule_table, view.position):
            raise ChouineError("illegal/not-your-turn")
        if isinstance(self.player, InformingPlayer):
            kind, most = limits or ("", "")
            seconds = int(most) / 1000 * USED if kind == "time" else None
            action, lines = self.player.act_with_info(view, seconds, int(most) if kind == "nodes" else None)
            yield from (f"info {line}" for line in lines)
        else:
            action = self.player.act(view)
        yield f"best {token(action)}"


def read_shown(text: str) -> CardSet | None:
    """Shown cards; None for `?`."""
    return None if text == "?" else read_suits(text)


def read_exchanger(text: str) -> int | None:
    """The seat that took the turnup; None for `?`."""
    return None if text == "?" else read_seat(text)


def read_laid(text: str) -> None:
    """Check a card on the table and its seat, such as `a:Qd`; the view has both."""
    seat, colon, card = text.partition(":")
    if not colon:
        raise NotationError("engine/laid", 1, 1, text)
    read_seat(seat)
    read_word(read_card, Word(card, len(seat) + 2))


def read_act(text: str) -> None:
    """Check a permitted act; the rules give them all."""
    if text != PASS:
        read_action(text)


def wrong_word(code: str, said: Sequence[Word], **data: object) -> NotationError:
    """An error at the first word of a command."""
    column = said[0].column if said else 1
    return NotationError(code, 1, column, " ".join(word.text for word in said), **data)


def number(text: str) -> int:
    """A whole number written in digits; -1 for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1


def sentence(error: ChouineError) -> str:
    """An error's sentence on one line; a long faulty word is cut."""
    data = dict(error.data)
    if len(faulty := str(data.get("token", ""))) > REPEATED:
        data["token"] = faulty[:REPEATED] + "…"
    text = say(error.code, "en", **data)
    return "".join(letter if letter.isprintable() else "?" for letter in text)
