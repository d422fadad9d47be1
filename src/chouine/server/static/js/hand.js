// @ts-check
/** The player's own order of cards: each keeps its place until sorted, and can be moved by dragging or by keys. */

import { facingOf } from "./flip.js";
import { keep, recallJson } from "./storage.js";

const STEP = 10;

/** @typedef {{partie: string, order: string[]}} Kept the places from the left; an empty string is a place kept for the next card */

export class Hand {
  /**
   * @param {HTMLElement} table
   * @param {string} name key under which the order is stored
   * @param {boolean} always whether the hand is sorted after each draw
   */
  constructor(table, name, always) {
    this.table = table;
    this.name = `chouine-hand-${name}`;
    this.always = always;
    /** @type {Kept | null} */
    this.kept = recallJson(this.name);
    /** @type {{card: HTMLElement, x: number, y: number, moved: boolean} | null} */
    this.drag = null;
    table.addEventListener("pointerdown", (event) => this.press(event));
    table.addEventListener("pointermove", (event) => this.move(event));
    table.addEventListener("click", (event) => this.sort(event));
  }

  /**
   * Arranges a hand in the player's order; a drawn card takes the place of the card laid.
   * @param {ParentNode} page
   */
  arrange(page) {
    const hand = page.querySelector(".hand");
    if (!(hand instanceof HTMLElement)) return;
    const sorted = [...hand.children].map(name);
    const partie = hand.dataset.partie ?? "";
    const before = this.kept?.partie === partie && Array.isArray(this.kept.order) && !this.always ? this.kept.order : sorted;
    const order = orderOf(before, sorted, draws(page));
    const places = new Map([...hand.children].map((place) => [name(place), place]));
    hand.replaceChildren(...order.map((card, at) => places.get(card) ?? gap(at)));
    this.keep(hand);
    const sort = page.querySelector("[data-sort]");
    if (sort instanceof HTMLElement) sort.hidden = order.filter(Boolean).join() === sorted.join();
  }

  /** @param {HTMLElement} hand */
  keep(hand) {
    this.kept = { partie: hand.dataset.partie ?? "", order: [...hand.children].map(name) };
    keep(this.name, JSON.stringify(this.kept));
  }

  /**
   * Keeps the place of a card that is laid for the next draw, if there is one.
   * @param {Element} card
   */
  leave(card) {
    const place = card.closest("li");
    if (!place?.parentElement) return;
    if (draws(this.table)) place.replaceWith(gap([...place.parentElement.children].indexOf(place)));
    else place.remove();
  }

  /**
   * Moves a card one place.
   * @param {HTMLElement} card
   * @param {number} by
   */
  shift(card, by) {
    const place = card.closest("li");
    const beside = by < 0 ? place?.previousElementSibling : place?.nextElementSibling;
    if (!place?.parentElement || !beside) return;
    if (by < 0) beside.before(place);
    else beside.after(place);
    this.keepMoved(place.parentElement);
    card.focus();
  }

  /** @param {MouseEvent} event */
  sort(event) {
    if (!(event.target instanceof Element) || !event.target.closest("[data-sort]")) return;
    this.kept = null;
    this.table.dispatchEvent(new CustomEvent("sorted"));
  }

  /** @param {PointerEvent} event */
  press(event) {
    const card = event.target instanceof Element ? event.target.closest(".hand .card") : null;
    if (card instanceof HTMLElement && event.isPrimary) {
      this.drag = { card, x: event.clientX, y: event.clientY, moved: false };
    }
  }

  /** Listens for drag events only after a press, so that a tap costs little. @param {PointerEvent} event */
  move(event) {
    const drag = this.drag;
    if (!drag) return;
    if (!event.buttons) return this.release();
    const x = facingOf(drag.card) * (event.clientX - drag.x);
    if (!drag.moved && Math.abs(x) > STEP && Math.abs(x) > Math.abs(event.clientY - drag.y)) {
      drag.moved = true;
      drag.card.setPointerCapture(event.pointerId);
      for (const end of ["pointerup", "pointercancel"]) this.table.addEventListener(end, () => this.release(), { once: true });
      drag.card.classList.add("dragged");
    }
    if (drag.moved) drag.card.style.setProperty("--aside", `${x}px`);
  }

  release() {
    const drag = this.drag;
    this.drag = null;
    if (!drag?.moved) return;
    this.table.addEventListener("click", stop, { capture: true, once: true });
    setTimeout(() => this.table.removeEventListener("click", stop, { capture: true }), 50);
    this.drop(drag.card);
    drag.card.classList.remove("dragged");
    drag.card.style.removeProperty("--aside");
  }

  /** @param {HTMLElement} card */
  drop(card) {
    const place = card.closest("li");
    const hand = place?.parentElement;
    if (!place || !hand) return;
    const leftOf = (/** @type {Element} */ one) => facingOf(card) * one.getBoundingClientRect().left;
    const after = [...hand.children].filter((other) => other !== place && leftOf(other) < leftOf(card));
    hand.insertBefore(place, after.length ? after[after.length - 1].nextElementSibling : hand.firstChild);
    this.keepMoved(hand);
  }

  /** @param {HTMLElement} hand a hand whose order the player has changed */
  keepMoved(hand) {
    this.keep(hand);
    const sort = this.table.querySelector("[data-sort]");
    if (sort instanceof HTMLElement) sort.hidden = false;
  }
}

/**
 * The place of each card: old cards stay, new ones fill free places; free places close after the last draw.
 * @param {string[]} before
 * @param {string[]} cards sorted
 * @param {boolean} open whether another draw follows
 */
function orderOf(before, cards, open) {
  const order = before.map((card) => (cards.includes(card) ? card : ""));
  for (const card of cards.filter((card) => !order.includes(card))) {
    const at = order.indexOf("");
    order.splice(at < 0 ? order.length : at, at < 0 ? 0 : 1, card);
  }
  return open ? order : order.filter(Boolean);
}

/** @param {ParentNode} page @returns {boolean} whether draws follow */
const draws = (page) => Boolean(page.querySelector(".talon:not(.empty)"));

/** @param {number} at @returns {HTMLElement} a place without a card */
function gap(at) {
  const place = document.createElement("li");
  place.className = "gap";
  place.dataset.key = `gap-${at}`;
  place.setAttribute("aria-hidden", "true");
  return place;
}

/** @param {Element} place */
const name = (place) => (place.classList.contains("gap") ? "" : (place.getAttribute("data-key") ?? ""));

/** @param {Event} event */
function stop(event) {
  event.preventDefault();
  event.stopPropagation();
}
