// @ts-check
/** Celebrations over the table: short, ended by a tap or a key, without animation if less motion is wanted. */

import { still } from "./flip.js";

/** Duration in milliseconds and number of petals of each kind of feast. @type {Record<string, [number, number]>} */
const FEASTS = { declaration: [1300, 6], chouine: [2200, 24], partie: [1700, 14], manche: [2300, 20], match: [3000, 28], contest: [8000, 40] };
/**
 * Path of a petal: start, highest point and end, in pixels from the plate's centre.
 * @typedef {(share: number, chance: number) => [number, number][]} Way
 */
/** Animations: how a chouine's cards appear, and how petals fly. @type {Record<string, {card: string, petal: Way}>} */
const WAYS = {
  burst: {
    card: "translateY(60%) rotate(-12deg)",
    petal: (share, chance) => {
      const [angle, far] = [2 * Math.PI * share, 110 + 130 * chance];
      const [x, y] = [Math.cos(angle) * far * 1.2, Math.sin(angle) * far * 0.8];
      return [[0, 0], [x, y], [1.15 * x, 1.15 * y + 60]];
    },
  },
  rain: {
    card: "translateY(-180%) rotate(9deg)",
    petal: (share, chance) => {
      const [x, y] = [(share - 0.5) * Math.min(innerWidth, 900), 0.6 * innerHeight];
      return [[x, -y], [x + 50 * (chance - 0.5), y * (chance - 0.6)], [x + 80 * (chance - 0.5), y]];
    },
  },
  fountain: {
    card: "scale(0.2) rotate(180deg)",
    petal: (share, chance) => {
      const [x, y] = [(share - 0.5) * Math.min(innerWidth, 700), 0.55 * innerHeight];
      return [[0.1 * x, y], [0.7 * x, -y * (0.35 + 0.4 * chance)], [1.1 * x, y]];
    },
  },
};
/** Keys that press buttons, ignored while a feast covers these. */
const PRESSES = ["Enter", " "];

/** @type {(() => void) | null} ends the feast in progress */
let end = null;
/** @type {Promise<void>} resolved when the feast that covers the table has ended */
let uncovered = Promise.resolve();

/** Waits until no feast covers the table. */
export const awaitFeast = () => uncovered;

/**
 * Shows the celebration in the table's markup, if there is one.
 * @param {Element} table
 * @param {number} pace factor for durations
 */
export function celebrate(table, pace) {
  const told = table.querySelector("#feast");
  if (!(told instanceof HTMLElement)) return;
  end?.();
  const { feast = "", way = "", place, won } = told.dataset;
  const [lasts, petals] = FEASTS[feast] ?? [0, 0];
  const layer = document.createElement("div");
  layer.className = `feast ${feast} ${won === "no" ? "lost" : ""}`;
  layer.dataset.place = place;
  layer.dataset.way = way;
  layer.setAttribute("aria-hidden", "true");
  layer.append(...[...told.childNodes].map((node) => node.cloneNode(true)));
  document.body.append(layer);
  if (!still.matches) move(layer, WAYS[way], won === "no" ? 0 : petals, pace);
  const timer = setTimeout(() => end?.(), lasts * pace);
  const cover = feast !== "declaration";
  /** @type {() => void} */
  let uncover = () => {};
  if (cover) uncovered = new Promise((resolve) => (uncover = resolve));
  const finishAtTouch = (/** @type {Event} */ event) => {
    if (cover && event instanceof KeyboardEvent && PRESSES.includes(event.key)) event.preventDefault();
    end?.();
  };
  document.addEventListener("click", finishAtTouch);
  document.addEventListener("keydown", finishAtTouch);
  end = () => {
    clearTimeout(timer);
    document.removeEventListener("click", finishAtTouch);
    document.removeEventListener("keydown", finishAtTouch);
    layer.remove();
    end = null;
    uncover();
  };
}

/**
 * Animates the plate, then its cards one by one, and petals from behind it.
 * @param {Element} layer
 * @param {{card: string, petal: Way}} way
 * @param {number} petals
 * @param {number} pace
 */
function move(layer, way, petals, pace) {
  const timing = { easing: "cubic-bezier(0.2, 1.3, 0.4, 1)", fill: /** @type {FillMode} */ ("backwards") };
  layer.querySelector(".plate")?.animate([{ transform: "scale(0.6)", opacity: 0 }, { transform: "none", opacity: 1 }], {
    ...timing,
    duration: 320 * pace,
  });
  layer.querySelectorAll(".card").forEach((card, nth) => {
    card.animate([{ transform: way.card, opacity: 0 }, { transform: "none", opacity: 1 }], {
      ...timing,
      duration: 300 * pace,
      delay: (180 + 90 * nth) * pace,
    });
  });
  const place = layer.querySelector(".petals");
  const signs = [...(place?.children ?? [])];
  place?.replaceChildren();
  for (let nth = 0; nth < petals; nth += 1) {
    const petal = /** @type {Element} */ (signs[nth % signs.length].cloneNode(true));
    const [from, height, gone] = way
      .petal((nth + Math.random() / 2) / petals, Math.random())
      .map(([x, y]) => `translate(${x}px, ${y}px)`);
    const spin = 360 * (Math.random() - 0.5);
    place?.append(petal);
    petal.animate(
      [
        { transform: `${from} scale(0.2)`, opacity: 0 },
        { opacity: 1, offset: 0.15 },
        { transform: `${height} scale(1) rotate(${spin}deg)`, opacity: 1, offset: 0.6 },
        { transform: `${gone} scale(0.8) rotate(${1.3 * spin}deg)`, opacity: 0 },
      ],
      { duration: (900 + 400 * Math.random()) * pace, delay: 120 * pace, easing: "cubic-bezier(0.1, 0.7, 0.4, 1)", fill: "both" },
    );
  }
}
