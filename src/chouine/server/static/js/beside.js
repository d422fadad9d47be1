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

/** What of the table decides whether something stands beside it. */
function moment() {
  return [".board[data-waits]", ".board[data-turn]", ".count"].map((each) => table.querySelector(each) !== null).join();
}

async function look() {
  seen = moment();
  const found = await page(beside.dataset.from ?? "", WHERE).catch(ignoreUnreached);
  const [old, now] = [beside.querySelector(WHERE), found?.querySelector(WHERE)];
  if (old && now) morph(old, now);
}

new MutationObserver(() => moment() !== seen && look()).observe(table, { subtree: true, childList: true, attributes: true, attributeFilter: ["data-waits", "data-turn"] });
everyWhileSeen(EVERY, look);
