"""Names say what a thing does or is: a function is a verb or what it returns, and one word stands for one thing."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src" / "chouine"
BESIDE_THE_PACKAGE = ("benchmarks", "docs", "examples", "tests", "tools")

IRREGULAR = re.compile(
    r"""begun|bought|broken|brought|built|caught|chosen|come|dealt|done|drawn|driven|fallen|felt|found|frozen|given|gone
    |held|hidden|kept|known|laid|left|lost|made|meant|met|paid|said|seen|sent|shaken|shown|spent|spoken|spread|sprung
    |stolen|stood|taken|taught|thought|thrown|told|torn|understood|woken|won|worn|written""",
    re.VERBOSE,
)
ADVERBS = re.compile(
    r"""again|alone|along|aloud|already|also|apart|aside|away|back|before|behind|beside|between|but|down|here|manners|now
    |out|over|still|there|together|under|up|yet""",
    re.VERBOSE,
)
ADJECTIVES = re.compile(
    r"""absent|avoidable|certain|cheapest|deep|doubtful|drawable|due|durable|eligible|greater|harmless|highest|incomplete
    |lasting|live|missing|newest|oldest|outward|plain|preparable|readable|removable|seldom|slowest|sure|unfair|usual
    |visible|whole""",
    re.VERBOSE,
)
SCRIPT_FUNCTION = re.compile(
    r"""^[ ]*(?:export[ ])?(?:async[ ])?function[*]?[ ](\w+)
    |^[ ]*(?:export[ ])?const[ ](\w+)[ ]=[ ](?:async[ ])?(?:\([^()=]*\)|\w+)[ ]=>
    |^[ ]+(?:async[ ])?(?!if|for|while|switch|catch)(\w+)\([^)]*\)[ ]\{$""",
    re.VERBOSE | re.MULTILINE,
)
"""A function, an arrow with a name, or a method in a page's JavaScript."""
VERBS = ["embed", "exceed", "feed", "need", "proceed", "seed", "speed", "succeed"]
"""Verbs that end as participles do."""
EXCEPTIONS = {
    "cli/texts.py readable": "as Python's streams have it",
    "fast/compiler.py compiled": "a decorator: it says what the function becomes",
    "fast/intrinsics.py lowered": "numba's word for the code of an intrinsic",
    "partie/view.py held": "View.held is public: the cards held by a seat",
    "server/store.py now": "the database's time",
    "server/contest/contest_store.py now": "the time",
}
GIVEN_UP = {
    "Book": "RuleTable",
    "Counsel": "GivenAdvice",
    "Course": "Partie",
    "Few": "SmallIntConvertor",
    "Guard": "EdgeMiddleware",
    "Impatient": "TimeoutHttpProtocol",
    "Lane": "FairPool",
    "News": "FrameUpdate",
    "Packed": "GzipPages",
    "Screen": "AllowedView",
    "Share": "ComputeAccount",
    "SheetRow": "ResultRow",
    "Slip": "FaultKind",
    "Together": "BufferedTransport",
    "book_of": "rule_table_of",
    "by_lot": "random_command",
    "counsel": "advice",
    "counsel_in_words": "advice_in_words",
    "counsel_on": "advice_on",
    "course": "state_before or replay_with_events",
    "in_figures": "as_json or localized_number",
    "read_sheets": "read_results",
    "set_out": "opening_entries",
}
MODULES_GIVEN_UP = (
    "ai/neural",
    "envs/spiel/course",
    "partie/course",
    "partie/screen",
    "rules/book",
    "server/counsel",
    "server/news",
    "server/openings",
    "season/sheets",
    "server/steps",
)
SCRIPTS_GIVEN_UP = ("ears.js", "former.js", "fresh.js", "keeper.js")
SHARED_CLASSES = {
    "contest/acts.py": "the kinds of acts in stored logs",
    "season/acts.py": "the kinds of acts in stored logs",
    "server/api/shapes.py": "the JSON of what has the same name elsewhere",
}
"""Modules whose classes may be named like another module's."""
OTHERS = {
    "table/entries.py": "the fields of stored logs",
    "server/pages/home.py": "the room that an offline copy takes",
    "server/pages/books.py": "the rule book, which is a book",
    "tests/browser/pairs.py": "a window of the browser, whose size a page is laid out for",
}
"""Modules in which such a word is another thing."""


@cache
def modules() -> list[tuple[str, ast.Module]]:
    """The modules of the package: the path of each, and its syntax tree."""
    paths = sorted(SOURCES.rglob("*.py"))
    return [
        (path.relative_to(SOURCES).as_posix(), ast.parse(path.read_text(encoding="utf-8"))) for path in paths
    ]


@cache
def all_modules() -> list[tuple[str, ast.Module]]:
    """Those of the package and those beside it, which have the path of the whole repository."""
    paths = [path for folder in BESIDE_THE_PACKAGE for path in sorted((ROOT / folder).rglob("*.py"))]
    beside = [
        (path.relative_to(ROOT).as_posix(), ast.parse(path.read_text(encoding="utf-8"))) for path in paths
    ]
    return [*modules(), *beside]


def is_bare(name: str) -> bool:
    """Whether a function's name is one participle, adverb or adjective."""
    word = name.strip("_").removeprefix("un")
    if "_" in word or word in VERBS or name.startswith("__"):
        return False
    forms = (IRREGULAR, ADVERBS, ADJECTIVES)
    return word.endswith("ed") or any(form.fullmatch(word) for form in forms)


def is_property(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a method reads as an attribute, whose name may be an adjective."""
    return any(
        ast.unparse(decorator).rpartition(".")[2] in ("property", "cached_property", "setter")
        for decorator in function.decorator_list
    )


def is_fixture(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether tests get what a function gives as an argument of its name, which names a thing as it is there."""
    return any("pytest.fixture" in ast.unparse(decorator) for decorator in function.decorator_list)


def test_no_function_is_named_by_a_bare_participle_adverb_or_adjective() -> None:
    found = [
        f"{module}:{node.lineno} {node.name}"
        for module, tree in all_modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and is_bare(node.name)
        and not is_property(node)
        and not is_fixture(node)
        and f"{module} {node.name}" not in EXCEPTIONS
    ]
    assert not found, "\n".join(found)


EVENTS = {
    "contest/acts.py": "an act of a log says what was done",
    "season/acts.py": "an act of a log says what was done",
    "table/entries.py": "an entry of a log says what has happened",
    "partie/events.py": "an event says what has happened",
    "arena/conformance.py": "Limited: a measurement knows its players by the commit of this folder",
    "arena/pairs.py": "Wanted: the same",
    "server/api/shapes.py": "the names of what programs get, in a published description",
    "notation/visiting.py": "Visited is public: a record's text as it was met",
}
"""Modules whose classes may be named by participles."""
WORD = re.compile(r"[A-Z][a-z0-9]*")


def errors_among(classes: list[tuple[str, ast.ClassDef]]) -> set[str]:
    """The names of the classes of errors, which say what is the matter: an error is `Refused` or `Damaged`."""
    found, before = {"ConnectionError", "Exception", "HTTPException"}, 0
    while len(found) > before:
        before = len(found)
        found |= {
            node.name
            for _, node in classes
            if any(ast.unparse(base).rpartition(".")[2] in found for base in node.bases)
        }
    return found


def test_no_class_is_named_by_a_bare_participle_adverb_or_adjective() -> None:
    """A class is named by what it is, in tests and benchmarks too."""
    classes = [
        (module, node)
        for module, tree in all_modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    ]
    errors = errors_among(classes)
    found = [
        f"{module}:{node.lineno} {node.name}"
        for module, node in classes
        if len(WORD.findall(node.name)) == 1
        and is_bare(node.name.lower())
        and module not in EVENTS
        and node.name not in errors
    ]
    assert not found, "\n".join(found)


def test_no_function_of_a_page_is_named_by_a_bare_participle_adverb_or_adjective() -> None:
    found = [
        f"{path.name}: {name}"
        for path in sorted((SOURCES / "server" / "static" / "js").rglob("*.js"))
        for names in SCRIPT_FUNCTION.findall(path.read_text(encoding="utf-8"))
        for name in filter(None, names)
        if name.islower() and is_bare(name)
    ]
    assert not found, "\n".join(found)


def test_each_exception_exists() -> None:
    names = {
        f"{module} {node.name}"
        for module, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert names.issuperset(EXCEPTIONS)


def test_a_name_given_up_is_not_used() -> None:
    found = [
        f"{module}:{node.lineno} {node.name}: {GIVEN_UP[node.name]}"
        for module, tree in all_modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name in GIVEN_UP and module not in OTHERS
    ]
    assert not found, "\n".join(found)


def test_a_class_has_a_name_of_its_own() -> None:
    """Whoever reads `Standing` need not ask which."""
    places: dict[str, list[str]] = {}
    for module, tree in modules():
        if module not in SHARED_CLASSES:
            for node in tree.body:
                if isinstance(node, ast.ClassDef):
                    places.setdefault(node.name, []).append(module)
    found = [f"{name}: {', '.join(where)}" for name, where in sorted(places.items()) if len(where) > 1]
    assert not found, "\n".join(found)


def test_the_server_calls_a_tables_id_table_id() -> None:
    """Neither `game` for a table's id nor `room` for its state is a name in the server."""
    found = [
        f"{module} {name}"
        for module, tree in modules()
        if module.startswith(("server/", "table/"))
        and not module.startswith(("server/contest/", "server/migrations/"))
        and module not in OTHERS
        for node in ast.walk(tree)
        for name in (getattr(node, "id", None) if isinstance(node, ast.Name) else getattr(node, "arg", None),)
        if name in ("game", "room")
    ]
    assert not found, "\n".join(found)


def test_modules_given_up_are_gone() -> None:
    assert not [name for name in MODULES_GIVEN_UP if (SOURCES / f"{name}.py").exists()]
    scripts = {path.name for path in (SOURCES / "server" / "static").rglob("*.js")}
    assert not scripts.intersection(SCRIPTS_GIVEN_UP)
