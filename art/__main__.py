"""`python -m art [FOLDER]`: draw the deck, by default where the table's pages take it from."""

import sys
from pathlib import Path

from art.palette import style_sheet
from art.sprite import sprite

DECK = Path(__file__).parent.parent / "src" / "chouine" / "server" / "static" / "deck"


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else DECK
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("deck.svg", sprite()), ("deck.css", style_sheet())):
        (folder / name).write_bytes(text.encode())


main()
