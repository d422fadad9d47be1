// @ts-check
/** The shell page that runs Python without a network: it forwards its frame's requests and shows the frame. */

import { ask } from "../ask.js";
import { dropOlder } from "./copies.js";

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

/** @type {((worker: Worker) => void)} */
let ready;
const carrying = new Promise((/** @type {(worker: Worker) => void} */ done) => (ready = done));

/** The stored copy of the last page viewed, shown until Python has started. @type {{address: string} | null} */
let last = null;

navigator.serviceWorker.addEventListener("message", async ({ data, ports: [port] }) => {
  if (!data?.asked || !port) return;
  if (data.asked.page && data.asked.address === last?.address) {
    port.postMessage(last);
    last = null;
  } else (await carrying).postMessage(data, [port]);
});
navigator.serviceWorker.startMessages();

/** @returns {Promise<{address: string} | null>} */
async function looked() {
  const found = await caches.match(LAST).catch(() => null);
  return found ? found.json() : null;
}

/** Starts Python, then forwards requests to it; until then the last page viewed is shown. */
async function start() {
  const worker = new Worker("/offline/worker.js", { type: "module" });
  last = await looked();
  const shown = last?.address ?? "";
  worker.onmessage = ({ data }) => {
    if (data.ready) {
      ready(worker);
      last = null;
      if (!shown) frame.src = HOME;
    } else if (data.failed) failed();
  };
  worker.onerror = failed;
  worker.postMessage({ start: true, language: document.documentElement.lang, shown });
  if (shown) frame.src = shown;
}

function failed() {
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
  const at = frame.contentWindow?.location;
  if (!at || !at.pathname.startsWith(HOME)) return;
  frame.contentDocument?.addEventListener("click", handOver);
  document.title = frame.contentDocument?.title || document.title;
  frame.hidden = false;
  wait.hidden = true;
  frame.focus();
});

/** Only one tab runs Python: two would store diverging matches. */
function alone() {
  navigator.locks.request("chouine-offline", { ifAvailable: true }, async (lock) => {
    if (!lock) {
      say(told.elsewhere);
      return undefined;
    }
    if (await dropOlder()) location.reload(); // this page is of the older copy
    else start().catch(failed);
    return new Promise(() => {}); // the lock is held while the page is open
  });
}

say(told.starting);
navigator.serviceWorker.ready.then(() => {
  if (navigator.serviceWorker.controller) alone();
  else navigator.serviceWorker.addEventListener("controllerchange", alone, { once: true });
});
