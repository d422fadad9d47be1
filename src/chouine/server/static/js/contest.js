// @ts-check
/** The page of a contest shows what is new by itself, and leads whoever waits to the table that opens. */
import { morph } from "./morph.js";

const seconds = Number(document.body.dataset.seconds);

async function look() {
  try {
    const answer = await fetch(location.href);
    if (answer.ok) become(new DOMParser().parseFromString(await answer.text(), "text/html"));
  } catch {
    // Out of reach: asked again the next time.
  }
  setTimeout(look, 1_000 * seconds);
}

/** @param {Document} fresh */
function become(fresh) {
  const { next } = fresh.body.dataset;
  const [old, main] = [document.querySelector("main"), fresh.querySelector("main")];
  if (next) location.assign(next);
  else if (old && main) morph(old, main);
}

setTimeout(look, 1_000 * seconds);
