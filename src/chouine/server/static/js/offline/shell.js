// @ts-check
/** The page that carries Python where there is no network: it passes on what its frame asks for, and shows the frame. */

const told = document.body.dataset;
const wait = /** @type {HTMLElement} */ (document.getElementById("wait"));
const step = /** @type {HTMLElement} */ (document.getElementById("step"));
const frame = /** @type {HTMLIFrameElement} */ (document.getElementById("site"));
const HOME = "/offline/";
const LAST = "chouine-offline-at";

/** @param {string | undefined} sentence */
function say(sentence) {
  step.textContent = sentence ?? "";
}

/** @type {((worker: Worker) => void)} */
let ready;
const carrying = new Promise((/** @type {(worker: Worker) => void} */ done) => (ready = done));

navigator.serviceWorker.addEventListener("message", async ({ data, ports }) => {
  if (data?.asked) (await carrying).postMessage(data, [...ports]);
});
navigator.serviceWorker.startMessages();

/** Python starts; from then on requests are passed on to it. */
function start() {
  const worker = new Worker("/offline/worker.js", { type: "module" });
  worker.onmessage = ({ data }) => {
    if (data.ready) {
      ready(worker);
      frame.src = sessionStorage.getItem(LAST) ?? HOME;
    } else if (data.failed) say(told.failed);
  };
  worker.onerror = () => say(told.failed);
  worker.postMessage({ start: true, language: document.documentElement.lang });
}

frame.addEventListener("load", () => {
  const at = frame.contentWindow?.location;
  if (!at || !at.pathname.startsWith(HOME)) return;
  sessionStorage.setItem(LAST, at.pathname + at.search);
  document.title = frame.contentDocument?.title || document.title;
  frame.hidden = false;
  wait.hidden = true;
  frame.focus();
});

/** One tab carries Python: two would each keep matches of their own. */
function alone() {
  navigator.locks.request("chouine-offline", { ifAvailable: true }, async (lock) => {
    if (!lock) {
      say(told.elsewhere);
      return undefined;
    }
    start();
    return new Promise(() => {}); // held as long as the page is there
  });
}

say(told.starting);
navigator.serviceWorker.ready.then(() => {
  if (navigator.serviceWorker.controller) alone();
  else navigator.serviceWorker.addEventListener("controllerchange", alone, { once: true });
});

export {};
