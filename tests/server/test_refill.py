"""A refused form is filled in again: the one that was sent, with what was sent, and nothing else of the page."""

from __future__ import annotations

import pytest
from starlette.datastructures import FormData

from chouine.server.refill import MOST, refill

CSRF = '<input type="hidden" name="csrf" value="1">'


def page_of(*forms: str) -> str:
    return (
        "<!doctype html>\n<body class=x>\n<p title='é &amp; <'>1 &lt; 2</p>\n"
        + "\n".join(forms)
        + "\n</body>\n"
    )


def form_of(fields: str, hidden: str = "", action: str = "/a") -> str:
    return f'<form method="post" action="{action}">{CSRF}{hidden}\n{fields}</form>'


@pytest.mark.parametrize(
    ("fields", "sent", "filled"),
    [
        ('<input name="n">', {"n": '"<&'}, '<input name="n" value="&#34;&lt;&amp;">'),
        (
            '<input type="date" name="n" value="1" required>',
            {"n": "2"},
            '<input type="date" name="n" value="2" required>',
        ),
        (
            '<textarea name="n">x</textarea>',
            {"n": "\n</textarea>"},
            '<textarea name="n">\n\n&lt;/textarea&gt;</textarea>',
        ),
        (
            '<textarea name="n">x &amp; y</textarea>',
            {"n": "x & y"},
            '<textarea name="n">x &amp; y</textarea>',
        ),
        ('<input type="checkbox" name="n" checked>', {}, '<input type="checkbox" name="n">'),
        ('<input type="checkbox" name="n">', {"n": "on"}, '<input type="checkbox" name="n" checked>'),
        (
            '<input type="radio" name="n" value="1" checked><input type="radio" name="n" value="2">',
            {"n": "2"},
            '<input type="radio" name="n" value="1"><input type="radio" name="n" value="2" checked>',
        ),
        (
            '<input type="radio" name="n" value="1" checked>',
            {},
            '<input type="radio" name="n" value="1" checked>',
        ),
        (
            '<select name="n"><option value="1">a</option><option value="2">b</option></select>',
            {"n": "2"},
            '<select name="n"><option value="1">a</option><option value="2" selected>b</option></select>',
        ),
        (
            '<select name="n"><option value="1">a</option><option value="2">b</option></select>',
            {"n": "3"},
            '<select name="n"><option value="1">a</option><option value="2">b</option></select>',
        ),
        (
            '<input name="n"><input name="n">',
            {"n": ["1", "2"]},
            '<input name="n" value="1"><input name="n" value="2">',
        ),
        ('<input type="password" name="n">', {"n": "1"}, '<input type="password" name="n">'),
        ('<input type="file" name="n">', {"n": "1"}, '<input type="file" name="n">'),
        (
            '<input type="hidden" name="seen" value="2">',
            {"seen": "1"},
            '<input type="hidden" name="seen" value="2">',
        ),
        (
            '<textarea name="n" data-secret></textarea>',
            {"n": "1"},
            '<textarea name="n" data-secret></textarea>',
        ),
        ('<input name="n" disabled>', {"n": "1"}, '<input name="n" disabled>'),
        ('<input name="n">', {"n": "\ud800\0"}, '<input name="n" value="??">'),
        (
            '<details class="x"><p><input name="n"></p></details><details></details>',
            {"n": "1"},
            '<details class="x" open><p><input name="n" value="1"></p></details><details></details>',
        ),
        (
            '<details><input name="n" value="1"></details>',
            {"n": "1"},
            '<details><input name="n" value="1"></details>',
        ),
    ],
)
def test_a_field_is_filled_in(fields: str, sent: dict[str, str | list[str]], filled: str) -> None:
    """Escaped and in its kind's way; secrets, files and what the page itself says stay as they are."""
    pairs = [
        (name, value)
        for name, given in sent.items()
        for value in (given if isinstance(given, list) else [given])
    ]
    other = form_of('<input name="n">', action="/b")
    page = page_of(form_of(fields), other)
    form: FormData = FormData([("csrf", "1"), *pairs])
    assert refill(page, "/a", form) == page_of(form_of(filled), other)


@pytest.mark.parametrize("folds", [("<details>", "<details open>"), ("<details open>", "<details open>")])
def test_what_hides_the_form_is_opened(folds: tuple[str, str]) -> None:
    before, after = (page_of(f"{fold}\n{form_of('')}</details><details></details>") for fold in folds)
    assert refill(before, "/a", FormData({"csrf": "1"})) == after


@pytest.mark.parametrize(
    ("forms", "sent", "which"),
    [
        ([{"act": "1"}, {"act": "2"}], {"act": "2"}, 1),
        ([{"act": "1"}, {"act": "1", "of": "2"}], {"act": "1", "of": "2"}, 1),
        ([{"act": "1"}, {"act": "1", "of": "2"}], {"act": "1"}, 0),
        ([{"act": "1"}, {"act": "1"}], {"act": "1"}, None),
        ([{"act": "1"}], {"act": "2"}, None),
        ([{"seen": "7"}], {"seen": "6"}, 0),
        ([{}], {"shown": "6"}, None),
        ([{}], {"told": "6"}, 0),
    ],
)
def test_the_one_form_that_was_sent_is_found(
    forms: list[dict[str, str]], sent: dict[str, str], which: int | None
) -> None:
    """By what it holds unseen; where two are alike, or none is it, nothing is filled in."""

    def page(filled: int | None) -> str:
        return page_of(
            *(
                form_of(
                    f'<input name="n"{" value=" + chr(34) + "x" + chr(34) if nth == filled else ""}>',
                    "".join(
                        f'<input type="hidden" name="{name}" value="{own}">' for name, own in hidden.items()
                    ),
                )
                for nth, hidden in enumerate(forms)
            )
        )

    assert refill(page(None), "/a", FormData({"csrf": "1", "n": "x", **sent})) == page(which)


def test_a_button_tells_forms_apart() -> None:
    undo, end = (form_of(f'<input name="n"><button name="act" value="{act}">') for act in ("undo", "end"))
    page = refill(page_of(undo, end), "/a", FormData({"csrf": "1", "n": "x", "act": "end"}))
    assert page == page_of(undo, end.replace('name="n"', 'name="n" value="x"'))


def test_only_a_form_that_is_posted_there_is_filled_in() -> None:
    page = page_of(
        form_of('<input name="n">', action="/b"),
        form_of('<input name="n">').replace("post", "get"),
        "<input name=n>",
    )
    assert refill(page, "/a", FormData({"csrf": "1", "n": "x"})) == page
    page = page_of(form_of('<input name="n">', action="/a?b=1"))
    assert 'value="x"' in refill(page, "/a", FormData({"csrf": "1", "n": "x"}))


def test_a_page_does_not_grow_without_bounds() -> None:
    page = page_of(form_of('<input name="n">'))
    assert refill(page, "/a", FormData({"csrf": "1", "n": "x" * MOST})) == page
