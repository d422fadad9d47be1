"""A complete engine for Chouine without rules: it receives the legal acts (docs/notation.md).

chouine duel "pipe:python3 examples/engine.py" random --pairs 100
"""

import re
import sys

POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}


def worth(act: str, table: list[str], trump: str) -> int:
    """An act's value: declarations and points to win count, then the cost of the card."""
    if act in ("7x", "-"):
        return 500 * (act == "7x")
    card, _, said = act.partition("+")
    declared = 1000 if said.startswith("ch") else int(re.sub(r"\D", "", said) or 0)
    points, cost = POINTS.get(card[0], 0), POINTS.get(card[0], 0) + 5 * (card[1] == trump)
    if not table:
        return 10 * declared - cost
    laid = sum(POINTS.get(one[0], 0) for one in table)
    return 10 * declared + (laid + points if beats(card, table[-1], trump) else -cost)


def beats(card: str, other: str, trump: str) -> bool:
    """Whether a card beats another on the table."""
    if card[1] == other[1]:
        return "789JQKTA".index(card[0]) > "789JQKTA".index(other[0])
    return card[1] == trump


def main() -> None:
    legal: list[str] = []
    table: list[str] = []
    trump = ""
    for line in sys.stdin:
        command, *words = line.split() or [""]
        match command:
            case "hello":
                print("id name Example\nid asks trick legal\nrules classic three four\nready")
            case "view":
                legal, trump = [], words[4][1:] if len(words) > 4 else ""
                if not trump:
                    print("error engine/view", line.strip())
            case "trick":
                table = [word[2:] for word in words]
            case "legal":
                legal = words
            case "go" if legal and words[:1] in ([], ["time"], ["nodes"]):
                print("best", max(legal, key=lambda act: worth(act, table, trump)))
            case "quit":
                return
            case _ if command != "option":
                print("error engine/command", line.strip())
        sys.stdout.flush()


if __name__ == "__main__":
    main()
