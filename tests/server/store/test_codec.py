"""The storage format of log entries: logs of all earlier versions remain readable, byte for byte."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from chouine.server.codec import KINDS, decode, encode
from chouine.table.entries import WINDOW, LogEntry

STORED = (
    (
        b'{"kind":"opened","rules":"classic","format":"5x1","chairs":[{"player":"level:3","name":"Lison","guest":null,"emblem":"kh","rated":false}],'
        b'"clock":{"move":30,"reserve":300},"deal":null,"window":20.0,"pace":4.0,"deals":[],"unaided":false}'
    ),
    b'{"kind":"sat","seat":1,"guest":"h","name":"Ren\xc3\xa9e","emblem":"qs","rated":true}',
    b'{"kind":"shuffled","pack":"7s8s","nonce":"00ff"}',
    b'{"kind":"picked","seat":0,"place":31}',
    b'{"kind":"cut","seat":1,"at":12}',
    b'{"kind":"acted","seat":0,"token":"Qd+M"}',
    b'{"kind":"passed","seat":1}',
    b'{"kind":"window-closed"}',
    b'{"kind":"ready","seat":0}',
    b'{"kind":"conceded","seat":1}',
    b'{"kind":"forfeited","seat":0,"late":true}',
    b'{"kind":"pause-asked","seat":0}',
    b'{"kind":"resumed","seat":1}',
    b'{"kind":"spoke","seat":0,"phrase":"hello"}',
    b'{"kind":"revanche-asked","seat":1}',
    b'{"kind":"followed","game":"t2"}',
    b'{"kind":"missed","seat":1}',
    b'{"kind":"credited","seconds":2.5}',
    b'{"kind":"explained","seat":0,"on":true}',
    (
        b'{"kind":"advised","seat":0,"counsel":{"best":"Qd+20d","acts":[{"token":"Qd+20d","win":0.5,"low":0.25,"high":0.75}],'
        b'"reasons":[["tricks",2.5]],"beside":"7s","worlds":256,"solved":false}}'
    ),
    b'{"kind":"asked-more","seat":0}',
    b'{"kind":"took-back","seat":0}',
    b'{"kind":"went-on-holiday","seat":1,"until":1796443200.0,"last":"2026-12-05"}',
    b'{"kind":"came-back","seat":1}',
)
"""One entry of each kind as first written, and those added since."""


@pytest.mark.parametrize("body", STORED, ids=list(KINDS))
def test_what_was_stored_is_read_and_written_as_it_was(body: bytes) -> None:
    assert encode(decode(body)) == body


def test_what_was_added_since_need_not_be_there() -> None:
    """Missing fields have defaults, such as the window for "au sept" and the pace of computers in older openings."""
    now, earlier = STORED[0], STORED[0].replace(b',"window":20.0,"pace":4.0', b"")
    earlier = earlier.replace(b',"rated":false', b"").replace(b',"unaided":false', b"")
    assert decode(earlier) == replace(decode(now), window=WINDOW, pace=1.0)  # type: ignore[arg-type]


def test_every_kind_of_entry_can_be_stored() -> None:
    assert set(KINDS.values()) == set(LogEntry.__args__)


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{}", b'{"kind":"spied"}', b'{"kind":"cut","seat":"a","at":1}', b'{"kind":"cut"}']
)
def test_what_is_no_entry_is_refused(body: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode(body)
