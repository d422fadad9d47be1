// @ts-check
/** Cards that have moved glide from where they were; a card that comes from nowhere comes from where it says. */

const GLIDE = { duration: 340, easing: "cubic-bezier(0.2, 0.7, 0.2, 1)", fill: /** @type {FillMode} */ ("backwards") };
/** A draw waits until the trick has been taken. */
const LATER = 330;

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** @typedef {{x: number, y: number, width: number}} Spot */

/** @param {Element} card @returns {Spot} its middle and width on the screen */
function spot(card) {
  const box = card.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2, width: /** @type {HTMLElement} */ (card).offsetWidth };
}

/** @param {Element} table @returns {Map<string, Spot>} where every card lies */
export function spots(table) {
  return new Map(
    [...table.querySelectorAll("[data-card]")].map((card) => [card.getAttribute("data-card") ?? "", spot(card)]),
  );
}

/** @param {Element} table @param {string} name @returns {Spot | undefined} */
function source(table, name) {
  const place = table.querySelector(`[data-from="${name}"]`);
  return place ? spot(place.querySelector(".card") ?? place) : undefined;
}

/**
 * Moves every card from where it was.
 * @param {Element} table
 * @param {Map<string, Spot>} was
 */
export function glide(table, was) {
  if (still.matches) return;
  for (const card of table.querySelectorAll("[data-card]")) {
    const name = card.getAttribute("data-card") ?? "";
    const come = card.getAttribute("data-come");
    const from = was.get(name) ?? (come && source(table, come));
    const to = spot(card);
    if (!from || !from.width || !to.width || card.classList.contains("turnup")) continue;
    const [x, y, size] = [from.x - to.x, from.y - to.y, from.width / to.width];
    if (Math.abs(x) + Math.abs(y) < 2 && Math.abs(size - 1) < 0.02) continue;
    const delay = !was.has(name) && come === "talon" ? LATER : 0;
    card.animate([{ transform: `translate(${x}px, ${y}px) scale(${size})` }, { transform: "none" }], { ...GLIDE, delay });
  }
}
