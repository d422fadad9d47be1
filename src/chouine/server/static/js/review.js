// @ts-check
/* A review fills in while one looks: the page is asked for again whenever more was found, and changed where it differs. */

import { morph } from "./morph.js";

/** Longest interval in milliseconds between two requests. */
const REST = 1000;

const stream = document.querySelector("[data-stream]");
const every = document.querySelector("[data-every]");
let looked = 0;
let waiting = false;
let looking = false;
/** @type {EventSource | null} */
let source = null;
/** @type {number | undefined} */
let timer;

async function look() {
  waiting = false;
  looked = Date.now();
  const answer = await fetch(location.href, { headers: { Accept: "text/html" } }).catch(() => null);
  if (!answer?.ok) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
  const main = document.querySelector("main");
  if (!fresh || !main) return;
  morph(main, fresh);
  if (!main.querySelector("[data-stream], [data-every]")) {
    source?.close();
    clearInterval(timer);
  }
}

/** Skipped while a request is pending, so that requests do not pile up on a slow phone. */
async function again() {
  if (looking) return;
  looking = true;
  await look().finally(() => (looking = false));
}

/** Debounced: one request for all that is new by then. */
function soon() {
  if (waiting) return;
  waiting = true;
  setTimeout(look, Math.max(0, looked + REST - Date.now()));
}

if (stream instanceof HTMLElement && stream.dataset.stream) {
  source = new EventSource(stream.dataset.stream);
  source.onmessage = soon;
} else if (every instanceof HTMLElement) {
  timer = setInterval(again, 1000 * Number(every.dataset.every));
}
