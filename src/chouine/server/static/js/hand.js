// @ts-check
/** The player's own order of cards: dragged or moved with keys, kept in this browser until sorted again. */

const STEP = 10;

export class Hand {
  /** @param {HTMLElement} table @param {string} name under which the order is kept */
  constructor(table, name) {
    this.table = table;
    this.name = `chouine-hand-${name}`;
    /** @type {string[] | null} */
    this.order = JSON.parse(localStorage.getItem(this.name) ?? "null");
    /** @type {{card: HTMLElement, x: number, y: number, moved: boolean} | null} */
    this.drag = null;
    table.addEventListener("pointerdown", (event) => this.down(event));
    table.addEventListener("pointermove", (event) => this.move(event));
    table.addEventListener("pointerup", () => this.up());
    table.addEventListener("pointercancel", () => this.up());
    table.addEventListener("click", (event) => this.sort(event));
  }

  /**
   * Puts a hand's cards in the player's order; cards not yet placed come last.
   * @param {ParentNode} page
   */
  arrange(page) {
    const hand = page.querySelector(".hand");
    const sort = page.querySelector("[data-sort]");
    if (sort instanceof HTMLElement) sort.hidden = !this.order;
    if (!hand || !this.order) return;
    const order = this.order;
    const rank = (/** @type {Element} */ place) => {
      const at = order.indexOf(name(place));
      return at < 0 ? order.length : at;
    };
    const places = [...hand.children].map((place, at) => ({ place, at }));
    places.sort((one, other) => rank(one.place) - rank(other.place) || one.at - other.at);
    hand.append(...places.map(({ place }) => place));
    this.keep(hand);
  }

  /** @param {Element} hand */
  keep(hand) {
    this.order = [...hand.children].map(name);
    localStorage.setItem(this.name, JSON.stringify(this.order));
    const sort = this.table.querySelector("[data-sort]");
    if (sort instanceof HTMLElement) sort.hidden = false;
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
    this.keep(place.parentElement);
    card.focus();
  }

  /** @param {MouseEvent} event */
  sort(event) {
    if (!(event.target instanceof Element) || !event.target.closest("[data-sort]")) return;
    localStorage.removeItem(this.name);
    this.order = null;
    this.table.dispatchEvent(new CustomEvent("sorted"));
  }

  /** @param {PointerEvent} event */
  down(event) {
    const card = event.target instanceof Element ? event.target.closest(".hand .card") : null;
    if (card instanceof HTMLElement && event.isPrimary) {
      this.drag = { card, x: event.clientX, y: event.clientY, moved: false };
    }
  }

  /** @param {PointerEvent} event */
  move(event) {
    const drag = this.drag;
    if (!drag) return;
    const x = event.clientX - drag.x;
    if (!drag.moved && Math.abs(x) > STEP && Math.abs(x) > Math.abs(event.clientY - drag.y)) {
      drag.moved = true;
      drag.card.setPointerCapture(event.pointerId);
      drag.card.classList.add("dragged");
    }
    if (drag.moved) drag.card.style.translate = `${x}px -0.7rem`;
  }

  up() {
    const drag = this.drag;
    this.drag = null;
    if (!drag?.moved) return;
    this.table.addEventListener("click", stop, { capture: true, once: true });
    setTimeout(() => this.table.removeEventListener("click", stop, { capture: true }), 50);
    this.drop(drag.card);
    drag.card.classList.remove("dragged");
    drag.card.style.translate = "";
  }

  /** @param {HTMLElement} card */
  drop(card) {
    const place = card.closest("li");
    const hand = place?.parentElement;
    if (!place || !hand) return;
    const left = card.getBoundingClientRect().left;
    const after = [...hand.children].filter((other) => other !== place && other.getBoundingClientRect().left < left);
    hand.insertBefore(place, after.length ? (after.at(-1)?.nextElementSibling ?? null) : hand.firstChild);
    this.keep(hand);
  }
}

/** @param {Element} place */
const name = (place) => place.getAttribute("data-key") ?? "";

/** @param {Event} event */
function stop(event) {
  event.preventDefault();
  event.stopPropagation();
}
