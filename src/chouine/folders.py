"""The user's folders, as the XDG variables name them or below the home folder. The user of a service may have none."""

from __future__ import annotations

import os
from pathlib import Path

from chouine.errors import ChouineError


def home_folder() -> Path | None:
    """The home folder; None where there is none."""
    if os.environ.get("HOME") == "":  # which Python takes for the disk's root
        return None
    try:
        home = Path.home()
    except RuntimeError:
        return None
    return home if home.is_absolute() and home.is_dir() else None


def user_folder(variable: str, usual: str) -> Path | None:
    """Our folder in the one that a variable names, else in this one below the home folder; None where there is none."""
    base = Path(os.environ.get(variable, ""))
    if base.is_absolute():
        return base / "chouine"
    home = home_folder()
    return home and home / usual / "chouine"


def make_folder(folder: Path) -> Path:
    """A folder that a user has named, made if it is missing. Raises `ChouineError` where one above it is: mistyped."""
    if not folder.parent.exists():
        raise ChouineError("file/make-folder", folder=folder.parent)
    folder.mkdir(exist_ok=True)
    return folder


def need_folder(folder: Path | None, setting: str) -> Path:
    """The folder, made for its owner alone if it is missing.

    Raises `ChouineError`, which says by which option or variable another is named.
    """
    if folder is None:
        raise ChouineError("folder/no-home", setting=setting)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise ChouineError("folder/refused", folder=folder, setting=setting) from error
    return folder
