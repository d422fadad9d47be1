// @ts-check
/** Animate the count: as each line appears, its points are added to the sum. */

import { hear } from "./sound-button.js";

/** The final value of each sum. @type {WeakMap<Element, string>} */
const totals = new WeakMap();

/** @param {Element | null | undefined} line @returns {Element | null | undefined} its element with the number */
const figure = (line) => line?.querySelector(".sum");

/** @param {Element} table its style sheet makes the lines appear, unless less motion is wanted */
export function tally(table) {
  table.addEventListener("click", (event) => {
    const counts = /** @type {Element} */ (event.target).closest(".counts");
    for (const one of counts?.getAnimations({ subtree: true }) ?? []) one.finish();
  });
  table.addEventListener("animationstart", (event) => {
    const line = event.target;
    if (!(line instanceof HTMLElement) || /** @type {AnimationEvent} */ (event).animationName !== "told") return;
    const list = /** @type {HTMLElement} */ (line.parentElement);
    const sum = figure(list.lastElementChild);
    if (!sum) return;
    const at = [...list.children].indexOf(line);
    if (line === list.lastElementChild) {
      totals.set(sum, totals.get(sum) ?? sum.textContent ?? "");
      sum.textContent = "0";
    } else if (totals.has(sum)) {
      const told = [...list.children].slice(0, at + 1).reduce((all, one) => all + Number(figure(one)?.textContent), 0);
      sum.textContent = at + 2 === list.childElementCount ? (totals.get(sum) ?? "") : `${told}`;
      if (line.closest(".count:first-child")) hear(at === 0 ? "ring" : line.matches(".der") ? "der" : "line");
    }
  });
}
