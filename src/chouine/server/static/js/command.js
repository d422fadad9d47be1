// @ts-check
/** Send forms to the table: each once, however often it is tapped; retried with the same command id until answered. */

import { Foreign, Unreached, askJson } from "./ask.js";
import { showForeign } from "./trouble.js";

const LONGEST_PAUSE = 4_000;
/** Milliseconds after which an answer counts as late. */
const LATE = 1_200;

/** Status of a command that came too late: the table had moved on. */
export const STALE = "table/stale";

/** @typedef {{ok: boolean, n?: number, code?: string, message?: string}} Answer */

/** @returns {string} a unique command id */
const newId = () => [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Sends a form, and retries until the table answers. Throws what is a fault of this page.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} button
 * @param {number} n the last entry that the page shows
 * @param {() => void} late called once if the answer is late
 * @returns {Promise<Answer>}
 */
export async function send(form, button, n, late) {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) fields.set(name, String(value));
  if (button instanceof HTMLButtonElement && button.name) fields.set(button.name, button.value);
  fields.set("id", newId());
  fields.set("n", String(n));
  const overdue = setTimeout(late, LATE);
  try {
    for (let nth = 1; ; nth += 1) {
      const answer = await askJson(form.action, { method: "POST", body: fields }).catch(failure);
      if (!(answer instanceof Error)) return answer;
      if (answer instanceof Foreign) {
        clearTimeout(overdue);
        showForeign(answer.status);
        await new Promise((tried) => document.addEventListener("tried", tried, { once: true }));
      } else await pause(Math.min(LONGEST_PAUSE, 500 * nth));
    }
  } finally {
    clearTimeout(overdue);
  }
}

/** @param {unknown} error @returns {Foreign | Unreached} after which the form may be sent again */
function failure(error) {
  if (error instanceof Foreign || error instanceof Unreached) return error;
  throw error;
}

/**
 * Waits, or until the network or the page is back; out of sight for these alone.
 * @param {number} milliseconds
 */
function pause(milliseconds) {
  return new Promise((/** @type {(value: void) => void} */ done) => {
    const timer = document.hidden ? undefined : setTimeout(end, milliseconds);
    addEventListener("online", end);
    document.addEventListener("visibilitychange", end);
    function end() {
      clearTimeout(timer);
      removeEventListener("online", end);
      document.removeEventListener("visibilitychange", end);
      done();
    }
  });
}
