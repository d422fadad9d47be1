// @ts-check
/** Keyboard control of the table: arrows move between cards, letters read out information. */

import { drop, keep, recall } from "./storage.js";

const PANELS = ".menu[open], .ears[open], .pile[open], .status[open]";
const OFF = "chouine-keys-off";

/**
 * @param {HTMLElement} table
 * @param {import("./hand.js").Hand} hand
 * @param {(sentence: string) => void} say
 */
export function keys(table, hand, say) {
  const box = document.getElementById("single-keys");
  if (box instanceof HTMLInputElement) {
    box.checked = !recall(OFF);
    box.addEventListener("change", () => (box.checked ? drop(OFF) : keep(OFF, "1")));
  }
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || writing(event.target)) return;
    if (event.key === "Escape") close();
    else if (event.key === "ArrowLeft" || event.key === "ArrowRight") walk(table, hand, event);
    else if (event.key.length === 1 && !recall(OFF)) ask(table, event, say);
  });
  for (const left of ["click", "focusin"]) {
    document.addEventListener(left, ({ target }) => {
      setTimeout(() => leave(target)); // after the tapped card's handler
    });
  }
}

/** Closes panels when something outside them is used. @param {EventTarget | null} target */
function leave(target) {
  for (const panel of document.querySelectorAll(PANELS)) {
    if (target instanceof Node && !panel.contains(target)) shut(panel);
  }
}

/** @param {EventTarget | null} target */
const writing = (target) => target instanceof Element && Boolean(target.closest("input:not([type=checkbox]), select, textarea"));

function close() {
  for (const panel of document.querySelectorAll(PANELS)) {
    shut(panel);
    panel.querySelector("summary")?.focus();
  }
}

/**
 * Closes a panel and moves a focus inside it to its button.
 * @param {Element} panel
 */
export function shut(panel) {
  const inside = panel.contains(document.activeElement);
  panel.removeAttribute("open");
  if (inside) panel.querySelector("summary")?.focus();
}

/** @param {HTMLElement} table @param {import("./hand.js").Hand} hand @param {KeyboardEvent} event */
function walk(table, hand, event) {
  const cards = /** @type {HTMLElement[]} */ ([...table.querySelectorAll(".hand .card, .fan button")]);
  const at = cards.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  const free = document.activeElement === document.body || document.activeElement === table;
  if (!cards.length || (at < 0 && !free)) return;
  const by = event.key === "ArrowLeft" ? -1 : 1;
  event.preventDefault();
  if (event.shiftKey && at >= 0) hand.shift(cards[at], by);
  else cards[at < 0 ? 0 : (at + by + cards.length) % cards.length].focus();
}

/** @param {HTMLElement} table @param {KeyboardEvent} event @param {(sentence: string) => void} say */
function ask(table, event, say) {
  if (event.key === "?") {
    const help = document.getElementById("keys-help");
    help?.closest(".menu")?.setAttribute("open", "");
    help?.setAttribute("open", "");
    help?.querySelector("summary")?.focus();
    return;
  }
  const answer = table.querySelector(`[data-ask="${CSS.escape(event.key.toLowerCase())}"]`);
  if (!answer) return;
  event.preventDefault();
  say(`${answer.previousElementSibling?.textContent}. ${answer.textContent}`);
}
