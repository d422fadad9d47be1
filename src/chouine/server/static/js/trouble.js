// @ts-check
/** What a page says when somebody else answered in the server's place, when news is held back, or when it is at fault. */

import { Foreign, Unreached } from "./ask.js";

const place = document.getElementById("trouble");
const sentence = place?.querySelector("p");
let heldShown = false;

/**
 * Shows a sentence with the buttons that go with it. A fault stays: nothing else matters then.
 * @param {"foreign" | "fault" | "cookies" | "held"} kind
 * @param {number} [status]
 */
function show(kind, status) {
  if (!place || !sentence || place.dataset.kind === "fault") return;
  document.querySelector("#notice.lost")?.setAttribute("hidden", ""); // which says that all will be well by itself
  const words = (place.dataset[kind] ?? "").replace("…", String(status));
  if (sentence.textContent !== words) sentence.textContent = words;
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll("[data-for]"))) {
    button.hidden = !button.dataset.for?.split(" ").includes(kind);
  }
  place.dataset.kind = kind;
  place.hidden = false;
}

/** Says that somebody else answered. "tried" is dispatched when the player asks to try again. @param {number} status */
export function showForeign(status) {
  show("foreign", status);
}

/** Says once that something on the way holds the news back, so that the page asks for it itself. */
export function showHeld() {
  if (!heldShown) show("held");
  heldShown = true;
}

/** An answer of ours has come: what was said about somebody else's is over, and who waits tries again. */
export function endForeign() {
  if (place?.dataset.kind === "foreign" && !place.hidden) tryAgain();
}

function tryAgain() {
  if (place) place.hidden = true;
  document.dispatchEvent(new Event("tried"));
}

/**
 * What nobody has caught: somebody else's answer, no answer, or a fault of this page, unless an extension of the browser is
 * at fault.
 * @param {unknown} error
 */
function showUncaught(error) {
  if (error instanceof Foreign) showForeign(error.status);
  else if (error instanceof Error && !(error instanceof Unreached) && (error.stack ?? "").includes(location.origin)) show("fault");
}

addEventListener("unhandledrejection", ({ reason }) => showUncaught(reason));
addEventListener("error", ({ error }) => showUncaught(error));

place?.addEventListener("click", ({ target }) => {
  const does = target instanceof Element ? target.closest("button")?.dataset.does : "";
  if (does === "reload") location.reload();
  if (does === "again") tryAgain();
  if (does === "close") place.hidden = true;
});
if (!navigator.cookieEnabled && location.protocol.startsWith("http")) show("cookies");
