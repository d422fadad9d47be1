"""Tables at which tests sit, and people who answer at random."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from chouine.cli.terminal.computers import Computers
from chouine.cli.terminal.conversation import Conversation
from chouine.cli.terminal.table import Act, Asks, Chair, Cut, Move, Next, Pass, Pick, Table
from chouine.cli.terminal.talk import Output, Question
from chouine.match import Format, Match
from chouine.phrases import Language
from chouine.rules import Rules

NAMES = ("Jean", "Charles", "Marthe", "Lucien")
Answers = Callable[[Table, str], str]


def table(rules: str = "classic", form: str = "1", people: str = "a", seed: str = "0") -> Table:
    """A table whose seats named in `people` are persons; the others play at random."""
    parsed = Rules.parse(rules)
    kinds = ["person" if letter in people else "random" for letter in "abcd"[: parsed.seats]]
    chairs = tuple(Chair(name, kind) for name, kind in zip(NAMES, kinds, strict=False))
    return Table(Match.new(parsed, Format.parse(form)), chairs, seed)


def talk(at: Table, answers: Answers, language: Language = "fr") -> Iterator[tuple[Output, Table]]:
    """All that a conversation yields until it ends, with the table at that moment."""
    conversation = Conversation(at, Computers(at.chairs), language, 80)
    running = conversation.run()
    answer = ""
    output = next(running)
    while True:
        yield output, conversation.table
        answer = answers(conversation.table, output.text) if isinstance(output, Question) else ""
        try:
            output = running.send(answer)
        except StopIteration:
            return


def legal_answers(seed: int = 0, *, revanche: bool = False) -> Answers:
    """A person who plays any legal action by its token, passes, draws and cuts."""
    rng = Random(seed)

    def answer(at: Table, text: str) -> str:
        what, seat = at.asked
        if not text.endswith(":") and "?" not in text:
            return ""
        match what:
            case Asks.PICK:
                return str(rng.choice([place for place in range(1, 33) if place not in at.picks]))
            case Asks.CUT:
                return str(rng.randint(4, 28))
            case Asks.SEVEN | Asks.PLAY:
                legal = at.partie.view(seat).legal
                return str(rng.choice(legal)) if legal and (what is Asks.PLAY or rng.random() < 0.5) else ""
            case _:
                return "o" if revanche else "n"

    return answer


def moves(at: Table, seed: int = 0) -> Iterator[Table]:
    """The tables of a match, people answering at random."""
    computers, rng = Computers(at.chairs), Random(seed)
    while at.asked.what is not Asks.REVANCHE:
        what, seat = at.asked
        move: Move
        if what is Asks.COUNT:
            move = Next()
        elif not at.chairs[seat].person:
            move = computers.move(at)
        elif what is Asks.PICK:
            move = Pick(rng.choice([place for place in range(1, 33) if place not in at.picks]))
        elif what is Asks.CUT:
            move = Cut(rng.randint(4, 28))
        else:
            legal = at.partie.legal(seat)
            passes = what is Asks.SEVEN and (not legal or rng.random() < 0.5)
            move = Pass() if passes else Act(rng.choice(legal))
        at = at.take(move)
        yield at
