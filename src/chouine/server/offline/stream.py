"""A table's news on a device without a network, with addresses rewritten for its site."""

from __future__ import annotations

import re
from dataclasses import replace

from chouine.server.forms import MOST, number_of
from chouine.server.frame_updates import FrameEncoder, FrameUpdate
from chouine.server.offline.device import Device
from chouine.server.pages import Frame, Viewer

PREFIX = "/offline"
"""All addresses begin with it, so that the service worker knows which requests are the device's own."""
ADDRESS = re.compile(r'="/(?!/|manifest\.)')
"""Matches the start of an HTML attribute with an address of the site. The manifest stays the server's: an installed
Chouine has it already, and frames need none."""


def prefix_addresses(html: str) -> str:
    """HTML with its addresses rewritten for offline use."""
    return ADDRESS.sub(f'="{PREFIX}/', html)


class OfflineStream:
    """A table's news for one browser after the entry that it knows, each entry once and in order."""

    def __init__(self, device: Device, table_id: str, observer: int | None, after: str) -> None:
        shown = number_of(after, MOST)
        self.device, self.table_id = device, table_id
        self.shown = device.state_of(table_id).n if shown is None else shown
        self.viewer, self.encoder = Viewer(device.visit, table_id, observer), FrameEncoder()

    def news(self) -> list[str]:
        """New entries as JSON; one frame of the whole table where older entries are no longer in memory."""
        known = self.device.open_table(self.table_id).known
        if self.shown >= known.table.n:
            return []
        steps = known.since(self.shown)
        if steps is None:
            found = [FrameUpdate(known.table.n, [self.viewer.frame(known.table)])]
        else:
            found = [
                FrameUpdate(step.after.n, self.viewer.frames(step.before, step.entry, step.after))
                for step in steps
            ]
        self.shown = known.table.n
        return [
            self.encoder.encode(FrameUpdate(item.n, [*map(prefix_frame, item.frames)])).decode()
            for item in found
        ]


def prefix_frame(frame: Frame) -> Frame:
    """A frame with its addresses rewritten for offline use."""
    return replace(frame, html=prefix_addresses(frame.html))
