"""Lists of people as clubs keep them: what is read, what is asked, and that nothing is lost or doubled."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from chouine.contest import (
    ActRefused,
    Amended,
    ContestOpened,
    Details,
    Entered,
    ListEntered,
    LogLine,
    Undone,
    Withdrew,
    commit,
    draw,
    formula_for,
)
from chouine.contest.check import check_log
from chouine.contest.lists import MOST_ROWS, Listing, doubtful_people, enter_all, read_rows, rows_in
from chouine.contest.people import Doubles, Person, details_of, regroup
from chouine.phrases import Language
from chouine.server.contest import spreadsheet
from chouine.server.contest.contest_store import ContestStore
from chouine.server.contest.folders import former_people

SEED = "5eed"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ContestStore]:
    act = ContestOpened(
        formula_for("lavardin", apart=("family", "village")), commit(SEED), "Lavardin", 1000, 1500
    )
    with closing(ContestStore.create(tmp_path / "contest.chouine", act, SEED, "test")) as made:
        yield made


def read_listing(text: str) -> Listing:
    return read_rows(rows_in(text))


def bring_in(store: ContestStore, listing: Listing, *, here: bool = True) -> None:
    names: dict[int, Person] = {}

    def act(contest: object) -> ListEntered:
        made, found = enter_all(listing.people, store.people, store.contest, here=here)
        names.update(found)
        return made

    store.do(act, "test", names)


CLUB = """Liste du club\t\t\t\t\t\t
Concours de 2026

N°\tCivilité\tPrénom\tNOM\tVille\tCatégorie\tPayé\tTéléphone
1\tMme\tJeanne\tPéan\tSt-Calais\tSénior\toui\t02 54
2\tM.\tNoël\tHervé\tVendôme\tJunior\t12,50 €\t
\t\t\t\t\t\t\t
3\tM\t\tSans-Prénom\tMontoire\t\tnon\t
4\tMlle\tZoé\t\t"Troo
sur Loir"\tMinime F\tx\t
Total\t4\t\t\t\t\t\t
"""


def test_a_list_as_a_club_keeps_it() -> None:
    """Titles above, empty rows, a total, headings of our own; each row has its number in the spreadsheet."""
    found = read_listing(CLUB)
    assert [(one.heading, one.kind) for one in found.columns] == [
        ("N°", ""), ("Civilité", "lady"), ("Prénom", "first"), ("NOM", "name"), ("Ville", "village"),
        ("Catégorie", "junior"), ("Payé", "paid"), ("Téléphone", ""),
    ]  # fmt: skip
    assert found.columns[-1].sample == "02 54"
    jeanne, noel, third, zoe = found.people
    assert (jeanne.row, jeanne.person) == (5, Person("Jeanne Péan", "St-Calais"))
    assert (jeanne.lady, jeanne.junior, jeanne.paid) == (True, False, None)
    assert (noel.lady, noel.junior, noel.paid) == (False, True, 1250)
    assert (third.row, third.person.name, third.paid) == (8, "Sans-Prénom", 0)
    assert (zoe.person, zoe.lady, zoe.junior) == (Person("Zoé", "Troo sur Loir"), True, True)
    assert found.aside == [(10, "Total\N{NO-BREAK SPACE}· 4")]
    assert found.header == 4
    assert not found.faults


ENCODED: list[Callable[[str], bytes]] = [
    lambda text: text.encode("utf-16"),
    lambda text: "\ufeff".encode("utf-16-be") + text.encode("utf-16-be"),
    lambda text: text.encode("utf-8-sig"),
    lambda text: text.encode(),
    lambda text: text.encode("cp1252"),
    lambda text: text.replace("\n", "\r\n").encode("utf-16"),
    lambda text: text.replace("\n", "\r").encode("cp1252"),
]


@pytest.mark.parametrize("encode", ENCODED, ids=map(str, range(len(ENCODED))))
def test_any_encoding_that_an_office_writes(encode: Callable[[str], bytes]) -> None:
    """Excel's Unicode text is UTF-16 with a mark, divided by tabs."""
    found = read_rows(spreadsheet.read_file(encode(CLUB)))
    assert [one.person for one in found.people] == [one.person for one in read_listing(CLUB).people]


@pytest.mark.parametrize("sign", [";", ",", "\t"])
def test_any_separator(sign: str) -> None:
    found = read_listing(
        sign.join(["Nom", "Ville"]) + "\n" + sign.join(["Léa; Bordier" if sign != ";" else "Léa", "Troo"])
    )
    assert [one.person.village for one in found.people] == ["Troo"]


def test_a_cell_keeps_its_words_apart() -> None:
    """A line break in a quoted cell, no-break spaces, and signs that other programs split at."""
    found = read_listing('nom;ville\n"Jean\nBordier";Troo\nLéa\u2028Petit;"La\u00a0Chartre\r\nsur le Loir"\n')
    assert [(one.row, one.person.name, one.person.village) for one in found.people] == [
        (2, "Jean Bordier", "Troo"),
        (3, "Léa Petit", "La Chartre sur le Loir"),
    ]


def test_a_list_without_headings_is_asked_about() -> None:
    found = read_listing("Jean Bordier;Troo\nLéa Petit;Sougé\n")
    assert (found.header, [one.kind for one in found.columns]) == (0, ["", ""])
    assert not found.people
    assert [row for row, _ in found.faults] == [1, 2]
    again = read_rows(found.rows, ["name", "village"])
    assert [one.person for one in again.people] == [
        Person("Jean Bordier", "Troo"),
        Person("Léa Petit", "Sougé"),
    ]


@pytest.mark.parametrize(
    ("row", "code"),
    [
        (";Troo;;", "contest/no-name"),
        ("Léa;Troo;deux;", "contest/cell-meals"),
        ("Léa;Troo;;peut-être", "contest/cell-unclear"),
        ("007;;;", "name/no-letter"),
        ("\u3164;;;", "name/blank"),
        ("L" + "\u0301" * 23 + "éa;;;", "name/marks"),
        ("x" * 81 + ";;;", "contest/cell-long"),
    ],
)
def test_a_row_that_cannot_be_read(row: str, code: str) -> None:
    found = read_listing(f"nom;ville;repas;dame\nJean;Troo;1;\n{row}\n")
    assert [one.person.name for one in found.people] == ["Jean"]
    assert [(number, fault.code) for number, fault in found.faults] == [(3, code)]


def test_a_means_of_payment_says_that_it_is_paid() -> None:
    found = read_listing("nom;payé\nJean;chèque\nLéa;espèces\nMax;CB\nNoé;non\n")
    assert [one.paid for one in found.people] == [None, None, None, 0]


def test_lists_that_are_none() -> None:
    for text in ("", "\n\n", ";;\n;;"):
        with pytest.raises(ActRefused, match="nothing in this list"):
            read_listing(text)
    with pytest.raises(ActRefused, match="too long"):
        read_listing("nom\n" + "Léa\n" * (MOST_ROWS + 1))
    for content in (b"\xff\xfe\0", b"\0\1\2", b"PK\x03\x04", b""):
        with pytest.raises(ActRefused):
            read_rows(spreadsheet.read_file(content))


def test_a_list_is_one_act(store: ContestStore) -> None:
    """All or nothing, and one undo takes all back."""
    store.do(Entered(1), "test", Person("Agnès Bordier"))
    bring_in(store, read_listing(CLUB))
    act = store.contest.head.act
    assert isinstance(act, ListEntered)
    assert [entrant.paid for entrant in store.contest.entrants.values()] == [0, 1000, 1250, 0, 1000]
    assert [store.people[number].name for number in store.contest.entrants][1:] == [
        one.person.name for one in read_listing(CLUB).people
    ]
    assert LogLine.parse(str(store.contest.head)) == store.contest.head
    store.do(Undone(store.contest.head.n, "twice"), "test")
    assert list(store.contest.entrants) == [1]
    former_people(
        store.path.parent, store.path.with_name("other.chouine")
    )  # though the register keeps the names


def test_a_list_that_cannot_be_entered_enters_nobody(store: ContestStore) -> None:
    for act in (
        ListEntered((Entered(1), Entered(2), Entered(2))),
        ListEntered((Entered(1), Entered(2, Details(village=-1)))),
        ListEntered(()),
        ListEntered((Entered(1),), (5, 5)),
    ):
        with pytest.raises(ActRefused):
            store.do(act, "test")
    assert not store.contest.entrants


def test_the_same_list_twice_is_noticed(store: ContestStore) -> None:
    found = read_listing(CLUB)
    assert not doubtful_people(found.people, store.people)
    bring_in(store, found)
    assert [doubt.same for doubt in doubtful_people(found.people, store.people).values()] == [True] * 4


def test_two_of_one_name_do_not_complete_the_same_entry() -> None:
    """The second looks like the row above, and is somebody else or a slip of the pen: the desk says which."""
    found = read_listing(
        "Nom;Commune;Repas\nMichel Dupont;Troo;0\nMichel Dupont;Troo;2\nMichel Dupond;Troo;1"
    )
    doubts = doubtful_people(found.people, {2: Person("Michel Dupont", "Troo")})
    assert doubts == {
        2: ("2 Michel Dupont", True, 2),
        3: ("Michel Dupont (2)", True, 0),
        4: ("Michel Dupont (2)", False, 0),
    }


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (Person("Jean Bordier", "Vendôme"), Person("BORDIER Jean", "VENDOME"), True),
        (Person("Jean Bordier", "Vendôme"), Person("Jean Bordier", "Vendôme", "Bordier"), True),
        (Person("Jean Bordier"), Person("Jean Bordier", "Vendôme"), True),
        (Person("Jean-Noël O’Brien"), Person("jean noel obrien"), True),
        (Person("Jean Bordier"), Person("Jean Bordié"), False),
        (Person("Mathieu Petit"), Person("Matthieu Petit"), False),
        (Person("Marie Durand"), Person("Marie Claire Durand"), False),
        (Person("Léa Petit", "St-Calais"), Person("Lea Petti", "Saint Calai"), False),
        (Person("Léa Petit", "Sougé"), Person("Léa Petit", "Sougé-sur-Braye"), True),
        (Person("Jean Bordier", "Vendôme"), Person("Jean Bordier", "Troo"), None),
        (Person("Jean Bordier"), Person("Jeanne Bordier"), None),
    ],
)
def test_who_looks_double(one: Person, other: Person, same: bool | None) -> None:  # noqa: FBT001
    found = Doubles([("1", one)]).find(other)
    assert (found and found[1]) is same


@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("kind", ["csv", "ods"])
def test_an_export_comes_back(store: ContestStore, tmp_path: Path, kind: str, language: Language) -> None:
    """Both languages' headings are understood, and what was written is entered again."""
    store.do(
        Entered(1, Details(lady=True, family=1, village=1, meals=2), here=False),
        "test",
        Person("=Léa Bordier", "Troo", "Bordier"),
    )
    bring_in(store, read_listing(CLUB))
    rows = list(spreadsheet.entries_table(store.contest, store.people, language))
    assert rows[0][:3] == (
        ("Numéro", "Nom", "Commune") if language == "fr" else ("Number", "Name", "Village")
    )
    content = spreadsheet.as_ods(rows) if kind == "ods" else spreadsheet.as_csv(rows).encode()
    found = read_rows(spreadsheet.read_file(content))
    assert [column.kind for column in found.columns] == [
        "", "name", "village", "family", "lady", "junior", "meals", "here", "paid", "",
    ]  # fmt: skip
    opened = store.contest.opened
    with closing(ContestStore.create(tmp_path / "again.chouine", opened, SEED, "test")) as again:
        bring_in(again, found, here=False)
        assert again.people == store.people
        for number, entrant in store.contest.entrants.items():
            assert again.contest.entrants[number].paid == entrant.paid
            assert again.contest.entrants[number].here == entrant.here
            assert again.contest.entrants[number].details == entrant.details


VENDOME = ["Vendôme", "VENDOME", "Vendome", "vendo\u0302me "]


def test_a_list_does_not_bring_back_who_has_withdrawn(store: ContestStore) -> None:
    bring_in(store, read_listing("Nom\nAgnès Bordier"), here=False)
    store.do(Withdrew(1), "test")
    (row,) = read_listing("Nom;Présent\nAgnès Bordier;oui").people
    made, _ = enter_all([], store.people, store.contest, here=True, merging={1: row})
    assert not made.merged[0].here
    assert not store.do(made, "test").participants


def test_villages_are_kept_apart_however_written(store: ContestStore) -> None:
    for number in range(1, 9):
        person = Person(f"N{number}", VENDOME[number // 2 - 1] if number % 2 == 0 else f"V{number}")
        details = details_of(person, store.people, store.contest)
        store.do(Entered(number, details), "test", person)
    villages = [entrant.details.village for entrant in store.contest.entrants.values()]
    assert len(set(villages[1::2])) == 1
    assert len(set(villages)) == 5


def test_a_contest_of_an_older_program_keeps_them_apart_too(store: ContestStore) -> None:
    """Its log has a number for each spelling: acts before the draw set them right, so that it stays a function of
    the log, and a log with a draw made before is verified as it was."""  # fmt: skip
    for number, village in enumerate(VENDOME, 1):
        store.do(Entered(number, Details(village=number)), "test", Person(f"N{number}", village))
    old = store.contest
    old_draw = draw(old, "main", SEED)
    for number in (5, 6, 7, 8):
        store.do(Entered(number, Details(village=2)), "test", Person(f"N{number}", f"V{number}"))
    acts = regroup(store.people, store.contest)
    assert all(isinstance(act, Amended) for act in acts)
    for act in acts:
        store.do(act, "test")
    assert not regroup(store.people, store.contest)
    villages = [entrant.details.village for entrant in store.contest.entrants.values()]
    assert len(set(villages[:4])) == 1
    assert len(set(villages)) == 5
    made = store.do(draw(store.contest, "main", SEED), "test")
    for table in made.main[0].tables:
        assert len({made.entrants[number].details.village for number in table.players}) == 2
    assert not check_log(made.lines, SEED).breaches
    assert draw(old, "main", SEED) == old_draw


def test_an_amended_village_takes_no_newcomers_number(store: ContestStore) -> None:
    """A new village's number is never one that a later entry's village gets."""
    store.do(Entered(1, Details(village=1)), "test", Person("A", "Troo"))
    person = Person("A", "Sougé")
    store.do(Amended(1, details_of(person, {}, store.contest)), "test", person)
    other = Person("B", "Vendôme")
    store.do(Entered(2, details_of(other, store.people, store.contest)), "test", other)
    one, two = store.contest.entrants.values()
    assert one.details.village != two.details.village
