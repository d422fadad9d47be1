// @ts-check
/* A review fills in while one looks: the page is asked for again whenever more was found, and changed where it differs. */

import { ignoreUnreached, page } from "./ask.js";
import { morph } from "./morph.js";
import { everyWhileSeen } from "./sight.js";
import { Source } from "./source.js";

/** Shortest interval in milliseconds between two requests. */
const REST = 1000;
/** What a review has until it is complete. */
const WAITS = "[data-stream], [data-every]";

const stream = document.querySelector("[data-stream]");
const every = document.querySelector("[data-every]");
let looked = 0;
/** Requests so far, and which of them is shown: an answer that was overtaken is dropped. */
let asked = 0;
let shown = 0;
let looking = false;
/** Whether more was found during a request. */
let again = false;
/** @type {ReturnType<typeof setTimeout> | undefined} until the next request */
let coming;
/** @type {Source | null} */
let source = null;
/** Ends the repeated requests. */
let stop = () => {};

async function look() {
  looked = Date.now();
  const nth = (asked += 1);
  const fresh = (await page(location.href, "main#main")).querySelector("main");
  const main = document.querySelector("main");
  if (!fresh || !main || nth < shown) return;
  shown = nth;
  morph(main, fresh);
  if (!main.querySelector(WAITS)) {
    source?.end();
    stop();
  }
}

/** Put off while a request is pending, so that requests do not pile up on a slow phone. */
async function refresh() {
  coming = undefined;
  again = looking;
  if (looking) return;
  looking = true;
  await look()
    .catch(ignoreUnreached) // asked again at the next interval
    .finally(() => (looking = false));
  if (again) soon();
}

/** Debounced: one request for all that is new by then. */
function soon() {
  coming ??= setTimeout(refresh, Math.max(0, looked + REST - Date.now()));
}

if (stream instanceof HTMLElement && stream.dataset.stream) {
  const address = stream.dataset.stream;
  source = new Source(() => address, { message: soon, poll: look });
  source.open();
} else if (every instanceof HTMLElement) {
  stop = everyWhileSeen(1000 * Number(every.dataset.every), refresh);
}
