"""Frames are sent as differences from the previous frame; a reader restores each exactly."""

from __future__ import annotations

import json

import pytest

from chouine.server.frame_updates import FrameEncoder, FrameUpdate
from chouine.server.pages.frames import Frame, Viewer
from chouine.server.pages.visit import Visit
from chouine.table import Phase
from tests.server.pages.tables import Moment, random_match

VISIT = Visit("fr", "csrf", "a")


def frames_shown(moment: Moment, viewer: Viewer) -> list[Frame]:
    return viewer.frames(moment.before, moment.entry, moment.after)


@pytest.mark.parametrize(("rules", "guests"), [("classic", "ab"), ("four", "abcd"), ("mondoubleau", "aa")])
def test_a_reader_has_every_frame_whole(rules: str, guests: str) -> None:
    seats = [None, *range(len(guests))]
    streams = {observer: (Viewer(VISIT, "g", observer), FrameEncoder(), list[str]()) for observer in seats}
    for moment in random_match(rules, "2x1", guests, 3):
        for viewer, encoder, parts in streams.values():
            told = frames_shown(moment, viewer)
            sent = json.loads(encoder.encode(FrameUpdate(moment.after.n, told)))
            assert sent["n"] == moment.after.n
            for frame, less in zip(told, sent["frames"], strict=True):
                parts[:] = [parts[part] if isinstance(part, int) else part for part in less["parts"]]
                assert "".join(parts) == frame.html
                assert (less["hold"], tuple(less["say"]), less["sound"]) == (
                    frame.hold,
                    frame.say,
                    frame.sound,
                )


def test_a_move_costs_a_fraction_of_the_table() -> None:
    viewer, encoder, sent, whole = Viewer(VISIT, "g", 0), FrameEncoder(), 0, 0
    for moment in random_match("classic", "2x1", "ab", 3):
        told = frames_shown(moment, viewer)
        body = encoder.encode(FrameUpdate(moment.after.n, told))
        if moment.before.phase is moment.after.phase is Phase.PLAY:
            sent += len(body)
            whole += sum(len(frame.html.encode()) for frame in told)
    assert sent < whole / 2


def test_who_begins_to_read_is_sent_all_of_it() -> None:
    moment = next(each for each in random_match("classic", "1", "ab", 1) if each.after.phase is Phase.PLAY)
    (frame,) = frames_shown(moment, Viewer(VISIT, "g", 0))
    assert FrameEncoder().delta(frame)["parts"] == frame.html.splitlines(keepends=True)
    carried = FrameEncoder()
    carried.delta(frame)
    again = carried.delta(frame)["parts"]
    assert isinstance(again, list)
    assert all(isinstance(part, int) for part in again)
