"""Export entries, results and ranking as CSV or `.ods`; read lists of people from CSV, `.ods` or `.xlsx`."""

from __future__ import annotations

import csv
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO, StringIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

from jinja2 import Template

from chouine.desk.people import Person
from chouine.desk.spreadsheet import cells_of
from chouine.server.pages.env import environment
from chouine.tournament import ActRefused, Contest, palmares
from chouine.tournament.views import price

ODS = "application/vnd.oasis.opendocument.spreadsheet"
LONGEST = 80
"""Longest name, village or reason, in characters."""
COLUMNS = ("number", "name", "village", "family", "lady", "junior", "meals", "here", "paid", "due")
NAMES = ("name", "nom", "nom et prénom")
YES = {"1", "1.0", "x", "oui", "o", "yes", "y", "true", "vrai"}
MOST_ROWS = 2000
LARGEST_UNPACKED = 64 * 1024 * 1024
"""Most bytes of a spreadsheet's unpacked files: fifty times those of the longest list."""
Cells = Iterable[Sequence[object]]


@dataclass(frozen=True, slots=True)
class ListedPerson:
    """One person of a list to be entered."""

    person: Person
    lady: bool = False
    junior: bool = False
    meals: int = 0


def entries_table(contest: Contest, people: Mapping[int, Person]) -> Cells:
    """All entries, with payments and dues in euros; the first row has the headings, as in all of these tables."""
    yield COLUMNS
    for number, entrant in contest.entrants.items():
        person = people.get(number, Person(""))
        details = entrant.details
        yield (
            number, person.name, person.village, person.family, flag(details.lady), flag(details.junior),
            details.meals, flag(entrant.here), entrant.paid / 100, price(contest, entrant) / 100,
        )  # fmt: skip


def results_table(contest: Contest, people: Mapping[int, Person]) -> Cells:
    """Every table of every round."""
    yield "stage", "round", "table", "players", "manches", "winner"
    for round_ in contest.all_rounds():
        for table in round_.tables:
            names = " / ".join(label(player, people) for player in table.players)
            winner = label(table.winner, people) if table.winner is not None else ""
            yield round_.stage, round_.number, table.number or "", names, str(table.score or ""), winner


def ranking_table(contest: Contest, people: Mapping[int, Person]) -> Cells:
    """The current ranking."""
    yield "rank", "number", "name", "wins"
    for one in palmares(contest).ranking:
        yield one.rank, one.number, people.get(one.number, Person("")).name, one.tally.wins


TABLES = {"entries": entries_table, "results": results_table, "ranking": ranking_table}


def read_file(content: bytes) -> list[ListedPerson]:
    """The people of a spreadsheet (.ods, .xlsx, .xls) or of a CSV file in any encoding. Raises `ActRefused`."""
    if content.startswith((b"PK", b"\xd0\xcf\x11\xe0")):
        if content.startswith(b"PK") and unpacked(content) > LARGEST_UNPACKED:
            raise ActRefused("contest/no-list")
        return list(read_cells(cells_of(content, MOST_ROWS + 2)))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("cp1252", errors="replace")
    return list(read_csv(text))


def unpacked(content: bytes) -> int:
    """Total unpacked size of a zip file's members, as declared."""
    try:
        with ZipFile(BytesIO(content)) as folder:
            return sum(one.file_size for one in folder.infolist())
    except (BadZipFile, NotImplementedError, ValueError) as fault:
        raise ActRefused("contest/no-list") from fault


def read_csv(text: str) -> Iterator[ListedPerson]:
    """The people of a CSV text."""
    lines = text.lstrip("\ufeff").splitlines()
    separator = max(";,\t", key=lines[0].count) if lines else ";"
    try:
        rows = list(csv.reader(lines, delimiter=separator))
    except csv.Error as fault:  # binary data, for instance, with a cell that never ends
        raise ActRefused("contest/no-list") from fault
    yield from read_cells(rows)


def read_cells(rows: Sequence[Sequence[str]]) -> Iterator[ListedPerson]:
    """The people of a table whose first row names the columns. Raises `ActRefused` with the row that is wrong."""
    names = [alphabetical(cell.strip()) for cell in rows[0]] if rows else []
    if not any(alphabetical(name) in names for name in NAMES):
        raise ActRefused("contest/csv-name")
    for nth, row in enumerate(rows[1:], 2):
        if nth > MOST_ROWS:
            raise ActRefused("contest/csv-row", line=nth)

        def cell(*asked: str, row: Sequence[str] = row) -> str:
            found = (names.index(alphabetical(one)) for one in asked if alphabetical(one) in names)
            place = next(found, len(row))
            return " ".join(row[place].split())[:LONGEST] if place < len(row) else ""

        name, meals = cell(*NAMES), cell("meals", "repas") or "0"
        if first := cell("first name", "prénom"):
            name = f"{first} {name}"
        if not any(one.strip() for one in row):
            continue
        if not name or not (meals.isascii() and meals.isdigit() and len(meals) < 3):
            raise ActRefused("contest/csv-row", line=nth)
        lady = cell("lady", "dame").casefold() in YES
        junior = cell("junior", "jeune").casefold() in YES
        yield ListedPerson(
            Person(name, cell("village", "commune"), cell("family", "famille")), lady, junior, int(meals)
        )


def as_csv(rows: Cells) -> str:
    """The rows, separated by `;` and with `,` in numbers as French spreadsheets expect; no cell starts a formula."""
    text = StringIO()
    csv.writer(text, delimiter=";").writerows([harmless(cell) for cell in row] for row in rows)
    return "\ufeff" + text.getvalue()


def harmless(cell: object) -> object:
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


def alphabetical(name: str) -> str:
    """Key to sort and search names, without accents and case."""
    plain = unicodedata.normalize("NFD", name)
    return "".join(sign for sign in plain if not unicodedata.combining(sign)).casefold()


def label(number: int, people: Mapping[int, Person]) -> str:
    """`12 Jean Bordier`; the number alone if the name is erased."""
    return f"{number} {people[number].name}" if number in people else str(number)


def flag(value: bool) -> str:  # noqa: FBT001  # a cell
    return "x" if value else ""


def euros(cents: int) -> str:
    return f"{cents / 100:.2f}".replace(".", ",")
