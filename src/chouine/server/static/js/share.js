// @ts-check
/* Links to friends: copied or sent at a tap; the page is asked for again when somebody sits down. */

import { askJson } from "./ask.js";
import { Source } from "./source.js";

const told = /** @type {HTMLElement} */ (document.getElementById("told"));

for (const row of document.querySelectorAll(".does")) row.removeAttribute("hidden");

/** @param {string} id */
const link = (id) => /** @type {HTMLInputElement} */ (document.getElementById(id));

for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-copy]"))) {
  button.addEventListener("click", async () => {
    const field = link(button.dataset.copy ?? "");
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      document.execCommand("copy");
    }
    const done = button.dataset.done ?? "";
    button.textContent = done;
    told.textContent = done;
  });
}

for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-share]"))) {
  if (!("share" in navigator)) continue;
  button.hidden = false;
  button.addEventListener("click", () => {
    const { value } = link(button.dataset.share ?? "");
    navigator.share(value.startsWith("http") ? { title: "La Chouine", url: value } : { text: value }).catch(() => {});
  });
}

const stream = document.getElementById("waiting")?.dataset.stream;
if (stream) {
  const poll = async () => {
    if ((await askJson(stream.replace("/stream?", "/events?"))).length) location.reload();
  };
  new Source(() => stream, { message: () => location.reload(), poll }).open();
}
