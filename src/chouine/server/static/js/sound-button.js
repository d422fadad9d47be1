// @ts-check
/** The sound button: sound and the voice are off by default; a choice takes effect at once and is stored. */

import { ask } from "./ask.js";
import { hush, speak, voice } from "./speech.js";
import { keep, recall } from "./storage.js";

const INVITED = "chouine-sound-invited";

/** Asked for when the first sound is likely: most never want one. */
const load = () => import("./sound.js").then((loaded) => (sounds = loaded)).catch(() => null);

/** @type {typeof import("./sound.js") | null} */
let sounds = null;

const form = /** @type {HTMLFormElement | null} */ (document.querySelector(".ears form"));
const on = /** @type {HTMLInputElement | null} */ (form?.querySelector("[name=sound]") ?? null);
const aloud = /** @type {HTMLInputElement | null} */ (form?.querySelector("[name=aloud]") ?? null);
const volume = /** @type {HTMLInputElement | null} */ (form?.querySelector("[name=volume]") ?? null);

if (on?.checked) load();
form?.closest("details")?.addEventListener("toggle", load); // before a tap in it, in which alone some browsers let sound begin
form?.addEventListener("change", ({ target }) => {
  if (target === volume && on && !aloud?.checked) on.checked = true;
  form.closest("details")?.classList.toggle("on", on?.checked);
  hear("card");
  hush();
  if (target === aloud) sample();
  ask(form.action, { method: "POST", body: new URLSearchParams(/** @type {any} */ (new FormData(form))) }).catch(() => {});
});
/** Once in this browser, and only where sound is off, the button says what it is for; any tap ends that. */
const invites = document.getElementById("sound-invites");
if (invites && !recall(INVITED)) {
  keep(INVITED, "1");
  invites.hidden = false;
  addEventListener("pointerdown", () => setTimeout(() => (invites.hidden = true), 200), { once: true });
}
form?.addEventListener("submit", (event) => event.preventDefault());

/** Lets the voice be heard in the tap that asks for it, without which some browsers never let it speak, or says that there is none. */
function sample() {
  const mute = form?.querySelector("[data-mute]");
  mute?.toggleAttribute("hidden", !aloud?.checked || Boolean(voice()));
  read(aloud?.closest("label")?.textContent ?? "");
}

/** Reads a sentence aloud if that was asked for. @param {string} sentence */
export function read(sentence) {
  if (aloud?.checked) speak(sentence, Number(volume?.value));
}

/**
 * Plays a sound if sound is on.
 * @param {string} name
 * @param {number} [wait] seconds
 */
export function hear(name, wait) {
  if (!name || !on?.checked) return;
  const heard = () => sounds?.play(name, Number(volume?.value), wait);
  if (sounds) heard();
  else load().then(heard);
}
