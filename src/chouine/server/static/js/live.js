// @ts-check
/** A contest page that stays current: it reloads after each act, and cycles through its pages. */
import { ignoreUnreached, page } from "./ask.js";
import { morph } from "./morph.js";
import { everyWhileSeen } from "./sight.js";
import { Source } from "./source.js";

const PART = "[data-live]";
let address = location.href;
/** @type {string | null} */
let asking = null;
let again = false;
/** Milliseconds, about, until a page that did not come is asked for again. */
const AGAIN = 2_000;

/** Shows the page at an address; requests made meanwhile follow afterwards. @param {string} next */
async function show(next) {
  if (asking !== null) {
    again = true;
    if (next !== address) asking = next;
    return;
  }
  try {
    do {
      again = false;
      asking = next;
      become(await page(next, PART), next);
      next = asking ?? next;
    } while (again);
  } finally {
    asking = null;
  }
}

/** @param {Document} fresh @param {string} next */
function become(fresh, next) {
  for (const part of document.querySelectorAll("[data-live]")) {
    const own = fresh.getElementById(part.id);
    if (own) morph(part, own);
  }
  address = next;
  document.body.dataset.next = fresh.body.dataset.next ?? "";
  document.body.dataset.seconds = fresh.body.dataset.seconds ?? "";
}

/** @param {boolean} lost */
function reach(lost) {
  const notice = document.getElementById("lost");
  if (notice) notice.hidden = !lost;
}

/** The address of the stream of acts; empty for a page that only reloads periodically. */
const stream = document.body.dataset.stream ?? "/stream";
const source = new Source(() => stream, { message: () => soon(), poll: () => show(address), reach });

/** @type {ReturnType<typeof setTimeout> | undefined} until a page is asked for again that a busy server did not show */
let later;

/** Shows the page anew; where it cannot be shown now, a little later, since the stream may go on without another act. */
function soon(next = "") {
  clearTimeout(later);
  show(next || address).catch((error) => {
    ignoreUnreached(error);
    const wait = AGAIN * (0.75 + Math.random() / 2); // not all screens at once
    later = setTimeout(() => source.resting || soon(), wait);
  });
}

/** Milliseconds in which a repeated submit is ignored. */
const TWICE = 3_000;
/** Time at which each form was sent. @type {WeakMap<EventTarget, number>} */
const sent = new WeakMap();
addEventListener("submit", (event) => {
  if (!event.target) return;
  if (event.timeStamp - (sent.get(event.target) ?? -TWICE) < TWICE) event.preventDefault();
  else sent.set(event.target, event.timeStamp);
});

if (stream && document.querySelector(PART)) source.open();

/** Shows the next page of a screen after the seconds of this one, and so on, while it is in sight. */
function turn() {
  const seconds = Number(document.body.dataset.seconds ?? 0);
  if (!seconds) return;
  const stop = everyWhileSeen(1_000 * seconds, () => {
    stop();
    soon(document.body.dataset.next);
    turn();
  });
}
turn();
