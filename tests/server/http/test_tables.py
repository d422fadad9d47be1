"""The page of one's tables and prepared cards over HTTP, by a browser without scripts; what others see of them."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from chouine.days import day_of
from chouine.server.limits import VISITOR
from tests.attack.conftest import deal
from tests.patience import wait_until
from tests.server.serving import Browser, Form, RunningServer

A_DAY_A_CARD = {"format": "3x1", "move": "86400", "reserve": "172800"}


def table_of(host: Browser, friend: Browser, **terms: str) -> str:
    """A slow table of two, dealt."""
    table_id = host.open(**{"name-0": "Odette", **A_DAY_A_CARD, **terms})
    friend.sit(host.links(table_id)[1], "Basile")
    deal(host, friend, table_id)
    return table_id


def plain_text(text: str) -> str:
    """A page's text as one line."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text)).replace("\N{NO-BREAK SPACE}", " ")


def turn_of(table_id: str, browsers: tuple[Browser, Browser]) -> int:
    """The seat on turn."""
    return next(
        seat for seat, one in enumerate(browsers) if "hand ready" in one.get(f"/table/{table_id}").text
    )


def cards_of(browser: Browser, table_id: str) -> list[str]:
    """A browser's hand."""
    page = browser.get(f"/table/{table_id}").text
    return re.findall(r'<button name="token" value="([^"]+)" class="card', page)


def holiday_form(browser: Browser, what: str) -> Form:
    """The form of the page that takes a holiday, or ends one."""
    browser.get("/tables")
    return next(form for form in browser.forms("/tables") if ("what", what) in form.buttons)


def test_all_tables_with_whose_turn_it_is_and_how_long_they_have(host: Browser, friend: Browser) -> None:
    assert "You sit at no table yet." in plain_text(friend.get("/tables").text)
    table_id = table_of(host, friend)
    turn = turn_of(table_id, (host, friend))
    his, hers = plain_text(friend.get("/tables").text), plain_text(host.get("/tables").text)
    if turn == 0:
        assert "Parties 0–\N{WORD JOINER}0 À vous Il vous reste 2 jours." in hers
        assert "Parties 0–\N{WORD JOINER}0 Waiting for Odette. Odette has 2 days left." in his
    else:
        assert "Parties 0–\N{WORD JOINER}0 On attend Basile. Il reste 2 jours pour Basile." in hers
        assert "Parties 0–\N{WORD JOINER}0 Your turn You have 2 days left." in his
    assert f'href="/table/{table_id}"' in host.get("/tables/list").text
    assert 'href="/tables"' in host.get("/").text
    assert 'href="/tables"' in host.get(f"/table/{table_id}").text
    assert host.tell(table_id, "forfeit", 0).json()["ok"]
    assert f'href="/match/{table_id}"' in host.get("/tables").text
    assert "Parties 0–\N{WORD JOINER}0 Won" in plain_text(friend.get("/tables").text)


def test_whoever_is_invited_is_told_the_clock(host: Browser, friend: Browser) -> None:
    table_id = host.open(**A_DAY_A_CARD)
    link = host.links(table_id)[1]
    waiting, invited = (
        plain_text(host.get(f"/table/{table_id}/links").text),
        plain_text(friend.get(link).text),
    )
    assert "Temps de réflexion Un jour par carte En réserve pour le match 2 jours" in waiting
    assert "vous le retrouvez à l’accueil, sous « Vos tables »" in waiting
    assert "Laissez cette page ouverte" not in waiting
    assert "Time to think One day a card In reserve for the match 2 days" in invited
    other = host.links(host.open(move="60", reserve="0"))[1]
    assert "Time to think 60 seconds a card Your name" in plain_text(friend.get(other).text)
    timeless = host.links(host.open())[1]
    assert "Time to think" not in plain_text(friend.get(timeless).text)


def test_the_next_table_in_one_tap(host: Browser, friend: Browser, served: RunningServer) -> None:
    """Beside a slow table where one waits; not on one's turn, nor where no other table waits, nor for strangers."""
    tables = [table_of(host, friend)]
    while len({turn_of(each, (host, friend)) for each in tables}) < 2:
        tables.append(table_of(host, friend))
    hers, his = ([each for each in tables if turn_of(each, (host, friend)) == seat] for seat in (0, 1))
    here = friend.get(f"/table/{hers[0]}").text
    waits = "waits" if len(his) == 1 else "wait"
    assert f"Next table ({len(his)} {waits} for you)" in plain_text(here)
    follows = re.search(r'<a class="button" href="/table/([^"]+)">', here)
    assert follows is not None
    assert follows[1] in his
    assert "Next table" not in friend.get(f"/table/{his[0]}").text.replace(his[0], "") or len(his) > 1
    for one in (host, served.visit()):
        assert "<a " not in one.get(f"/tables/beside?table={hers[0]}").text
    for each in his:
        assert friend.tell(each, "forfeit", 1).json()["ok"]
    assert "Next table" not in friend.get(f"/table/{hers[0]}").text
    assert friend.get("/tables/beside?table=none").status_code == 404


def test_holidays_by_a_form(host: Browser, friend: Browser) -> None:
    """Taken, told to the other, ended; what is wrong with the days is said and nothing is taken."""
    table_id = table_of(host, friend)
    today = day_of(datetime.now(UTC), ZoneInfo("Europe/Paris"))
    last = today + timedelta(2)
    form = holiday_form(host, "holiday")
    for first, end in (("", ""), ("2026-13-45", "x"), (today + timedelta(3), today + timedelta(1))):
        refused = host.submit(form, what="holiday", first=str(first), last=str(end))
        assert refused.status_code == 422
        assert 'role="alert"' in refused.text
    page = host.submit(form, what="holiday", first=str(today + timedelta(1)), last=str(last)).text
    assert "Vos vacances : du" in plain_text(page)
    assert "is on holiday" not in plain_text(friend.get(f"/table/{table_id}").text)
    host.submit(holiday_form(host, "back"), what="back")
    page = host.submit(form, what="holiday", first=str(today), last=str(last)).text
    assert "Vous êtes en vacances" in plain_text(page)
    assert "Odette is on holiday until" in plain_text(friend.get(f"/table/{table_id}").text)
    assert "Vous êtes en vacances" not in plain_text(
        host.submit(holiday_form(host, "back"), what="back").text
    )
    assert "is on holiday" not in plain_text(friend.get(f"/table/{table_id}").text)


def test_holidays_are_not_begun_without_end(host: Browser, friend: Browser) -> None:
    """Each is written at all slow tables."""
    today = str(day_of(datetime.now(UTC), ZoneInfo("Europe/Paris")))
    form, most = holiday_form(host, "holiday"), VISITOR["holidays"].most
    for _ in range(most):
        assert host.submit(form, what="holiday", first=today, last=today).status_code == 200
        host.submit(holiday_form(host, "back"), what="back")
    assert host.submit(form, what="holiday", first=today, last=today).status_code == 429


def test_a_prepared_card_is_played_and_nobody_else_learns_of_it(
    host: Browser, friend: Browser, served: RunningServer
) -> None:
    """Until it is played, all that the other and a spectator are shown is byte for byte what it was."""
    table_id = table_of(host, friend)
    turn = turn_of(table_id, (host, friend))
    on_turn, owner, stranger = (host, friend)[turn], (friend, host)[turn], served.visit()
    prepare = f"/tables/prepare/{table_id}"
    here = f"/table/{table_id}", f"/table/{table_id}/events?after=1", f"/match/{table_id}", prepare
    pages = [*here, "/tables/list", "/mine", f"/tables/beside?table={table_id}"]
    hidden = re.compile(r'value=.?"([0-9a-f]{64}|[A-Za-z0-9_-]{16}).?"')  # tokens and numbers of forms

    def pages_of(one: Browser) -> list[str]:
        return [hidden.sub("", one.get(page).text) for page in pages]

    before = pages_of(on_turn), pages_of(stranger)
    owner.get(prepare)
    form = next(form for form in owner.forms(prepare) if "token" in form.fields)
    assert owner.submit(form, what="prepare", card="*", token=form.fields["token"]).status_code == 200
    assert (pages_of(on_turn), pages_of(stranger)) == before
    assert "1 prepared" in owner.get(f"/table/{table_id}").text or "1 carte prête" in plain_text(
        owner.page.text
    )
    assert form.fields["token"] in cards_of(owner, table_id)
    led = cards_of(on_turn, table_id)[0]
    assert on_turn.tell(table_id, "act", turn, token=led).json()["ok"]
    wait_until("the card", lambda: form.fields["token"] not in cards_of(owner, table_id))
    wait_until("its sign gone", lambda: "prepared" not in owner.get(f"/table/{table_id}").text)


def test_it_is_withdrawn_by_a_form(host: Browser, friend: Browser) -> None:
    table_id = table_of(host, friend)
    turn = turn_of(table_id, (host, friend))
    owner, prepare = (friend, host)[turn], f"/tables/prepare/{table_id}"
    owner.get(prepare)
    form = next(form for form in owner.forms(prepare) if "token" in form.fields)
    named = next(
        card for card in ("7s", "8s", "9s", "Js", "Qs", "Ks") if card not in cards_of(owner, table_id)
    )
    for card in ("*", named):
        owner.submit(form, what="prepare", card=card, token=form.fields["token"])
    withdrawals = [each for each in owner.forms(prepare) if ("what", "withdraw") in each.buttons]
    assert {each.fields["card"] for each in withdrawals} == {"*", named}
    owner.submit(withdrawals[0], what="withdraw")
    assert sum(("what", "withdraw") in each.buttons for each in owner.forms(prepare)) == 1


@pytest.mark.parametrize("fields", [{"card": "*", "token": "x"}, {"card": "zz", "token": "7s"}, {}])
def test_what_cannot_be_prepared_is_said(
    fields: dict[str, str], host: Browser, friend: Browser, served: RunningServer
) -> None:
    table_id = table_of(host, friend)
    turn = turn_of(table_id, (host, friend))
    owner, other = (friend, host)[turn], (host, friend)[turn]
    assert owner.post(f"/tables/prepare/{table_id}", what="prepare", **fields).status_code == 422
    assert other.post(f"/tables/prepare/{table_id}", what="prepare", **fields).status_code == 422
    assert served.visit().get(f"/tables/prepare/{table_id}").status_code == 403
    assert owner.http.post(f"/tables/prepare/{table_id}", data={"what": "prepare"}).status_code == 403
