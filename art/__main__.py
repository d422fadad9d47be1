"""`python -m art [FOLDER]`: draw the deck, by default where the table's pages take it from."""

import sys
from pathlib import Path

from art import people
from art.palette import style_sheet
from art.sprite import cloth, faces, sprite

DECK = Path(__file__).parent.parent / "src" / "chouine" / "server" / "static" / "deck"


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else DECK
    folder.mkdir(parents=True, exist_ok=True)
    drawn = {
        "deck.svg": sprite(),
        "deck.css": style_sheet(),
        "cloth.svg": cloth(),
        "faces.svg": faces(),
        "faces.css": people.style_sheet(),
    }
    for name, text in drawn.items():
        (folder / name).write_bytes(text.encode())


main()
