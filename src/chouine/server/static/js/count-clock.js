// @ts-check
/** The clock of the counting trainer: the pile is shown for some seconds, then turned over. Out of sight it rests. */

import { still } from "./flip.js";

const felt = document.querySelector(".felt.lesson");
const form = /** @type {HTMLFormElement | null} */ (document.querySelector(".exercise"));
const begin = document.getElementById("begin");
const sand = document.getElementById("sand");
const turned = document.getElementById("turned");

document.getElementById("clocks")?.removeAttribute("hidden");

/** Shows the pile, and turns it over when the time has run out. The count is one by this clock from now on. */
function show() {
  if (!felt || !form || !begin || !sand || !turned) return;
  begin.hidden = true;
  sand.hidden = false;
  felt.classList.remove("turned");
  form.action += `&clock=${form.dataset.clock}`;
  const frames = still.matches ? [{ opacity: 1 }, { opacity: 1 }] : [{ transform: "none" }, { transform: "scaleX(0)" }];
  const run = sand.animate(frames, Number(sand.dataset.seconds) * 1000);
  const rest = () => (document.hidden ? run.pause() : run.play());
  document.addEventListener("visibilitychange", rest);
  run.onfinish = () => {
    document.removeEventListener("visibilitychange", rest);
    felt.classList.add("turned");
    sand.hidden = true;
    turned.textContent = turned.dataset.turned ?? "";
    document.getElementById("answer")?.focus();
  };
}

if (begin) {
  felt?.classList.add("turned");
  begin.hidden = false;
  begin.addEventListener("click", show);
}
