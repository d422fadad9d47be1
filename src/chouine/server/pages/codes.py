"""Addresses as QR codes, for phones to read from a screen or from paper."""

from __future__ import annotations


def code_of(address: str, scale: int = 6) -> str:
    """An address as SVG markup, dark on light whatever the page's colours; `scale` pixels for each of its squares."""
    import segno

    return segno.make(address, error="m").svg_inline(scale=scale, border=2, omitsize=True)
