// @ts-check
/** A page shows what is new by itself, and leads whoever waits to the table that opens. */
import { morph } from "./morph.js";

const { seconds, from } = document.body.dataset;
const PAUSE = 1_000 * Number(seconds);
/** What is made anew: what another address has, or the whole page. */
const WHERE = from ? "[data-fresh]" : "main";

async function look() {
  try {
    const answer = await fetch(from ?? location.href);
    if (answer.ok) become(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } catch {
    // Out of reach: asked again the next time.
  }
  setTimeout(next, PAUSE);
}

/** Nothing is asked for while nobody looks, unless somebody waits here, who is found by it. */
function next() {
  const idle = document.hidden && !document.querySelector("form[data-away]");
  if (idle) document.addEventListener("visibilitychange", look, { once: true });
  else look();
}

/** @param {Document} fresh */
function become(fresh) {
  const next = /** @type {HTMLElement | null} */ (fresh.querySelector("[data-next]"))?.dataset.next;
  const [old, now] = [document.querySelector(WHERE), fresh.querySelector(WHERE)];
  if (next) location.assign(next);
  else if (old && now) morph(old, now);
}

/** Whoever leaves the page where they wait is told of at once: nobody else would know for a minute. */
addEventListener("pagehide", () => {
  const form = /** @type {HTMLFormElement | null} */ (document.querySelector("form[data-away]"));
  if (!form) return;
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) fields.set(name, String(value));
  fields.set("what", "away");
  navigator.sendBeacon(form.action, fields);
});

setTimeout(next, PAUSE);
