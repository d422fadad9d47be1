"""A table in a line as JSON. Of a table that is over it is stored: its log is not folded for it."""

from __future__ import annotations

import msgspec

from chouine.table.brief import Brief

encode = msgspec.json.Encoder().encode
decode = msgspec.json.Decoder(Brief).decode
