"""A log of a whole partie by keyboard and screen reader: `python -m tests.browser.heard [FILE]`.

Keys, focused elements and sentences of the live regions, in order. Names and roles come from Chromium's accessibility
tree, which screen readers use.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import CDPSession, Page, expect

from chouine.phrases import Language
from tests.browser.house import ROOT, Guest, House
from tests.browser.launched import launch
from tests.browser.moments import LAST_CARD
from tests.browser.visitor import DESKTOP, Visitor

WRITTEN = ROOT / "docs" / "heard.txt"
LISTEN = """() => {
  window.heard = [];
  const note = node => node.textContent.trim() && heard.push(node.textContent.trim());
  new MutationObserver(changes => changes.forEach(({addedNodes}) => addedNodes.forEach(note)))
    .observe(document.getElementById("live"), {childList: true});
}"""
SILENT = {"generic", "none", "InlineTextBox", "LineBreak", "RootWebArea", "StaticText"}
MOST_KEYS = 40
QUESTIONS = "hatls"
"""Keys that read out the hand, trumps, the talon, the last trick and the score."""


@dataclass
class Listener:
    """A blind player of the first seat, by keys."""

    house: House
    page: Page
    session: CDPSession
    game: str
    lines: list[str] = field(default_factory=list)
    told: int = 0

    def outline(self) -> None:
        """Log the page's accessibility tree, and text that is not part of a name."""
        nodes = {node["nodeId"]: node for node in self.session.send("Accessibility.getFullAXTree")["nodes"]}

        def walk(node: dict[str, Any], depth: int, within: str) -> None:
            told = not node["ignored"] and role(node) not in SILENT
            text = role(node) == "StaticText" and name(node) not in within
            if told or text:
                self.lines.append(f"  {'  ' * depth}{'' if text else role(node) + ' '}“{name(node)}”")
            for child in node.get("childIds", ()):
                if child in nodes and role(node) != "log":
                    walk(nodes[child], depth + told, name(node) if told else within)

        walk(next(iter(nodes.values())), 0, "")

    def focus(self) -> str:
        """The focused element, as a screen reader reads it."""
        for node in self.session.send("Accessibility.getFullAXTree")["nodes"]:
            if node["ignored"]:
                continue
            held = {each["name"]: each["value"].get("value") for each in node.get("properties", ())}
            if held.get("focused") and role(node) != "RootWebArea":
                return f"{role(node)} “{name(node)}”{', unavailable' if held.get('disabled') else ''}"
        return "the page"

    def listen(self) -> None:
        """Log new sentences of the live region."""
        heard: list[str] = self.page.evaluate("heard")
        self.lines.extend(f"  says “{with_plain_spaces(sentence)}”" for sentence in heard[self.told :])
        self.told = len(heard)

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.lines.append(f"{key}: {self.focus()}")

    def act(self, token: str) -> None:
        """Move the focus to an act's button by keys and press Enter."""
        target = self.page.locator(f"#table button[value='{token}']")
        expect(target).to_have_count(1)
        wanted = target.element_handle()
        within = target.evaluate("e => Boolean(e.closest('.hand'))")
        self.lines.append("")
        for _ in range(MOST_KEYS):
            if wanted.evaluate("e => e === document.activeElement"):
                break
            among = self.page.evaluate("Boolean(document.activeElement?.closest('.hand'))")
            self.press("ArrowRight" if within and among else "Tab")
        else:
            raise AssertionError(f"the keyboard does not reach {token}")
        self.lines.append("Enter")
        with self.page.expect_response("**/act"):  # before, the page would not heed the next act
            self.page.keyboard.press("Enter")

    def wait_until_settled(self) -> None:
        """Wait until the page shows the table's present state."""
        state = self.house.room(self.game).state
        if state is None or state.result is not None:
            expect(self.page.locator("#headline")).to_be_visible()
        else:
            expect(self.page.locator(".trick .card")).to_have_count(len(state.view(0).table))
            expect(self.page.locator(".hand .card")).to_have_count(len(state.view(0).hand))
            ready = state.turn == 0
            expect(self.page.locator(".hand.ready")).to_have_count(int(ready))
        self.listen()

    def partie(self, tokens: list[str]) -> None:
        self.lines.append("The page, as it is walked through:")
        self.outline()
        for key in QUESTIONS:
            self.page.keyboard.press(key)
            self.lines.append(f"{key}")
            self.listen()
        for token in tokens:
            state = self.house.room(self.game).state
            assert state is not None
            if token in map(str, state.legal(0)):
                self.act(token)
                self.page.wait_for_function("n => heard.length > n", arg=self.told)
            else:
                self.lines.append("")
                self.house.play(self.game, token)
            self.wait_until_settled()
        self.lines += ["", "The count, as it is walked through:"]
        self.outline()


def role(node: dict[str, Any]) -> str:
    found: str = node["role"]["value"]
    return found


def name(node: dict[str, Any]) -> str:
    found: str = node.get("name", {}).get("value", "")
    return with_plain_spaces(found)


def with_plain_spaces(text: str) -> str:
    return text.replace("\N{NO-BREAK SPACE}", " ").replace("\N{NARROW NO-BREAK SPACE}", " ").strip()


def heard(house: House, visitor: Visitor, guest: Guest) -> list[str]:
    """The log of a known partie with an exchange and declarations by both sides."""
    tokens = [*LAST_CARD.played.split(), "Tc"]
    game = house.table([guest, Guest("", "friend", "Basile")], deal=LAST_CARD.deal)
    page = visitor.go(f"/table/{game}")
    page.locator(".hand.ready .card").first.wait_for()
    page.evaluate(LISTEN)
    session = visitor.context.new_cdp_session(page)
    session.send("Accessibility.enable")
    listener = Listener(house, page, session, game)
    listener.partie(tokens)
    return listener.lines


def main(path: Path) -> None:
    languages: list[Language] = ["fr", "en"]
    with launch() as (house, browser):
        written = [
            "A whole partie by keyboard, as a screen reader is told of it: `python -m tests.browser.heard`."
        ]
        for language in languages:
            guest = house.guest("Irma", language, hold=0.3)
            visitor = Visitor.of(browser, house, guest, language, DESKTOP, still=True)
            written += ["", f"== {language}", "", *heard(house, visitor, guest)]
        path.write_text("\n".join(written) + "\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else WRITTEN)
