// @ts-check
/* The settings of what tells of one's turn: shows whether this browser does, and turns it on and off. */

import { possible, present, subscribe, unsubscribe } from "../subscription.js";

const here = /** @type {HTMLFormElement} */ (document.getElementById("this-browser"));
const all = /** @type {HTMLFormElement | null} */ (document.getElementById("all-browsers"));
const known = new Set((here.dataset.known ?? "").split(" ").filter(Boolean));

/** @param {string} endpoint @returns {Promise<string>} the digest by which the server knows it */
async function digest(endpoint) {
  const octets = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint)));
  return [...octets].map((octet) => octet.toString(16).padStart(2, "0")).join("");
}

/** @param {string} state @param {string} own the digest of this browser's endpoint; empty if there is none */
function show(state, own) {
  here.hidden = false;
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (here.querySelectorAll("[data-state]"))) {
    each.hidden = !each.dataset.state?.split(" ").includes(state);
  }
  if (!all) return;
  const others = known.size - Number(known.has(own));
  all.hidden = others === 0;
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (all.querySelectorAll("[data-others]"))) {
    each.hidden = Number(each.dataset.others) !== others;
  }
}

async function look() {
  const subscription = possible ? await present() : null;
  const own = subscription ? await digest(subscription.endpoint) : "";
  if (!possible) show("impossible", own);
  else if (Notification.permission === "denied") show("blocked", own);
  else show(known.has(own) ? "on" : "off", own);
}

/** @param {string} wanted `on` or `off` */
async function turn(wanted) {
  const subscription = await present();
  if (subscription) known.delete(await digest(subscription.endpoint));
  if (wanted === "off" && subscription) await unsubscribe(here, subscription);
  const endpoint = wanted === "on" && (await subscribe(here));
  if (endpoint) known.add(await digest(endpoint));
}

here.addEventListener("submit", (event) => {
  event.preventDefault();
  const { value } = /** @type {HTMLButtonElement} */ (event.submitter);
  turn(value).then(look, () => show("failed", ""));
});

let ended = false;
/** This browser's subscription ends too, before the server forgets it: else the browser would renew it one day. */
all?.addEventListener("submit", async (event) => {
  if (ended) return;
  const submitter = /** @type {HTMLElement} */ (event.submitter);
  event.preventDefault();
  ended = true;
  if (possible) await present().then((subscription) => subscription?.unsubscribe()).catch(() => {});
  submitter.click();
});
look().catch(() => show("impossible", ""));
