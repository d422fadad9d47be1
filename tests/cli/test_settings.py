"""A variable of the environment that cannot be read is named itself, not the option whose default it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from chouine.server.keeping import DAYS
from tests.cli.test_file_arguments import status
from tests.cli.test_mistakes import LEAVES, parser_of

WRONG = {
    "CHOUINE_PER_ADDRESS": ("serve", "many"),
    "CHOUINE_TRUSTED_PROXIES": ("serve", "caddy"),
    "CHOUINE_PUBLIC_URL": ("serve", "ftp://x"),
    "CHOUINE_EVENING": ("serve", "never"),
    "CHOUINE_ZONE": ("serve", "Mars/Olympus"),
    "CHOUINE_LEGAL": ("serve", __file__),
    "CHOUINE_OFF": ("serve", "everything"),
    "CHOUINE_MAIL_FROM": ("serve", "nobody"),
    "CHOUINE_SMTP_URL": ("serve --mail-from chouine@example.org", "http://x"),
    "CHOUINE_KEEP_QUOTA": ("prune", "1.5"),
    **{f"CHOUINE_KEEP_{kind.upper()}": ("prune", "soon") for kind in DAYS},
}
"""Each variable with a command and a wrong value."""
ADDRESSES = {
    "CHOUINE_DATABASE_URL": [
        (command, "oracle://x")
        for command in (
            "serve --port 0",
            "export Anne FILE",
            "erase Anne",
            "operator",
            "prune",
            "ratings",
            "reports",
            "backup FILE",
        )
    ],
    "CHOUINE_REDIS_URL": [("serve --port 0", "http://x"), ("worker", "http://x")],
    "CHOUINE_SERVER": [(f"bot random --token chouine_{'x' * 40}", "ftp://x")],
}
"""Addresses, each with commands and a wrong one."""
OTHERWISE = {
    "CHOUINE_TOKEN": "a secret, which is not repeated",
    "CHOUINE_ALLOWED_HOSTS": "any text is right",
}


def option_of(variable: str) -> str:
    """The option whose default a variable is."""
    return f"--{variable.removeprefix('CHOUINE_').removeprefix('KEEP_').lower().replace('_', '-')}"


def test_every_variable_is_tried() -> None:
    """The test knows each variable that a help text names, and each for how long something is kept."""
    helped = {
        variable
        for names in LEAVES
        for action in parser_of(names)._actions
        for variable in re.findall(r"CHOUINE_[A-Z_]+", str(action.help))
    }
    assert helped | {f"CHOUINE_KEEP_{kind.upper()}" for kind in DAYS} == {*WRONG, *ADDRESSES, *OTHERWISE}


@pytest.mark.parametrize("variable", WRONG)
def test_the_variable_is_named(
    variable: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    command, value = WRONG[variable]
    monkeypatch.setenv(variable, value)
    call = f"{command} --database DATABASE.db"
    assert status(call, DATABASE=tmp_path / "a") == 2
    told = capsys.readouterr().err
    assert re.search(rf"^chouine {command.split()[0]}: (error: )?{variable}: .", told, re.MULTILINE), told
    option = option_of(variable)
    assert option not in told.splitlines()[-1].partition("For example")[0]
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("variable", "call", "value"), [(each, *case) for each, cases in ADDRESSES.items() for case in cases]
)
def test_the_variable_of_an_address_is_named(
    variable: str,
    call: str,
    value: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By each command that asks for it; an address that is given as an option is not said to be the variable's."""
    monkeypatch.setenv(variable, value)
    assert status(f"{call} --language en", FILE=tmp_path / "a") == 2
    named = f"chouine {call.split(maxsplit=1)[0]}: {variable}: "
    assert named in capsys.readouterr().err
    option = {"CHOUINE_DATABASE_URL": "--database", "CHOUINE_REDIS_URL": "--redis"}.get(variable, "--server")
    assert status(f"{call} {option} {value} --language en", FILE=tmp_path / "a") == 2
    assert variable not in capsys.readouterr().err


@pytest.mark.parametrize("variable", [each for each in WRONG if each != "CHOUINE_SMTP_URL"])
def test_an_option_that_is_given_is_named_itself(
    variable: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then the variable counts for nothing, whatever it is."""
    command, value = WRONG[variable]
    monkeypatch.setenv(variable, value)
    option = option_of(variable)
    assert status(f"{command} {option} {value} --database DATABASE.db", DATABASE=tmp_path / "a") == 2
    told = capsys.readouterr().err
    assert f"{option}: " in told
    assert variable not in told


def test_help_is_given_whatever_the_variables(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable, (_command, value) in WRONG.items():
        monkeypatch.setenv(variable, value)
    for command in ("serve", "prune"):
        assert status(f"{command} --help") == 0
