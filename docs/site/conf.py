"""Sphinx's configuration for both languages; `tools/site.py` sets the language and the pages."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from tools.site import PlainFrench

project = "Chouine"
author = "The Chouine authors"
copyright = "The Chouine authors, MIT; cards and figures CC0"  # noqa: A001  # Sphinx's name
extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_heading_anchors = 4
myst_enable_extensions = ["attrs_block"]
suppress_warnings = ["myst.header"]  # documents may skip a heading level
default_role = "code"
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
autodoc_inherit_docstrings = False  # not those of other projects, in their markup
python_use_unqualified_type_names = True
html_theme = "furo"
html_title = "Chouine"
html_favicon = "icon.svg"
html_static_path = ["_static"]
html_css_files = ["chouine.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1d5c47", "color-brand-content": "#1d5c47"},
    "dark_css_variables": {"color-brand-primary": "#8fd0b4", "color-brand-content": "#8fd0b4"},
}


def with_code(_app: Any, _what: str, _name: str, _obj: object, _options: object, lines: list[str]) -> None:
    """Mark a docstring's indented lines as code."""
    starts = [
        nth + 1
        for nth, (before, line) in enumerate(pairwise(lines))
        if line.startswith("    ")
        and not before.strip()
        and (nth == 0 or not lines[nth - 1].startswith("    "))
    ]
    for start in reversed(starts):
        lines[start:start] = ["::", ""]


def setup(app: Any) -> None:
    app.add_search_language(PlainFrench)
    app.connect("autodoc-process-docstring", with_code)
