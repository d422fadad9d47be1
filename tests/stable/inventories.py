"""What programs and people may rely on, as lists of lines, each a promise: see `docs/stability.md`.

The files beside hold the lists as of the last release. `python -m tests.stable.inventories` adds what is new;
`make release` does that first. A line goes only with a major version, by hand.
"""

from __future__ import annotations

import argparse
import inspect
import json
import re
from collections.abc import Callable, Iterator
from inspect import Parameter
from pathlib import Path

import chouine
from chouine.cli import COMMANDS, parser_for
from chouine.server.keeping import DAYS
from chouine.server.routes.addresses import routes
from chouine.server.routes.api import ENDPOINTS, document
from chouine.server.site import SWITCHES

HERE = Path(__file__).parent
SOURCES = Path(chouine.__file__).parent


def calls_of(name: str, function: Callable[..., object]) -> Iterator[str]:
    """A line with what a call must give, and one for each parameter that it may give, with its place."""
    parameters = [each for each in inspect.signature(function).parameters.values() if each.name != "self"]
    needed = [each.name for each in parameters if each.default is Parameter.empty]
    yield f"{name}({', '.join(needed)})"
    for place, each in enumerate(parameters):
        if each.default is not Parameter.empty:
            yield f"{name}({'' if each.kind is Parameter.KEYWORD_ONLY else f'{place}: '}{each.name}=)"


def names() -> Iterator[str]:
    """The library's names, how each is called, and the public attributes of its classes."""
    for name in chouine.__all__:
        found = getattr(chouine, name)
        yield name
        if not inspect.isclass(found):
            yield from calls_of(name, found)
            continue
        if not getattr(found, "_is_protocol", False):
            yield from calls_of(name, found)
        ours = [each for each in found.__mro__ if each.__module__.startswith("chouine.")]
        known = {each for one in ours for each in (*vars(one), *inspect.get_annotations(one))}
        for attribute in sorted(each for each in known if not each.startswith("_")):
            value = inspect.getattr_static(found, attribute, None)
            if inspect.isfunction(value) or isinstance(value, classmethod | staticmethod):
                yield from calls_of(f"{name}.{attribute}", getattr(found, attribute))
            else:
                yield f"{name}.{attribute}"


def addresses() -> Iterator[str]:
    """The addresses of a server, with their methods; a part in braces is any text."""
    for route in routes:
        for method in sorted((route.methods or set()) - {"HEAD"}):
            yield f"{method} {re.sub('{[^}]*}', '{}', route.path)}"


def fields() -> Iterator[str]:
    """What programs send to the API and what it answers, field by field, and what a token must allow."""
    for shape, schema in json.loads(document())["components"]["schemas"].items():
        for field, kind in schema["properties"].items():
            yield f"{shape}.{field}"
            yield from (f"{shape}.{field}={value}" for value in kind.get("enum", ()))
    for endpoint in ENDPOINTS:
        yield f"{endpoint.method} {endpoint.path}: {endpoint.scope or 'any scope'}"


def commands() -> Iterator[str]:
    """Commands, what each must be given, its options, and the values of those that take one of a few."""
    for name in COMMANDS:
        yield from options_of(name, parser_for(name)[0])


def options_of(name: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    needed = []
    for action in parser._actions:
        if isinstance(action, argparse._HelpAction):
            continue
        if isinstance(action, argparse._SubParsersAction):
            for below, inner in action.choices.items():
                yield from options_of(f"{name} {below}", inner)
            continue
        told = action.option_strings or [f"<{action.dest}>"]
        if not action.option_strings or action.required:
            needed.append(told[-1] + (str(action.nargs) if action.nargs else ""))
        for option in told if action.option_strings else []:
            yield f"{name} {option}" + ("" if action.nargs == 0 else " …")
        for choice in action.choices or ():
            yield f"{name} {told[-1]} {choice}"
    yield " ".join((name, *needed))


def settings() -> Iterator[str]:
    """Environment variables, and the words of the one that takes a list."""
    texts = (path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.py"))
    yield from {name for text in texts for name in re.findall(r'"(CHOUINE_[A-Z_]+[A-Z])"', text)}
    yield from (f"CHOUINE_KEEP_{name.upper()}" for name in DAYS)
    yield from (f"CHOUINE_OFF={name}" for name in SWITCHES)


INVENTORIES: dict[str, Callable[[], Iterator[str]]] = {
    "names": names,
    "addresses": addresses,
    "fields": fields,
    "commands": commands,
    "settings": settings,
}


def inventory_of_last_release(name: str) -> list[str]:
    """An inventory as of the last release."""
    path = HERE / f"{name}.txt"
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def main() -> None:
    """Add what is new to the files."""
    for name, inventory in INVENTORIES.items():
        before = {*inventory_of_last_release(name)}
        lines = sorted({*before, *inventory()})
        if len(lines) > len(before):
            print(f"tests/stable/{name}.txt: {len(lines) - len(before)} new lines, look at them")  # noqa: T201
        (HERE / f"{name}.txt").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    main()
