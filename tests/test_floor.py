"""What the oldest supported browsers lack does not get into a style sheet or a script unseen."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from tests.needs import need

ROOT = Path(__file__).parents[1]
STATIC = Path("src/chouine/server/static")
FOUND = [
    ("css/base.css", "p { translate: 1rem 0; }", "translate"),
    ("css/base.css", "p { width: 10dvw; }", "unit dvw"),
    ("css/base.css", "p { color: color-mix(in srgb, red, blue); }", "color-mix()"),
    ("css/base.css", "@layer one { p { color: red; } }", "@layer"),
    ("css/base.css", "p { & b { color: red; } }", "nesting"),
    ("css/base.css", "li:nth-child(2 of .x) { color: red; }", ":nth-child of"),
    ("js/zone.js", "structuredClone({});", "structuredClone"),
    ("js/zone.js", "Object.hasOwn({}, 'a');", "Object.hasOwn"),
    ("js/zone.js", "AbortSignal.timeout(1);", "AbortSignal.timeout"),
    ("js/zone.js", "document.forms[0].requestSubmit();", ".requestSubmit"),
    ("js/zone.js", "[].findLast(Boolean);", ".findLast"),
]
PASSED = [
    ("css/base.css", "@supports (translate: 0) { p { translate: 1rem 0; } }"),
    ("css/base.css", "p { height: 1vh; height: 1dvh; }"),
    ("js/zone.js", "document.forms[0].requestSubmit?.();"),
]


def complaints(folder: Path, *additions: tuple[str, str]) -> list[str]:
    """The complaints about our files in a folder, with lines added to some."""
    need("axe", "node")
    for part in ("package.json", "tools", "docs/site", str(STATIC)):
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, folder / part)
        else:
            shutil.copy(ROOT / part, folder / part)
    (folder / "node_modules").symlink_to(ROOT / "node_modules")
    for name, more in additions:
        with (folder / STATIC / name).open("a") as file:
            file.write(f"\n{more}\n")
    done = subprocess.run(
        ["node", "tools/floor.mjs"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == bool(done.stderr)
    return done.stderr.splitlines()


def test_what_the_floor_lacks_is_found(tmp_path: Path) -> None:
    told = complaints(tmp_path, *((name, more) for name, more, _ in FOUND))
    named = {line.partition(" is not in ")[0] for line in told}
    assert named == {found for _, _, found in FOUND}


def test_what_has_its_fallback_beside_it_is_passed_over(tmp_path: Path) -> None:
    assert complaints(tmp_path, *PASSED) == []


def test_newer_syntax_is_found(tmp_path: Path) -> None:
    told = complaints(tmp_path, ("js/zone.js", "class A { #a; has(b) { return #a in b; } }"))
    assert any("SyntaxError" in line for line in told)
