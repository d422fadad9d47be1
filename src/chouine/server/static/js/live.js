// @ts-check
/** A contest page that stays current: it reloads after each act, and cycles through its pages. */
import { morph } from "./morph.js";

let address = location.href;
/** @type {string | null} */
let asking = null;
let again = false;

/** Shows the page at an address; requests made meanwhile follow afterwards. @param {string} next */
async function show(next) {
  if (asking !== null) {
    again = true;
    if (next !== address) asking = next;
    return;
  }
  do {
    again = false;
    asking = next;
    try {
      const answer = await fetch(next);
      if (answer.ok) become(new DOMParser().parseFromString(await answer.text(), "text/html"), next);
    } catch {
      // Unreachable: the stream reconnects by itself and reloads then.
    }
    next = asking;
    asking = null;
  } while (again);
}

/** @param {Document} fresh @param {string} next */
function become(fresh, next) {
  for (const part of document.querySelectorAll("[data-live]")) {
    const own = fresh.getElementById(part.id);
    if (own) morph(part, own);
  }
  address = next;
  document.body.dataset.next = fresh.body.dataset.next ?? "";
}

/** @param {boolean} lost */
function reach(lost) {
  const notice = document.getElementById("lost");
  if (notice) notice.hidden = !lost;
}

/** The stream of acts; null for a page that only reloads periodically. */
const stream = document.body.dataset.stream ?? "/stream";

function open() {
  const source = new EventSource(stream);
  source.onopen = () => reach(false);
  source.onmessage = () => show(address);
  source.onerror = () => {
    reach(true);
    if (source.readyState === EventSource.CLOSED) setTimeout(open, 5_000);
  };
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

if (stream && document.querySelector("[data-live]")) open();
const seconds = Number(document.body.dataset.seconds ?? 0);
if (seconds) setInterval(() => document.hidden || show(document.body.dataset.next || address), 1_000 * seconds);
