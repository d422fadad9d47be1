// @ts-check
/**
 * A card under a finger: it rises as the finger comes, and is played as the finger leaves, before the browser has made a click
 * of it. Whatever else a finger does is left to the browser; a mouse and keys press a card as any button.
 */

import { still } from "./flip.js";

/** Pixels and milliseconds beyond which a touch is no tap. */
const ASIDE = 10;
const LONGEST = 600;
/** Milliseconds in which a card rises, and where to. */
const RISING = 60;
const RISEN = [{ transform: "none" }, { transform: "translate(0, -0.5rem)" }];
const PLAYABLE = ".hand.ready .card:not([aria-disabled], .barred)";

/** @param {HTMLElement} table */
export function taps(table) {
  /** @type {{card: HTMLButtonElement, x: number, y: number, at: number, rise: Animation} | null} */
  let down = null;

  function fall() {
    down?.rise.cancel();
    down?.card.classList.remove("risen");
    down = null;
  }

  table.addEventListener("pointerdown", (event) => {
    fall();
    const card = event.target instanceof Element ? event.target.closest(PLAYABLE) : null;
    if (!(card instanceof HTMLButtonElement) || !event.isPrimary || event.pointerType !== "touch") return;
    card.classList.add("risen");
    const rise = card.animate(RISEN, { duration: still.matches ? 0 : RISING, easing: "ease-out", fill: "forwards" });
    down = { card, x: event.clientX, y: event.clientY, at: event.timeStamp, rise };
  });
  table.addEventListener("pointercancel", fall);
  table.addEventListener("touchend", (event) => {
    const [touch] = event.changedTouches;
    const form = down?.card.form;
    if (!down || event.touches.length) return;
    const away = Math.hypot(touch.clientX - down.x, touch.clientY - down.y) > ASIDE;
    if (!form || away || !event.cancelable || event.timeStamp - down.at > LONGEST) return fall();
    event.preventDefault();
    const { card } = down;
    if (form.requestSubmit) form.requestSubmit(card);
    else card.click(); // Safari before 16
    if (card.matches(".leaving")) down = null; // it goes on from where it has risen to
    else fall();
    setTimeout(() => document.dispatchEvent(new Event("click"))); // what is open beside the hand closes
  });
}
