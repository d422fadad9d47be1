// @ts-check
/** A page of a contest that is always up to date: after each act it asks for itself again, and it turns by itself. */
import { morph } from "./morph.js";

let address = location.href;
/** @type {string | null} */
let asking = null;
let again = false;

/** Shows the page at an address; one that is asked for meanwhile comes after it. @param {string} next */
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
      // Out of reach: the stream opens again by itself, and asks then.
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

/** What tells of each act; nothing where the page is only asked for again from time to time. */
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

/** Milliseconds in which a form pressed twice is sent once. */
const TWICE = 3_000;
/** When each was sent. @type {WeakMap<EventTarget, number>} */
const sent = new WeakMap();
addEventListener("submit", (event) => {
  if (!event.target) return;
  if (event.timeStamp - (sent.get(event.target) ?? -TWICE) < TWICE) event.preventDefault();
  else sent.set(event.target, event.timeStamp);
});

if (stream && document.querySelector("[data-live]")) open();
const seconds = Number(document.body.dataset.seconds ?? 0);
if (seconds) setInterval(() => document.hidden || show(document.body.dataset.next || address), 1_000 * seconds);
