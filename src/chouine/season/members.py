"""The register of members: who is named how in public, and lists of members that come in."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date

from chouine.contest import ActRefused, Contest, ListEntered
from chouine.contest.lists import ListedPerson, Listing, cents_of, enter_all, read_yes_no
from chouine.contest.people import Doubles, Person
from chouine.names import plain_name
from chouine.season.acts import Booked, MemberSet, MembersListed
from chouine.season.results import PeopleByName
from chouine.season.state import Season, SeasonPlayer

HEADINGS = {
    "number": "numero|n|no|num|numero de membre|numero d adherent|number|licence|member number",
    "since": "membre depuis|adherent depuis|depuis|date d adhesion|adhesion|since|member since|joined",
    "consent": "accord|accord de publication|accord pour publier|publication|consentement|droit a l image|consent"
    "|agrees to be named",
}
"""Columns of a list of members besides those of any list of people (`contest.lists`)."""
YEAR = re.compile(r"(19|20)\d\d")
FRENCH_DAY = re.compile(r"(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})")


def public_name(season: Season, people: Mapping[int, Person], number: int) -> str:
    """A person as published: the name of an adult who agreed to it, else initials and the number, never more."""
    member, person = season.player(number).member, people.get(number)
    if person is None:
        return f"n° {number}"
    if member.consent and not member.junior:
        return person.name
    initials = re.findall(r"(?<![\w’'])[^\W\d_]", person.name)
    return f"{' '.join(f'{one.upper()}.' for one in initials)} ({number})"


def list_members(
    season: Season, people: Mapping[int, Person], listing: Listing, year: int
) -> tuple[MembersListed, dict[int, Person]]:
    """The act that registers the people of a list, and their names. Columns that are missing change nothing.

    A person is known by name and village; `year` is that of what they paid. Rows that cannot be read become faults
    of the list. Raises `ActRefused` if nobody is left, or if no heading says that these are people at all.
    """
    if not listing.header:
        raise ActRefused("contest/no-heading")
    known, columns = PeopleByName(season, people), columns_of(listing)
    has = {column.kind for column in listing.columns}
    members, paid, names = [], [], {}
    taken = set(season.players)
    for one in [*listing.people]:
        cells = {kind: listing.rows[one.row - 1][at] for kind, at in columns.items()}
        try:
            since = iso_day(cells["since"]) if cells.get("since") else ""
            consent = read_yes_no(cells["consent"], "yes", "no") if "consent" in cells else None
            fees = fees_of(one, listing, year)
        except ActRefused as fault:
            listing.faults.append((one.row, fault))
            listing.people.remove(one)
            continue
        number = known.take(one.person) or unused_number(cells.get("number", ""), taken)
        taken.add(number)
        old = season.players.get(number) or SeasonPlayer(MemberSet(number))
        lady = one.lady if "lady" in has else old.member.lady
        junior = one.junior if "junior" in has else old.member.junior
        agrees = old.member.consent if consent is None else consent
        members.append(MemberSet(number, lady, junior, since or old.member.since, agrees))
        names[number] = one.person
        more = {of: cents - old.paid.get(of, 0) for of, cents in fees.items()}
        paid += [(number, of, cents) for of, cents in more.items() if cents]
    if not members:
        raise listing.faults[0][1] if listing.faults else ActRefused("contest/heading-alone")
    return MembersListed(tuple(members), tuple(paid)), names


def booking(
    season: Season, people: Mapping[int, Person], evening: int, person: Person
) -> tuple[Booked, dict[int, Person]]:
    """The act that registers a person for an evening, and the name of one whom the season does not know."""
    number = PeopleByName(season, people).take(person)
    if number is not None:
        return Booked(evening, number), {}
    return Booked(evening, season.next_number, newcomer=True), {season.next_number: person}


def door_list(
    season: Season,
    people: Mapping[int, Person],
    evening: int,
    contest: Contest,
    register: Mapping[int, Person],
) -> tuple[ListEntered, dict[int, Person]]:
    """The act that enters those who have a place in the evening's contest, as not here yet, and their names.

    Raises `ActRefused` if all of them are entered already.
    """
    entered = Doubles((str(number), person) for number, person in register.items())
    listed = []
    for number in season.next_evening(evening).seated:
        double = entered.find(people[number]) if number in people else ("", True)
        if not (double and double[1]):
            member = season.players[number].member
            listed.append(ListedPerson(0, people[number], member.lady, member.junior))
    if not listed:
        raise ActRefused("contest/nobody-new")
    return enter_all(listed, register, contest, here=False)


def columns_of(listing: Listing) -> dict[str, int]:
    """The columns of members alone, by their headings."""
    headings = listing.rows[listing.header - 1] if listing.header else ()
    words = {word: kind for kind, words in HEADINGS.items() for word in words.split("|")}
    found = ((words.get(plain_name(heading)), at) for at, heading in enumerate(headings))
    return {kind: at for kind, at in found if kind}


def unused_number(text: str, taken: set[int]) -> int:
    """The number in a cell if nobody has it, else the next free one."""
    wanted = int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 0
    return wanted if wanted and wanted not in taken else max(taken, default=0) + 1


def fees_of(one: ListedPerson, listing: Listing, year: int) -> dict[int, int]:
    """What a row says was paid, in cents by year: in a column for this year, or headed by another."""
    if one.paid is None:  # a cross does not say how much
        raise ActRefused("contest/price", price="x")
    headings, row = listing.rows[listing.header - 1] if listing.header else (), listing.rows[one.row - 1]
    cells = {
        int(heading): text for heading, text in zip(headings, row, strict=False) if YEAR.fullmatch(heading)
    }
    found = {of: cents_of(text) for of, text in cells.items()}
    return {of: cents for of, cents in ((year, one.paid), *found.items()) if cents}


def iso_day(text: str) -> str:
    """A day in ISO 8601 from itself, from `15/09/2019` or from a year alone. Raises `ActRefused`."""
    french = FRENCH_DAY.fullmatch(text)
    iso = f"{french[3]}-{french[2]:0>2}-{french[1]:0>2}" if french else text.split(" ", maxsplit=1)[0]
    try:
        return date.fromisoformat(f"{iso}-01-01" if YEAR.fullmatch(iso) else iso).isoformat()
    except ValueError as fault:
        raise ActRefused("season/day", day=text[:20]) from fault
