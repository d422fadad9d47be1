// @ts-check
/** The sound button: sound is off by default; a choice takes effect at once and is stored. */

import { play } from "./sound.js";

const form = /** @type {HTMLFormElement | null} */ (document.querySelector(".ears form"));
const on = /** @type {HTMLInputElement | null} */ (form?.querySelector("[name=sound]") ?? null);
const volume = /** @type {HTMLInputElement | null} */ (form?.querySelector("[name=volume]") ?? null);

form?.addEventListener("change", ({ target }) => {
  if (target === volume && on) on.checked = true;
  form.closest("details")?.classList.toggle("on", on?.checked);
  hear("card");
  fetch(form.action, { method: "POST", body: new URLSearchParams(/** @type {any} */ (new FormData(form))) }).catch(() => {});
});
form?.addEventListener("submit", (event) => event.preventDefault());

/**
 * Plays a sound if sound is on.
 * @param {string} name
 */
export function hear(name) {
  if (name && on?.checked) play(name, Number(volume?.value));
}
