"""Export entries, results and ranking as CSV or `.ods`; read lists of people from CSV, `.ods` or `.xlsx`."""

from __future__ import annotations

import csv
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO, StringIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

from jinja2 import Template
from starlette.responses import Response

from chouine.contest import ActRefused, Contest, ranking
from chouine.contest.formula import STAGES
from chouine.contest.lists import FIELDS, HEADERS, MOST_ROWS, rows_in
from chouine.contest.people import Person
from chouine.contest.views import price
from chouine.phrases import N_, Language, translations
from chouine.server.contest.read_cells import cells_of
from chouine.server.contest.standing import round_name
from chouine.server.pages.env import environment

ODS = "application/vnd.oasis.opendocument.spreadsheet"
LARGEST_UNPACKED = 64 * 1024 * 1024
"""Most bytes of a spreadsheet's unpacked files: fifty times those of the longest list."""
Cells = Iterable[Sequence[object]]


def entries_table(contest: Contest, people: Mapping[int, Person], language: Language) -> Cells:
    """All entries, with payments and dues in euros; the first row has the headings, as in all of these tables."""
    own = [label for kind, label in FIELDS.items() if kind not in ("turned", "first", "second")]
    yield headings(language, N_("Number"), *own, N_("Due"))
    for number, entrant in contest.entrants.items():
        person = people.get(number, Person(""))
        details = entrant.details
        yield (
            number, person.name, person.village, person.family, flag(details.lady), flag(details.junior),
            details.meals, flag(entrant.here), entrant.paid / 100, price(contest, entrant) / 100,
        )  # fmt: skip


def results_table(contest: Contest, people: Mapping[int, Person], language: Language) -> Cells:
    """Every table of every round."""
    yield headings(
        language, N_("Stage"), N_("Round"), N_("Table"), N_("Players"), N_("Manches"), N_("Winner")
    )
    (exempt,) = headings(language, N_("exempt"))
    stages = dict(zip(STAGES, headings(language, N_("Main draw"), N_("Consolante")), strict=True))
    for round_ in contest.all_rounds():
        for table in round_.tables:
            names = " / ".join(label(player, people) for player in table.players)
            winner = label(table.winner, people) if table.winner is not None else ""
            stage = stages[round_.stage]
            name = round_name(contest, language, round_.stage, round_.number)
            where = table.number or exempt
            yield stage, name, where, names, str(table.score or ""), winner


def ranking_table(contest: Contest, people: Mapping[int, Person], language: Language) -> Cells:
    """The current ranking."""
    yield headings(language, N_("Rank"), N_("Number"), N_("Name"), N_("Wins"))
    for one in ranking(contest):
        yield one.rank, one.number, people.get(one.number, Person("")).name, one.tally.wins


def headings(language: Language, *words: str) -> tuple[str, ...]:
    """These words in a language."""
    return tuple(map(translations(language).gettext, words))


TABLES = {"entries": entries_table, "results": results_table, "ranking": ranking_table}


def read_file(content: bytes) -> list[list[str]]:
    """The cells of a spreadsheet (.ods, .xlsx, .xls) or of a text in any usual encoding. Raises `ActRefused`."""
    if content.startswith((b"PK", b"\xd0\xcf\x11\xe0")):
        if content.startswith(b"PK") and unpacked_size(content) > LARGEST_UNPACKED:
            raise ActRefused("contest/no-list")
        return cells_of(content, MOST_ROWS + HEADERS + 1)
    wide = content.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
    try:
        text = content.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as fault:
        if wide:
            raise ActRefused("contest/no-list") from fault
        text = content.decode("cp1252", errors="replace")
    if not text.replace("\0", "").strip() or "\0" in text:
        raise ActRefused("contest/no-list")
    return rows_in(text)


def unpacked_size(content: bytes) -> int:
    """Total unpacked size of a zip file's members, as declared."""
    try:
        with ZipFile(BytesIO(content)) as folder:
            return sum(one.file_size for one in folder.infolist())
    except (BadZipFile, NotImplementedError, ValueError) as fault:
        raise ActRefused("contest/no-list") from fault


def download(rows: Cells, name: str, kind: str) -> Response:
    """The rows as a file to keep, `csv` or `ods`."""
    headers = {"Content-Disposition": f'attachment; filename="{name}.{kind}"'}
    if kind == "ods":
        return Response(as_ods(rows), media_type=ODS, headers=headers)
    return Response(as_csv(rows), media_type="text/csv; charset=utf-8", headers=headers)


def as_csv(rows: Cells) -> str:
    """The rows, separated by `;` and with `,` in numbers as French spreadsheets expect; no cell starts a formula."""
    text = StringIO()
    csv.writer(text, delimiter=";").writerows([escape_formula(cell) for cell in row] for row in rows)
    return "\ufeff" + text.getvalue()


def escape_formula(cell: object) -> object:
    """Escape a text that a spreadsheet would take for a formula."""
    if isinstance(cell, float):
        return f"{cell:.2f}".replace(".", ",")
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in tuple("=+-@\t\r") else cell


def as_ods(rows: Cells) -> bytes:
    """The rows as a minimal OpenDocument spreadsheet. Numbers are numbers; all else is text, never a formula."""
    return ods_file(template("spreadsheet").render(rows=[[*map(printable, row)] for row in rows]))


def ods_file(content: str) -> bytes:
    """An OpenDocument spreadsheet of this `content.xml`."""
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as folder:
        folder.writestr("mimetype", ODS, ZIP_STORED)
        folder.writestr("META-INF/manifest.xml", template("manifest").render(kind=ODS))
        folder.writestr("content.xml", content)
    return file.getvalue()


def template(name: str) -> Template:
    return environment("fr").get_template(f"contest/{name}.xml")


def printable(cell: object) -> object:
    """A number as it is; anything else as text, without signs that XML forbids."""
    return cell if isinstance(cell, int | float) else "".join(filter(str.isprintable, str(cell)))


def label(number: int, people: Mapping[int, Person]) -> str:
    """`12 Jean Bordier`; the number alone if the name is erased."""
    return f"{number} {people[number].name}" if number in people else str(number)


def flag(value: bool) -> str:  # noqa: FBT001  # a cell
    return "x" if value else ""


def euros(cents: int) -> str:
    return f"{cents / 100:.2f}".replace(".", ",")
