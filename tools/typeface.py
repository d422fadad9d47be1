"""Generate the pages' fonts: `python -m tools.typeface FOLDER`, with the packages below unpacked in FOLDER.

    for name in atkinson-hyperlegible-next alegreya; do
      mkdir -p FOLDER/$name && npm pack @fontsource-variable/$name@5.3.0 --pack-destination FOLDER
      tar xzf FOLDER/fontsource-variable-$name-5.3.0.tgz -C FOLDER/$name
    done
    uv run --no-project --with fonttools==4.68.0 --with brotli==1.2.1 python -m tools.typeface FOLDER

Atkinson Hyperlegible Next for text, Alegreya for titles, reduced to the characters and weights that the French and
English pages use. The four suits are those of our deck. Prints the fallbacks' metrics for `base.css`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import BytesIO
from math import dist
from pathlib import Path
from typing import Any

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.cu2quPen import Cu2QuPen
from fontTools.pens.transformPen import TransformPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.subset import Options, Subsetter
from fontTools.svgLib.path import parse_path
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._g_l_y_f import GlyphCoordinates
from fontTools.varLib.instancer import instantiateVariableFont
from fontTools.varLib.iup import iup_delta

from art.pips import SIGNS

FONTS = Path(__file__).parents[1] / "src" / "chouine" / "server" / "static" / "fonts"
FACES = {"text.woff2": ("atkinson-hyperlegible-next", (400, 700)), "title.woff2": ("alegreya", (500, 700))}
"""Each file: its source package, and the weights it keeps."""
WRITTEN = (*range(0x20, 0x7F), *range(0xA0, 0x100), *map(ord, "ŒœŸ–—‘’“”…‹›€−"))
FEATURES = ("kern", "liga", "mark", "mkmk", "ccmp", "locl", "tnum")
SUITS = {"♠": "s", "♥": "h", "♦": "d", "♣": "c"}
EM = 1000
SIGN = 700
"""Width and height of a suit in font units."""
SAMPLE = "la chouine est un jeu de cartes de la vallee du loir a vous de jouer vingt de carreau atout pique"
LETTERS = " abcdefghijlmnopqrstuvwxyz"
ENLARGED = {"title.woff2": 1.08}
"""The `size-adjust` of a file in `base.css`, if any."""
FALLBACKS = {
    "text.woff2": {
        "Arial, Roboto": (
            *(278, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 222, 833, 556, 556, 556, 556),
            *(333, 500, 278, 556, 500, 722, 500, 500, 500),
        ),
        "Noto Sans": (
            *(260, 561, 615, 480, 615, 564, 344, 615, 618, 258, 258, 258, 935, 618, 605, 615, 615),
            *(413, 479, 361, 618, 508, 786, 529, 510, 470),
        ),
        "DejaVu Sans": (
            *(318, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 278, 974, 634, 612, 635, 635),
            *(411, 521, 392, 634, 592, 818, 592, 592, 525),
        ),
    },
    "title.woff2": {
        "Times New Roman Bold": (
            *(250, 500, 556, 444, 556, 444, 333, 500, 556, 278, 333, 278, 833, 556, 500, 556, 556),
            *(444, 389, 333, 556, 500, 722, 500, 500, 444),
        ),
        "Noto Serif Bold": (
            *(260, 599, 649, 527, 649, 571, 407, 560, 667, 352, 345, 352, 986, 667, 613, 645, 648),
            *(523, 488, 405, 667, 606, 856, 646, 579, 529),
        ),
        "DejaVu Serif Bold": (
            *(348, 648, 699, 609, 699, 636, 430, 699, 727, 380, 362, 380, 1058, 727, 667, 699, 699),
            *(527, 563, 462, 727, 581, 861, 596, 581, 568),
        ),
    },
}
"""Widths of `LETTERS` in the fonts that stand in for each file, in thousandths."""


def main(folder: Path) -> None:
    """Write every file, and print its size."""
    FONTS.mkdir(exist_ok=True)
    licences = []
    for name, (package, weights) in FACES.items():
        source = folder / package / "package"
        font = subset(source / "files" / f"{package}-latin-wght-normal.woff2", weights)
        (FONTS / name).write_bytes(as_woff2(font))
        tell(name, font)
        notice, _, licence = (source / "LICENSE").read_text("utf-8").partition("\n")
        licences.append((notice.partition(") ")[0] + ")", licence))
    (FONTS / "suits.woff2").write_bytes(as_woff2(suits()))
    (FONTS / "OFL.txt").write_text(
        "\n".join(notice for notice, _ in licences) + "\n" + licences[0][1], "utf-8"
    )
    print(sum(path.stat().st_size for path in FONTS.glob("*.woff2")), "bytes")


def subset(source: Path, weights: tuple[int, int]) -> Any:
    """The font reduced to the characters on the pages, at these weights."""
    font = instantiateVariableFont(TTFont(source), {"wght": weights})
    line_figures(font)
    for zero in ("zero", "zero.tf"):
        remove_slash(font, zero)
    options = Options()
    options.layout_features = list(FEATURES)
    options.hinting = False
    chosen = Subsetter(options)
    chosen.populate(unicodes=WRITTEN)
    chosen.subset(font)
    return font


def line_figures(font: Any) -> None:
    """Make lining figures the default."""
    rules = font["GSUB"].table
    named = [record.Feature for record in rules.FeatureList.FeatureRecord if record.FeatureTag == "lnum"]
    lookups = {number for feature in named for number in feature.LookupListIndex}
    lined = {
        old: new
        for number in lookups
        for part in rules.LookupList.Lookup[number].SubTable
        for old, new in getattr(part, "ExtSubTable", part).mapping.items()
    }
    for table in font["cmap"].tables:
        table.cmap = {code: lined.get(name, name) for code, name in table.cmap.items()}


def remove_slash(font: Any, name: str) -> None:
    """Remove the stroke of a slashed zero by joining the two counters that it separates.

    In running text the stroke looks like an error, and no page requires distinguishing a zero from the letter O.
    """
    glyph = font["glyf"].glyphs.get(name)
    if glyph is None or glyph.expand(font["glyf"]) or glyph.numberOfContours != 3:
        return
    outer, lower, upper = (end + 1 for end in glyph.endPtsOfContours)
    points = list(glyph.coordinates)
    stroke = {
        part: max(range(part[0], part[1]), key=lambda at: across(points, at, part))
        for part in ((outer, lower), (lower, upper))
    }
    first, second = (
        [*range(stroke[begin, end] + 1, end), *range(begin, stroke[begin, end] + 1)]
        for begin, end in ((outer, lower), (lower, upper))
    )
    order = [*range(outer), *first, *second]
    phantoms = list(range(upper, upper + 4))
    whole = [*points, *[(0, 0)] * 4]
    for variation in font["gvar"].variations.get(name, ()):
        deltas = iup_delta(variation.coordinates, whole, glyph.endPtsOfContours)
        variation.coordinates = [deltas[at] for at in (*order, *phantoms)]
    flags = glyph.flags
    glyph.coordinates = GlyphCoordinates([points[at] for at in order])
    glyph.flags = type(flags)(flags[at] for at in order)
    glyph.endPtsOfContours = [outer - 1, upper - 1]
    glyph.numberOfContours = 2


def across(points: Sequence[tuple[float, float]], at: int, part: tuple[int, int]) -> float:
    """The distance from a point of a contour to the next."""
    begin, end = part
    return dist(points[at], points[at + 1 if at + 1 < end else begin])


def suits() -> Any:
    """The deck's four suits as a font."""
    names = {ord(sign): f"suit-{letter}" for sign, letter in SUITS.items()}
    builder = FontBuilder(EM, isTTF=True)
    builder.setupGlyphOrder([".notdef", *names.values()])
    builder.setupCharacterMap(names)
    glyphs = {f"suit-{letter}": sign(SIGNS[letter]) for letter in SUITS.values()}
    builder.setupGlyf({".notdef": TTGlyphPen(None).glyph(), **glyphs})
    builder.setupHorizontalMetrics(dict.fromkeys((".notdef", *names.values()), (SIGN + 60, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Chouine Suits", "styleName": "Regular"})
    builder.setupOS2(sTypoAscender=800, sTypoDescender=-200, usWinAscent=800, usWinDescent=200)
    builder.setupPost()
    builder.font["head"].created = builder.font["head"].modified = 3_600_000_000
    return builder.font


def sign(path: str) -> Any:
    """A suit's glyph, from a path in a square of a hundred, placed on the baseline."""
    pen = TTGlyphPen(None)
    scale = SIGN / 100
    parse_path(
        path,
        TransformPen(Cu2QuPen(pen, 1.0, reverse_direction=False), (scale, 0, 0, -scale, SIGN / 2 + 30, 330)),
    )
    return pen.glyph()


def as_woff2(font: Any) -> bytes:
    """The font as WOFF2."""
    font.flavor = "woff2"
    font.recalcTimestamp = False
    written = BytesIO()
    font.save(written)
    return written.getvalue()


def tell(name: str, font: Any) -> None:
    """Print the CSS that makes each fallback take the same space as the font."""
    widths, letters = font["hmtx"], font.getBestCmap()
    enlarged = ENLARGED.get(name, 1)
    wide = enlarged * sum(widths[letters[ord(letter)]][0] for letter in SAMPLE)
    high = {"ascent": font["hhea"].ascent, "descent": -font["hhea"].descent}
    for fallback, narrow in FALLBACKS[name].items():
        size = wide / sum(narrow[LETTERS.index(letter)] for letter in SAMPLE)
        adjusted = "; ".join(
            f"{what}-override: {enlarged * units / EM / size:.1%}" for what, units in high.items()
        )
        print(f"{name}, {fallback}: size-adjust: {size:.1%}; {adjusted}; line-gap-override: 0%")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
