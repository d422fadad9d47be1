// @ts-check
/** The end of a contest, shown to its player as a scene: once by itself, then at a tap of its button. */

import { celebrate } from "./feast.js";
import { keep, recall } from "./storage.js";

/** Shows the scene unless this browser has; the page may get it while it is open. */
function tell() {
  const feast = document.getElementById("feast");
  const again = document.getElementById("ending-again");
  if (!feast || !again) return;
  again.hidden = false;
  const told = `chouine-told-${feast.dataset.contest}`;
  if (recall(told)) return;
  keep(told, "1");
  celebrate(document.body, 1);
}

document.addEventListener("click", ({ target }) => {
  if (target instanceof Element && target.closest("#ending-again")) celebrate(document.body, 1);
});
new MutationObserver(tell).observe(/** @type {Element} */ (document.querySelector("main")), { childList: true, subtree: true });
tell();
