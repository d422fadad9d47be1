// @ts-check
/** The button that reads a lesson's text aloud, by the voice of `speech.js`; hidden where the device has none. */

import { hush, speak, voice } from "./speech.js";

const button = /** @type {HTMLElement | null} */ (document.querySelector("#read-aloud"));

const show = () => button?.toggleAttribute("hidden", !voice());
button?.addEventListener("click", () => {
  hush();
  for (const each of document.querySelectorAll("#ask, .notes p, .answer p:first-child")) {
    speak(each.textContent ?? "", Number(button.dataset.volume));
  }
});
if ("speechSynthesis" in window) speechSynthesis.addEventListener?.("voiceschanged", show);
show();
