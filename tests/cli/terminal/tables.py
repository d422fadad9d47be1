"""Tables for tests, and simulated persons with random answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from chouine.cli.terminal.computers import SeatPlayers
from chouine.cli.terminal.conversation import Conversation, Output, Prompt
from chouine.cli.terminal.session import Asks, Session, person
from chouine.match import Format, Match
from chouine.phrases import Language
from chouine.rules import Rules
from chouine.table import Command, SeatHolder
from chouine.table import commands as ask

NAMES = ("Jean", "Charles", "Marthe", "Lucien")
Answers = Callable[[Session, str], str]


def table(rules: str = "classic", form: str = "1", people: str = "a", seed: str = "0") -> Session:
    """A table with persons in the seats `people` and random players in the others."""
    parsed = Rules.parse(rules)
    holders = tuple(
        person(name) if letter in people else SeatHolder("random", name)
        for name, letter in zip(NAMES, "abcd"[: parsed.seats], strict=False)
    )
    return Session.at(Match.new(parsed, Format.parse(form)), holders, seed)


def talk(at: Session, answers: Answers, language: Language = "fr") -> Iterator[tuple[Output, Session]]:
    """Run a conversation; yield each output with the table at that moment."""
    conversation = Conversation(at, SeatPlayers(at.holders), language, 80)
    running = conversation.run()
    answer = ""
    output = next(running)
    while True:
        yield output, conversation.session
        answer = answers(conversation.session, output.text) if isinstance(output, Prompt) else ""
        try:
            output = running.send(answer)
        except StopIteration:
            return


def legal_answers(seed: int = 0, *, revanche: bool = False) -> Answers:
    """A simulated person: plays random legal tokens, passes, draws and cuts."""
    rng = Random(seed)

    def answer(at: Session, text: str) -> str:
        what, seat = at.asked
        if not text.endswith(":") and "?" not in text:
            return ""
        match what:
            case Asks.PICK:
                return str(rng.choice([place for place in range(1, 33) if place - 1 not in at.table.picks]))
            case Asks.CUT:
                return str(rng.randint(4, 28))
            case Asks.SEVEN | Asks.PLAY:
                legal = at.partie.view(seat).legal
                return str(rng.choice(legal)) if legal and (what is Asks.PLAY or rng.random() < 0.5) else ""
            case _:
                return "o" if revanche else "n"

    return answer


def moves(at: Session, seed: int = 0) -> Iterator[Session]:
    """The states of a table during a match with random answers."""
    computers, rng = SeatPlayers(at.holders), Random(seed)
    while at.asked.what is not Asks.REVANCHE:
        what, seat = at.asked
        command: Command
        if what is Asks.COUNT:
            at = at.count_partie()
            yield at
            continue
        if seat not in at.table.people:
            command = computers.command(at)
        elif what is Asks.PICK:
            command = ask.Pick(
                seat, rng.choice([place for place in range(32) if place not in at.table.picks])
            )
        elif what is Asks.CUT:
            command = ask.CutAt(seat, rng.randint(4, 28))
        else:
            legal = at.partie.legal(seat)
            passes = what is Asks.SEVEN and (not legal or rng.random() < 0.5)
            command = ask.Pass(seat) if passes else ask.Act(seat, str(rng.choice(legal)))
        at = at.do(command)
        yield at
