"""Files are written whole or not at all, through a temporary name that is nobody's."""

from __future__ import annotations

import ast
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from errno import EROFS
from pathlib import Path

import pytest

from chouine.files import TEMPORARY, append, replacing, write_new, write_whole, writing
from tests.rights import obey_modes
from tests.test_function_names import modules

ELSEWHERE = {
    ("cli/terminal/saves.py", "hold_lock"): "a lock has no content",
    ("server/contest/start.py", "dropped_file"): "in a folder of its own, which is removed",
    ("server/contest/start.py", "take"): "the same",
    ("server/contest/season_store.py", "results_of_bytes"): "the same",
    ("cli/restore.py", "run"): "the same",
    ("cli/terminal/saves.py", "set_aside"): "a file that cannot be read gets a name that is free",
    ("cli/warm.py", "ship"): "into the package itself, whose files have the names of their digests",
}
"""Functions that make files all the same, each with its reason."""


def makers(tree: ast.AST, inside: str = "") -> Iterator[tuple[str, ast.Call]]:
    """The calls that make or replace a file, each with the function that it is in."""
    for node in ast.iter_child_nodes(tree):
        named = node.name if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else inside
        if isinstance(node, ast.Call) and makes_file(node):
            yield named, node
        yield from makers(node, named)


def makes_file(call: ast.Call) -> bool:
    match call.func:
        case ast.Attribute(attr="write_text" | "write_bytes" | "copyfile" | "copytree" | "mkstemp"):
            return True
        case ast.Attribute(value=ast.Name(id="shutil"), attr="copy" | "copy2" | "move"):
            return True
        case ast.Name(id="copyfile" | "copytree" | "mkstemp" | "NamedTemporaryFile"):
            return True
        case ast.Attribute(value=ast.Name(id="np" | "torch"), attr="save" | "savez" | "savez_compressed"):
            return ast.unparse(call.args[-1 if call.func.attr == "save" else 0]) != "file"
        case ast.Attribute(attr="rename") | ast.Name(id="create_private"):
            return True
        case ast.Attribute(attr="replace") if (
            len(call.args) == 1
        ):  # of a path; that of a text has two arguments
            return not call.keywords
        case ast.Attribute(attr="open") | ast.Name(id="open"):
            modes = [one.value for one in call.args if isinstance(one, ast.Constant)]
            modes += [one.value.value for one in call.keywords if isinstance(one.value, ast.Constant)]
            return any(isinstance(mode, str) and {*mode} & {*"wx"} and len(mode) < 4 for mode in modes)
    return False


def test_no_other_module_makes_or_replaces_a_file() -> None:
    """Who needs one takes `writing`, `write_whole`, `write_new` or, for a database, `replacing`."""
    found = {(module, function) for module, tree in modules() for function, _ in makers(tree)}
    found = {each for each in found if each[0] != "files.py" and not each[0].startswith("server/migrations/")}
    assert found == ELSEWHERE.keys()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def usual_umask() -> Iterator[None]:
    before = os.umask(0o027)
    yield
    os.umask(before)


def test_modes(tmp_path: Path, usual_umask: None) -> None:
    """A new file has what the umask leaves, an old one what it had, a private one is its owner's alone."""
    path = tmp_path / "a"
    write_whole(path, "é")
    assert (path.read_bytes(), mode(path)) == ("é".encode(), 0o640)
    path.chmod(0o666)
    write_whole(path, b"b")
    assert (path.read_bytes(), mode(path)) == (b"b", 0o666)
    write_whole(path, "c", private=True)
    assert (path.read_bytes(), mode(path)) == (b"c", 0o600)


def test_what_fails_leaves_everything_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("before")

    def fail(wrong: BaseException) -> None:
        with writing(path) as stream:
            stream.write(b"half")
            raise wrong

    def fail_beside() -> None:
        with replacing(path) as fresh:
            Path(f"{fresh}-wal").touch()
            raise OSError(28, "The disk is full")

    for wrong in (KeyboardInterrupt(), ValueError()):
        with pytest.raises(type(wrong)):
            fail(wrong)
    with pytest.raises(OSError, match="full") as full:
        fail_beside()
    assert full.value.filename == str(path)
    assert [each.name for each in tmp_path.iterdir()] == ["a"]
    assert path.read_text() == "before"


def test_errors_name_the_file_that_was_meant(tmp_path: Path) -> None:
    for path in (tmp_path / "none" / "a", tmp_path):
        with pytest.raises(OSError) as error:  # noqa: PT011  # which one is the system's affair
            write_whole(path, "x")
        assert str(error.value.filename) == str(path)
    assert not list(tmp_path.parent.glob(TEMPORARY.format("*")))


@pytest.mark.parametrize("write", [write_whole, write_new, append])
def test_an_error_of_a_write_names_the_file(
    write: Callable[[Path, bytes], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: int) -> None:
        raise OSError(28, "The disk is full")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="full") as full:
        write(path := tmp_path / "a", b"x")
    assert full.value.filename == str(path)


def test_what_is_appended_begins_a_line(tmp_path: Path) -> None:
    """Some editors leave the last line without its end."""
    path = tmp_path / "a"
    for before, after in (("", "new\n"), ("old", "old\nnew\n"), ("old\n", "old\nnew\n"), ("\n", "\nnew\n")):
        path.write_text(before)
        append(path, b"new\n")
        assert path.read_text() == after
    path.unlink()
    append(path, b"new\n")
    assert path.read_text() == "new\n"


def test_an_error_of_a_disk_that_can_only_be_read_names_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such a disk refuses to remove even what is not there."""

    def refuse(path: Path, *_: object, **__: object) -> None:
        raise OSError(EROFS, os.strerror(EROFS), str(path))

    monkeypatch.setattr(os, "open", refuse)
    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(OSError, match=os.strerror(EROFS)) as refused:
        write_whole(path := tmp_path / "a", b"x")
    assert refused.value.filename == str(path)


def test_a_link_leads_where_it_led(tmp_path: Path) -> None:
    (tmp_path / "stick").mkdir()
    link = tmp_path / "a"
    link.symlink_to(tmp_path / "stick" / "b")
    write_whole(link, "x")
    assert link.is_symlink()
    assert (tmp_path / "stick" / "b").read_text() == "x"


def test_a_file_that_may_not_be_written_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_text("x")
    path.chmod(0o444)
    write = "import sys, pathlib, chouine.files as f; f.write_whole(pathlib.Path(sys.argv[1]), 'y')"
    run = subprocess.run(
        [*obey_modes(), sys.executable, "-c", write, path], stderr=subprocess.PIPE, text=True, check=False
    )
    assert run.returncode
    assert run.stderr.splitlines()[-1].startswith("PermissionError")
    assert path.read_text() == "x"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_what_is_no_file_is_written_to(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="space") as full:
        write_whole(Path("/dev/full"), "x")
    assert full.value.filename == "/dev/full"
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_whole(pipe, "x")
    assert os.read(reader, 9) == b"x"
    os.close(reader)
    assert pipe.is_fifo()
    with pytest.raises(PermissionError), replacing(pipe):
        pass
    assert pipe.is_fifo()
