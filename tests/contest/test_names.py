"""Names in lists: surname first, in the order of a telephone book, each told from its twins."""

from __future__ import annotations

import pytest

from chouine.contest.people import Names, Person, name_parts, person_named, surname_first

BOOK = """Daubert Luc
d’Aubigné Zoé
Delatour Ève
de La Tour Jean
De Latour Paul
Durand Aline
Durand Élise
Dûrand Zoé
Epron Guy
Épron Jules
Fouquet Ida
Fouquet-Gaultier Léa
Le Gall Yves
Legall Zélie
Lhéritier Anne
O’Brien Pat
Œuvrard Léa
Saint-Rimay Noé
St Rimay Ode"""


def test_the_order_of_a_telephone_book() -> None:
    """Letter by letter, with the particle; accents, hyphens, blanks and apostrophes count for nothing."""
    people = {}
    for number, line in enumerate(reversed(BOOK.splitlines()), 1):
        surname, _, first = line.rpartition(" ")
        people[number] = person_named(surname, first=first)
    assert list(Names(people, people).listed.values()) == BOOK.splitlines()


@pytest.mark.parametrize(
    ("name", "surname", "first"),
    [
        ("Jean Bordier", "Bordier", "Jean"),
        ("BORDIER Jean", "BORDIER", "Jean"),
        ("Yves LE GALL", "LE GALL", "Yves"),
        ("Jean-Noël de La Tour", "de La Tour", "Jean-Noël"),
        ("Zoé", "Zoé", ""),
        ("", "", ""),
        ("Jean de La Tour d’Auvergne", "de La Tour d’Auvergne", "Jean"),
        ("LE GALL", "LE GALL", ""),
        ("Marie Van den Berg", "Van den Berg", "Marie"),
        ("J. Bordier", "Bordier", "J."),
    ],
)
def test_a_name_typed_as_one_is_parted(name: str, surname: str, first: str) -> None:
    assert name_parts(name) == (surname, first)


def test_what_was_typed_as_surname_stays_one() -> None:
    """However it looks; the register keeps it, and reads what earlier versions wrote."""
    person = person_named("Lhéritier de Saint-Rimay", first="Agnès")
    assert person.name == "Agnès Lhéritier de Saint-Rimay"
    assert surname_first(Person.parse(str(person))) == "Lhéritier de Saint-Rimay Agnès"
    assert Person.parse('{"name": "Léa Petit", "village": "", "family": ""}') == Person("Léa Petit")
    assert str(Person("Léa Petit")) == '{"name": "Léa Petit", "village": "", "family": ""}'


def test_a_team_has_both_its_names_turned() -> None:
    assert surname_first(Person("Jean Bordier & Léa Petit")) == "Bordier Jean & Petit Léa"
    assert surname_first(Person("Jean Bordier et Léa Petit")) == "Bordier Jean et Petit Léa"


def test_two_who_can_be_taken_for_one_another_have_number_and_village() -> None:
    people = {
        1: Person("Michel Dupont", "Troo"),
        2: Person("DUPONT Michel", "Vendôme"),
        3: Person("Michel Dupond"),
        4: Person("Lisa Roux"),
        5: Person("lisa roux"),
    }
    names = Names(people, [*people, 6])
    assert names[1] == "Michel Dupont (1, Troo)"
    assert names.listed[2] == "DUPONT Michel (2, Vendôme)"
    assert names[3] == "Michel Dupond"
    assert names[5] == "lisa roux (5)"
    assert names[6] == "n° 6"
