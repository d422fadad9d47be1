"""Play links: an empty chair's link admits the first comer, one's own link restores the chair, all others fail."""

from __future__ import annotations

import re

from tests.server.serving import Browser, RunningServer


def test_an_empty_chairs_link_works_once(host: Browser, friend: Browser, served: RunningServer) -> None:
    table_id = host.open()
    link = host.links(table_id)[1]
    late = served.visit()
    assert late.get(link).status_code == 200
    form = late.form(link)
    assert friend.sit(link, "Charles").status_code == 200
    assert "Charles" in host.get(f"/table/{table_id}").text
    assert late.submit(form, name="X").status_code == 404
    assert late.get(link).status_code == 404
    assert late.tell(table_id, "pick", 1, place="3").status_code == 403
    assert friend.get(link).url.path == f"/table/{table_id}"  # the answer that seated them may have been lost


def test_ones_own_link_works_on_any_device_again_and_again(
    host: Browser, friend: Browser, served: RunningServer
) -> None:
    """A player's own link moves the chair to the device that opens it; the previous device only watches."""
    table_id = host.open()
    friend.sit(host.links(table_id)[1], "Charles")
    own = friend.links(table_id)[1]
    telephone = served.visit("en")
    telephone.sit(own, "Charles")
    assert telephone.tell(table_id, "pick", 1, place="3").json()["ok"]
    assert friend.tell(table_id, "speak", 1, phrase="hello").status_code == 403
    assert friend.links(table_id) == {}
    assert telephone.links(table_id)[1] == own
    friend.sit(own, "Charles")
    assert friend.tell(table_id, "speak", 1, phrase="hello").json()["ok"]
    assert telephone.tell(table_id, "speak", 1, phrase="hello").status_code == 403
    assert telephone.get(own).status_code == 200


def test_no_other_link_is_of_any_use(host: Browser, friend: Browser) -> None:
    table_id, other = host.open(), host.open()
    links, elsewhere = host.links(table_id), host.links(other)
    secret = {seat: link.rpartition("/")[2] for seat, link in links.items()}
    guesses = [
        f"/join/{table_id}/1/{secret[0]}",
        f"/join/{table_id}/1/{elsewhere[1].rpartition('/')[2]}",
        f"/join/{table_id}/0/{secret[1]}",
        f"/join/{table_id}/2/{secret[1]}",
        f"/join/{table_id}/1/{secret[1][:-1]}",
        f"/join/{table_id}/1/{secret[1].upper()}",
        f"/join/{table_id}/1/{secret[1]}0",
        f"/join/{table_id}/1/é",
        f"/join/{table_id}/1/%00",
        f"/join/nowhere/1/{secret[1]}",
    ]
    for path in guesses:
        assert friend.get(path).status_code == 404, path
        assert friend.post(path).status_code in (403, 404), path
    assert friend.tell(table_id, "pick", 1, place="3").status_code == 403


def test_links_are_shown_to_those_who_sit(host: Browser, friend: Browser, served: RunningServer) -> None:
    """Links are shown to seated players only, and never those of other people's taken chairs."""
    table_id = host.open(preset="three", **{"chair-2": "friend"})
    assert set(host.links(table_id)) == {0, 1, 2}
    friend.sit(host.links(table_id)[1])
    assert 0 not in friend.links(table_id)
    assert 1 not in host.links(table_id)
    stranger = served.visit()
    assert stranger.links(table_id) == {}
    assert "/join/" not in stranger.get(f"/table/{table_id}").text


def test_nobody_sits_on_a_computers_chair(host: Browser) -> None:
    table_id = host.open(**{"chair-1": "heuristic"})
    assert set(host.links(table_id)) <= {0}


def test_secrets_and_sessions_stay_out_of_pages(
    host: Browser, friend: Browser, served: RunningServer
) -> None:
    """No page contains another visitor's link secret, cookie or form token, nor the visitor's own cookie."""
    table_id = host.open()
    friend.sit(host.links(table_id)[1])
    own = host.links(table_id)[0].rpartition("/")[2]
    pages = [
        f"/table/{table_id}",
        f"/table/{table_id}/events?after=0",
        f"/match/{table_id}",
        "/",
        f"/table/{table_id}/links",
    ]
    for reader in (friend, served.visit()):
        for path in pages:
            text = reader.get(path).text
            assert own not in text
            assert host.csrf not in text
            assert host.cookie not in text
    for path in pages:
        assert host.cookie not in host.get(path).text
    assert not re.search(r"guest[-=\"]", host.get(f"/table/{table_id}").text)


def test_who_gives_no_name_is_called_by_the_seat_in_everyones_language(
    host: Browser, friend: Browser
) -> None:
    table_id = host.open()
    friend.sit(host.links(table_id)[1])
    assert ">Joueur 2<" in host.get(f"/table/{table_id}").text
    assert ">Player 1<" in friend.get(f"/table/{table_id}").text
    assert "Vous – Joueur 2" in host.get(f"/match/{table_id}").text
    assert "Player 1 – You" in friend.get(f"/match/{table_id}").text


def test_two_who_give_one_name_are_told_apart(host: Browser, friend: Browser) -> None:
    table_id = host.open(**{"name-0": "Jean"})
    friend.sit(host.links(table_id)[1], "Jean")
    assert ">Jean 2<" in host.get(f"/table/{table_id}").text


def test_several_computers_bear_several_names(host: Browser) -> None:
    computers = {f"chair-{seat}": kind for seat, kind in ((1, "heuristic"), (2, "heuristic"), (3, "random"))}
    page = host.get(f"/table/{host.open(preset='four', format='1', **computers)}").text
    assert [name in page for name in ("Lavardin", "Montoire", "Artins")] == [True] * 3


def test_a_refusal_does_not_lift_the_curtain(host: Browser) -> None:
    """On a shared device without JavaScript, a refused command does not lift the curtain (§14)."""
    table_id = host.open(**{"chair-1": "me"})
    while host.get(f"/table/{table_id}").text.count('name="place"'):
        host.submit(host.form("/pick"), place=str(host.page.text.count('class="taken"')))
    host.submit(host.form("/cut"))
    assert "curtain" in host.page.text
    hands = re.compile(r'id="card-')
    for seat in ("0", "1"):
        host.page = host.post(f"/table/{table_id}/resume", seat=seat)
        assert host.page.status_code == 422
        assert "curtain" in host.page.text
        assert not hands.search(host.page.text)
    own = host.get(re.findall(r'href="(/table/[^"]+as=\d)"', host.get(f"/table/{table_id}").text)[0])
    assert hands.search(own.text)
    awaited = own.url.params["as"]
    refused = host.post(f"/table/{table_id}/resume?as={awaited}", seat=awaited)
    assert refused.status_code == 422
    assert hands.search(refused.text), "who has lifted it sees on"
