// @ts-check
/** A page that refreshes itself, and leads a waiting player to the table that opens. */
import { ignoreUnreached, page } from "./ask.js";
import { morph } from "./morph.js";
import { endForeign } from "./trouble.js";

const { seconds, from } = document.body.dataset;
const PAUSE = 1_000 * Number(seconds);
/** Out of sight, whoever waits for a partner is told of one more rarely; the server forgets the absent after a minute. */
const AWAY = 20_000;
/** The refreshed part: the content of another address, or the whole page. */
const WHERE = from ? "[data-fresh]" : "main";

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

async function look() {
  clearTimeout(timer);
  try {
    const found = await page(from ?? location.href, WHERE);
    endForeign();
    become(found);
  } catch (error) {
    ignoreUnreached(error); // retried at the next interval
  } finally {
    clearTimeout(timer); // another look's
    timer = setTimeout(next, document.hidden ? AWAY : PAUSE);
  }
}

/** Hidden pages do not refresh, unless their visitor waits for a partner. */
function next() {
  if (!document.hidden || document.querySelector("form[data-away]")) look();
}
document.addEventListener("visibilitychange", () => document.hidden || look());

/** @param {Document} fresh */
function become(fresh) {
  const next = /** @type {HTMLElement | null} */ (fresh.querySelector("[data-next]"))?.dataset.next;
  const [old, now] = [document.querySelector(WHERE), fresh.querySelector(WHERE)];
  if (next) location.assign(next);
  else if (old && now) morph(old, now);
}

/** Tell the server at once when a waiting visitor leaves; otherwise it would notice after a minute. */
addEventListener("pagehide", () => {
  const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form[data-away]"));
  if (!form) return;
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) fields.set(name, String(value));
  fields.set("what", "away");
  navigator.sendBeacon(form.action, fields);
});

timer = setTimeout(next, PAUSE);
