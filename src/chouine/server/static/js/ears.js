// @ts-check
/** The sound button: sound is off by default; a choice takes effect at once and is stored. */

import { ask } from "./ask.js";

/** Asked for when the first sound is likely: most never want one. */
const load = () => import("./sound.js").then((loaded) => (sounds = loaded)).catch(() => null);

/** @type {typeof import("./sound.js") | null} */
let sounds = null;

const form = /** @type {HTMLFormElement | null} */ (document.querySelector(".ears form"));
const on = /** @type {HTMLInputElement | null} */ (form?.querySelector("[name=sound]") ?? null);
const volume = /** @type {HTMLInputElement | null} */ (form?.querySelector("[name=volume]") ?? null);

if (on?.checked) load();
form?.closest("details")?.addEventListener("toggle", load); // before a tap in it, in which alone some browsers let sound begin
form?.addEventListener("change", ({ target }) => {
  if (target === volume && on) on.checked = true;
  form.closest("details")?.classList.toggle("on", on?.checked);
  hear("card");
  ask(form.action, { method: "POST", body: new URLSearchParams(/** @type {any} */ (new FormData(form))) }).catch(() => {});
});
form?.addEventListener("submit", (event) => event.preventDefault());

/**
 * Plays a sound if sound is on.
 * @param {string} name
 */
export function hear(name) {
  if (!name || !on?.checked) return;
  const heard = () => sounds?.play(name, Number(volume?.value));
  if (sounds) heard();
  else load().then(heard);
}
