// @ts-check
/** Beside a slow table: asks for the next table that waits, and for what is prepared, whenever the turn has passed. */

import { ignoreUnreached, page } from "./ask.js";
import { morph } from "./morph.js";
import { everyWhileSeen } from "./sight.js";

const EVERY = 30_000;
const WHERE = ".beside";

const beside = /** @type {HTMLElement} */ (document.getElementById("beside"));
const table = /** @type {HTMLElement} */ (document.getElementById("table"));
let seen = moment();
/** Requests so far, and which of them is shown: an answer that was overtaken is dropped. */
let asked = 0;
let shown = 0;

/** What of the table decides whether something stands beside it. */
function moment() {
  return [".board[data-waits]", ".board[data-turn]", ".count"].map((each) => table.querySelector(each) !== null).join();
}

async function look() {
  seen = moment();
  const nth = (asked += 1);
  const found = await page(beside.dataset.from ?? "", WHERE).catch(ignoreUnreached);
  const [old, now] = [beside.querySelector(WHERE), found?.querySelector(WHERE)];
  if (!old || !now || nth < shown) return;
  shown = nth;
  morph(old, now);
}

new MutationObserver(() => moment() !== seen && look()).observe(table, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-waits", "data-turn"] });
everyWhileSeen(EVERY, look);
