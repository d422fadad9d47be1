// @ts-check
/** The shell page: it shows the site in a frame and, when it is its turn, runs Python, which answers all frames. */

import { ask } from "../ask.js";
import { dropOlder, useCopy } from "./copies.js";
import { takeTurns } from "./turn.js";

const told = document.body.dataset;
const wait = /** @type {HTMLElement} */ (document.getElementById("wait"));
const step = /** @type {HTMLElement} */ (document.getElementById("step"));
const frame = /** @type {HTMLIFrameElement} */ (document.getElementById("site"));
const HOME = "/offline/";
const LAST = "/offline/last";

/** @param {string | undefined} sentence */
function say(sentence) {
  step.textContent = sentence ?? "";
}

/** Python's worker, and whether it has started. @type {Worker | null} */
let worker = null;
let ready = false;
/** Requests that wait for Python; every page gets all, and drops what another has answered. @type {Map<MessagePort, object>} */
const waiting = new Map();
/** The stored copy of the last page viewed, shown until Python has started. @type {{address: string} | null} */
let last = null;

navigator.serviceWorker.addEventListener("message", ({ data, ports: [port] }) => {
  if (!data?.asked || !port) return;
  if (data.asked.page && data.asked.address === last?.address) {
    port.postMessage(last);
    last = null;
    return;
  }
  waiting.set(port, data);
  port.onmessage = () => waiting.delete(port);
  if (ready) forward();
});
navigator.serviceWorker.startMessages();

/** Gives Python what waits for it. */
function forward() {
  for (const [port, data] of waiting) worker?.postMessage(data, [port]);
  waiting.clear();
}

/** @returns {Promise<{address: string} | null>} */
async function lastPage() {
  const found = await caches.match(LAST).catch(() => null);
  return found ? found.json() : null;
}

/** Starts Python; until it has started the page in the frame stays, at first the last one viewed. */
async function begin() {
  const started = (worker = new Worker("/offline/worker.js", { type: "module" }));
  started.onerror = showFailure;
  last = frame.src ? null : await lastPage();
  if (worker !== started) return; // ended meanwhile
  started.onmessage = ({ data }) => {
    if (data.failed) showFailure();
    else if (data.ready) {
      ready = true;
      last = null;
      forward();
      if (!frame.src) frame.src = HOME;
      else frame.contentWindow?.dispatchEvent(new Event("online")); // its stream ended with the Python before
    }
  };
  const shown = last?.address ?? (frame.src ? address() : "");
  started.postMessage({ start: true, language: document.documentElement.lang, shown });
  if (last) frame.src = shown;
}

/** Ends Python, whose memory is free then. */
function end() {
  worker?.terminate();
  worker = null;
  ready = false;
}

/** Another page runs Python: its answers are shown here too. */
function follow() {
  if (!frame.src) frame.src = HOME;
}

/** The address of the page in the frame; empty if it is not one of the site's. */
function address() {
  const at = frame.contentWindow?.location;
  return at?.pathname.startsWith(HOME) ? at.pathname + at.search : "";
}

function showFailure() {
  frame.hidden = true;
  wait.hidden = false;
  say(told.failed);
}

/** Serves downloads from here, since browsers fetch those without the service worker. @param {MouseEvent} event */
async function handOver(event) {
  const link = /** @type {Element} */ (event.target).closest("a[download]");
  if (!link) return;
  event.preventDefault();
  const answer = await ask(/** @type {HTMLAnchorElement} */ (link).href);
  const given = document.createElement("a");
  given.href = URL.createObjectURL(await answer.blob());
  given.download = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1] ?? "";
  given.click();
}

frame.addEventListener("load", () => {
  if (!address()) return;
  frame.contentDocument?.addEventListener("click", handOver);
  document.title = frame.contentDocument?.title || document.title;
  frame.hidden = false;
  wait.hidden = true;
  frame.focus();
});

async function open() {
  if (await dropOlder()) location.reload(); // this page is of the older copy
  else {
    useCopy();
    takeTurns({ begin: () => begin().catch(showFailure), end, follow });
  }
}

say(told.starting);
navigator.serviceWorker.ready.then(() => {
  if (navigator.serviceWorker.controller) open();
  else navigator.serviceWorker.addEventListener("controllerchange", open, { once: true });
});
