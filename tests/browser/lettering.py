"""Faults of laid-out text: words broken in the middle, and texts over one another or out of their boxes."""

from __future__ import annotations

from playwright.sync_api import Page

SELECT = """
  const ink = document.createElement("canvas").getContext("2d");
  const cutsChoice = e => {
    const {font, paddingLeft, paddingRight} = getComputedStyle(e), arrow = 20;
    ink.font = font;
    const room = e.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - arrow;
    return ink.measureText(e.selectedOptions[0]?.text ?? "").width > room;
  };"""
"""Whether a closed select, which cannot wrap its text, cuts it."""

FAULTS = r"""() => {
  const found = new Set(), range = document.createRange(), placed = [];
  const words = /(?<!\p{N})\p{N}{1,3}[-–]\u2060?\p{N}{1,3}(?!\p{N})|[\p{L}\p{M}\p{N}’']+/gu; // a score is a word
  const elsewhere = ".unseen, .skip, svg, pre, code, kbd, textarea, select, option, script, style, noscript";
  const upon = "dialog, .notice, .panel, .over, .banner, #push, #beside, .trouble, .site-banners, .steps, .back, " +
    ".feast, .told, .speech, .invites, .curtain, .status, .bar, .count .next";
  const clips = e => getComputedStyle(e).overflowX !== "visible";
  const scrolls = e => /auto|scroll/.test(getComputedStyle(e).overflow);
  const framed = e => {
    const {borderTopWidth, backgroundColor, backgroundImage} = getComputedStyle(e);
    return parseFloat(borderTopWidth) > 0 || backgroundColor !== "rgba(0, 0, 0, 0)" || backgroundImage !== "none";
  };
  const around = (e, is) => {
    while (e && e !== document.body && !is(e)) e = e.parentElement;
    return e === document.body ? null : e;
  };
  const named = e => `${e.parentElement.className}/${e.tagName}.${e.className}`;
  const hidden = e => getComputedStyle(e).clipPath !== "none";
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text; (text = texts.nextNode());) {
    const e = text.parentElement, said = text.data.trim().slice(0, 40);
    const seen = e.checkVisibility({visibilityProperty: true, opacityProperty: true});
    if (!said || !seen || e.closest(elsewhere) || around(e, hidden)) continue;
    for (const word of text.data.matchAll(words)) {
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const lines = [...range.getClientRects()].filter(line => line.width > 0.5);
      if (lines.some(line => Math.abs(line.top - lines[0].top) > line.height / 2))
        found.add(`"${word[0]}" is broken in ${named(e)}`);
    }
    const may = /[^\S\u00a0]\u00a0?·/.test(text.data) && !e.closest(".book");
    if (may) found.add(`a line may begin with "·" in "${said}"`);
    if (/\p{N}\s[-–]\s\p{N}/u.test(text.data)) found.add(`blanks around the dash of "${said}"`);
    range.selectNodeContents(text);
    const frame = around(e, one => framed(one) || clips(one)), box = frame?.getBoundingClientRect();
    const item = e.closest("li")?.getBoundingClientRect(); // beside others in columns
    for (const line of range.getClientRects()) {
      if (line.width < 1) continue;
      if (item && !clips(frame ?? e) && line.right - item.right > 2) found.add(`"${said}" is beyond its item`);
      const beyond = box && !clips(frame) && Math.max(line.right - box.right, box.left - line.left) > 2;
      const below = box && !clips(frame) && Math.max(line.bottom - box.bottom, box.top - line.top) > 0.3 * line.height;
      if (beyond || below) found.add(`"${said}" is out of ${named(frame)}`);
      let {left, top, right, bottom} = line;
      for (let clip = around(e, clips); clip; clip = around(clip.parentElement, clips)) {
        const edge = clip.getBoundingClientRect();
        [left, right] = [Math.max(left, edge.left), Math.min(right, edge.right)];
        [top, bottom] = [Math.max(top, edge.top), Math.min(bottom, edge.bottom)];
      }
      const layer = e.closest(upon), high = line.height;
      if (right > left && bottom > top) placed.push({text, said, left, top, right, bottom, high, layer});
    }
  }
  placed.forEach((one, nth) => {
    for (const other of placed.slice(nth + 1)) {
      if (one.layer !== other.layer || one.text === other.text) continue;
      const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const shared = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      if (wide > 3 && shared > 0.45 * Math.min(one.high, other.high))
        found.add(`"${one.said}" lies over "${other.said}"`);
    }
  });
  for (const e of document.querySelectorAll("select"))
    if (e.checkVisibility() && cutsChoice(e)) found.add(`${e.name} cuts "${e.selectedOptions[0].text}"`);
  return [...found];
}""".replace("() => {", "() => {" + SELECT, 1)


def lettering_faults(page: Page) -> list[str]:
    """Words of prose that are broken, texts out of the box that frames them or over one another, and cut choices.

    Code and what is typed may break anywhere; panels and notices lie over the page on purpose.
    """
    found: list[str] = page.evaluate(FAULTS)
    return found
