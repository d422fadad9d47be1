"""Import a match that was played without a network, after replaying it under the rules.

Its log is not trusted: each entry must be what the table answers to a legal command, and each shuffle one that the
table asked for. That nobody chose the cards cannot be checked, so the match is marked.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections.abc import Callable
from dataclasses import fields, replace

import msgspec

from chouine.cards import PACK
from chouine.daily import opponent
from chouine.errors import ChouineError
from chouine.names import NAME_LENGTH, NameRefused
from chouine.notation.deals import complete_deal, read_deal
from chouine.notation.tokens import read_act, token
from chouine.registry import check_public
from chouine.rules import Rules
from chouine.server.forms import LONGEST_CLOCK, clamp, name_of, told_apart
from chouine.server.offline.matches import SealedPartie, StoredMatch, read
from chouine.server.pages.portraits import EMBLEMS
from chouine.server.pages.visit import LIMITS, PACES
from chouine.server.table_ids import LENGTH, OFFLINE
from chouine.server.terms import LONGEST_LOG, check_length, check_terms
from chouine.table import commands as ask
from chouine.table import entries as log
from chouine.table.commands import Refused
from chouine.table.decide import answer, consequence
from chouine.table.entries import DAILY, GivenAdvice, LogEntry, Opened, SeatHolder
from chouine.table.evolve import evolve, opening_state, partie_in_progress
from chouine.table.state import Phase, TableState

LARGEST = 1024 * 1024
"""Largest log in bytes: twice that of the longest match."""
DENSEST, SHORT = 12, 500
"""A log is at most this many times as long as what was sent, and so many bytes: a match played is 4 to 7 times."""
LATEST = 300.0
"""Seconds by which a device's clock may be ahead."""
USUAL = "heuristic"
"""A player that any form can seat."""
NONCE = re.compile("[0-9a-f]{64}")
"""The nonce of a pack that a device shuffled."""


def unpack_match(body: bytes) -> StoredMatch:
    """The match in a browser's upload, usually compressed. Raises `Refused`."""
    try:
        if body.startswith(b"{"):  # of a browser that cannot compress
            return read(body)
        opening = zlib.decompressobj(wbits=31)
        text = opening.decompress(body, LARGEST)
        if opening.unconsumed_tail:
            raise Refused("carry/too-long", most=LARGEST // 1024)
        if len(text) > DENSEST * (len(body) + SHORT):
            raise Refused("carry/repeats", times=DENSEST)
        return read(text)
    except (zlib.error, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Refused("carry/unreadable") from error


def identifier(guest: str, match: StoredMatch) -> str:
    """The match's identifier on the server: the same each time one guest uploads it."""
    digest = hashlib.sha256(f"{guest} {match.id}".encode()).hexdigest()
    return (OFFLINE + digest)[:LENGTH]


def check_match(
    match: StoredMatch, guest: str, now: float, sealed: SealedPartie | None = None
) -> tuple[list[tuple[LogEntry, float]], TableState]:
    """The log under the guest's name and the final state. Raises `Refused` unless it could have been played.

    `sealed`: the partie of a past day that it must be.
    """
    if len(match.log) > LONGEST_LOG:
        raise Refused("carry/too-long", most=LARGEST // 1024)
    try:
        entries = match.entries
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise Refused("carry/unreadable") from error
    if not entries:
        raise Refused("carry/unreadable")
    device, begun = entries[0]
    if not isinstance(device, Opened):
        raise Refused("carry/unreadable")
    opened = replace(
        device,
        chairs=told_apart(replace(shown_holder(one), guest=one.guest and guest) for one in device.chairs),
    )
    kept: list[tuple[LogEntry, float]] = [(opened, begun)]
    before = begun
    try:
        check_terms(opened)
        set_so = as_a_form_sets_it(device) if sealed is None else is_table_of(sealed, device)
        require(set_so, "carry/one-device")
        table = opening_state(opened, begun)
        for entry, at in entries[1:]:
            require(before <= at <= now + LATEST, "carry/time")
            if isinstance(entry, log.Followed):
                continue  # the revanche is at a table of that device
            confirm(table, entry, at)
            if sealed is not None:
                confirm_answer(table, entry)
            table, before = evolve(table, entry, at), at
            kept.append((entry, at))
        require(table.phase is Phase.OVER, "carry/not-over")
    except (ChouineError, ValueError, LookupError) as error:
        if isinstance(error, Refused) and error.code.startswith("carry/"):
            raise
        raise Refused("carry/not-so", number=len(kept) + 1) from error
    return kept, table


def shown_holder(holder: SeatHolder) -> SeatHolder:
    """A holder under a name that can be shown: an older program on the device may have taken another."""
    try:
        return replace(holder, name=name_of(holder.name))
    except NameRefused:
        return replace(holder, name="")


def require(met: bool, code: str) -> None:  # noqa: FBT001  # what is required comes first
    """Raise `Refused` with this code unless the condition is met."""
    if not met:
        raise Refused(code)


def as_a_form_sets_it(opened: Opened) -> bool:
    """Whether a device's form could have opened this table: one guest, known computers, all the rest in bounds."""
    rules = Rules.parse(opened.rules)
    deal = None if opened.deal is None else complete_deal(read_deal(opened.deal, rules))
    return (
        len(opened.chairs) == rules.seats
        and len({holder.guest for holder in opened.chairs if holder.player == "person"}) == 1
        and all(map(seated_by_a_form, opened.chairs))
        and (None if deal is None else str(deal)) == opened.deal
        and not opened.deals
        and opened.window == clamp(LIMITS["window"], opened.window)
        and opened.pace in {pace.computers for pace in PACES.values()}
        and (opened.clock is None or 0 < opened.clock.move <= LONGEST_CLOCK)
        and (opened.clock is None or 0 <= opened.clock.reserve <= LONGEST_CLOCK)
    )


def seated_by_a_form(holder: SeatHolder) -> bool:
    """Whether a form could have put this holder in a seat. Raises `ChouineError` for an unknown computer."""
    if len(holder.name) > NAME_LENGTH:
        return False
    if holder.player == "person":
        return bool(holder.guest) and holder.emblem in ("", *EMBLEMS)
    check_public(holder.player)
    return holder.guest is None and not holder.emblem and holder.player != DAILY


def is_table_of(sealed: SealedPartie, opened: Opened) -> bool:
    """Whether a device could have opened this table of a past day."""
    person, *others = opened.chairs
    usual = replace(opened, chairs=(person, *(SeatHolder(USUAL, one.name) for one in others)))
    asked = sealed.day.table(sealed.nth, person, opened)
    return opened == asked and opened.clock is None and person.player == "person" and as_a_form_sets_it(usual)


def confirm_answer(table: TableState, entry: LogEntry) -> None:
    """Raise `Refused` unless the opponent of the day, wherever it was to act, did what it does here."""
    computers = table.awaited - table.people
    seat, given = getattr(entry, "seat", None), getattr(entry, "token", None)
    if isinstance(entry, log.WindowClosed):
        answers = dict.fromkeys(computers)  # all of them let the seven pass
    elif isinstance(entry, log.Acted | log.Passed):
        answers = {seat: given} if seat in computers else {}
    else:
        require(seat is None or seat in table.people, "carry/not-answered")
        return
    for who, answer_given in answers.items():
        view = partie_in_progress(table).view(who)
        act = opponent().act(view) if view.legal else None
        require(answer_given == (None if act is None else str(act)), "carry/not-answered")


def confirm(table: TableState, entry: LogEntry, at: float) -> None:
    """Raise `Refused` unless the table makes this entry now, by itself or for a command."""
    wanted = consequence(table, lambda: entry if isinstance(entry, log.Shuffled) else NO_PACK)
    if wanted is not None:
        if not isinstance(entry, log.Shuffled) or wanted is NO_PACK:
            raise Refused("table/not-now")
        cards = sorted(entry.pack[nth : nth + 2] for nth in range(0, len(entry.pack), 2))
        if cards != sorted(map(str, PACK)) or not NONCE.fullmatch(entry.nonce):
            raise Refused("table/not-now")
        return
    if getattr(entry, "seat", 0) not in table.seats:
        raise Refused("table/not-now")
    command = command_of(entry)
    if command is None or (isinstance(command, ask.Advise) and not is_plain(command)):
        raise Refused("table/not-now")
    if table.paused is not None and not isinstance(command, ask.Resume | ask.ForfeitMatch | ask.Speak):
        raise Refused("table/paused")
    check_length(table, command)
    if entry not in answer(table, command, at):
        raise Refused("table/not-now")


def is_plain(command: ask.Advise) -> bool:
    """Whether advice is the heuristic's, as a device gives it: an act alone."""
    given = command.advice
    return given is None or (given == GivenAdvice(given.best) and given.best == token(read_act(given.best)))


NO_PACK = log.Shuffled("", "")


COMMANDS: dict[type[LogEntry], Callable[..., ask.Command]] = {
    log.Picked: ask.Pick,
    log.Cut: ask.CutAt,
    log.Acted: ask.Act,
    log.Passed: ask.Pass,
    log.WindowClosed: ask.Tick,
    log.Ready: ask.GoOn,
    log.Conceded: ask.Concede,
    log.PauseAsked: ask.Pause,
    log.Resumed: ask.Resume,
    log.Spoke: ask.Speak,
    log.RevancheAsked: ask.Revanche,
    log.Explained: ask.Explain,
    log.Advised: ask.Advise,
    log.AskedMore: ask.Advise,
    log.TookBack: ask.TakeBack,
}
"""The command behind each kind of entry; both have the same fields in the same order."""


def command_of(entry: LogEntry) -> ask.Command | None:
    """The command behind an entry; None for entries that no device writes."""
    if isinstance(entry, log.Forfeited):
        return ask.Tick() if entry.late else ask.ForfeitMatch(entry.seat)
    command = COMMANDS.get(type(entry))
    return command and command(*(getattr(entry, field.name) for field in fields(entry)))
