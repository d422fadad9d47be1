// @ts-check
/* Offers to be told of one's turn: after one's own act, where the other takes a while. Asked once, not again: the settings turn it on and off. */

import { Foreign, askJson } from "./ask.js";
import { drop, keep, recall } from "./storage.js";
import { possible, subscribe } from "./subscription.js";

const offer = /** @type {HTMLElement} */ (document.getElementById("push"));
const table = /** @type {HTMLElement} */ (document.getElementById("table"));
const [device, mail] = offer.querySelectorAll("form");
const close = offer.querySelector("[type=button]");
const ASKED = "push-asked";

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let acted = false;

function look() {
  const mine = Boolean(table.querySelector(".hand.ready"));
  if (mine) {
    acted = true;
    clearTimeout(timer);
    timer = undefined;
    offer.hidden = true;
  } else if (acted && timer === undefined) {
    timer = setTimeout(() => { offer.hidden = false; }, Number(offer.dataset.after));
  }
}

async function subscribeHere() {
  const live = document.getElementById("live");
  if ((await subscribe(device)) && live) live.textContent = offer.dataset.done ?? "";
}

/** Submits an e-mail address, to which a first e-mail asks for confirmation; says what became of it. */
async function submitAddress() {
  const body = new URLSearchParams([...new FormData(mail)].map(([name, value]) => [name, String(value)]));
  const answer = await askJson("/letters", { method: "POST", body });
  const line = document.createElement("p");
  line.setAttribute("role", "status");
  offer.replaceChildren(line, /** @type {Element} */ (close));
  offer.hidden = false;
  line.textContent = answer.ok ? (offer.dataset.sent ?? "") : answer.message;
  setTimeout(() => offer.remove(), 20000);
}

const asks = possible && Notification.permission !== "denied";
device.hidden = !asks;
if ((asks || mail) && !recall(ASKED)) {
  const watcher = new MutationObserver(look);
  watcher.observe(table, { subtree: true, childList: true, attributes: true, attributeFilter: ["class"] });
  look();
  const endOffer = () => {
    watcher.disconnect();
    clearTimeout(timer);
    offer.hidden = true;
    keep(ASKED, "1");
  };
  close?.addEventListener("click", endOffer);
  offer.addEventListener("submit", (event) => {
    event.preventDefault();
    endOffer();
    (event.target === mail ? submitAddress() : subscribeHere()).catch((error) => {
      drop(ASKED);
      if (error instanceof Foreign) throw error;
    });
  });
}
