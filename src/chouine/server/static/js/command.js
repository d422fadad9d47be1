// @ts-check
/** Send forms to the table: each once, however often it is tapped; retried with the same command id until answered. */

const PATIENCE = 8_000;
const LONGEST_PAUSE = 4_000;
/** Milliseconds after which an answer counts as late. */
const LATE = 1_200;

/** Status of a command that came too late: the table had moved on. */
export const STALE = "room/stale";

/** @typedef {{ok: boolean, n?: number, code?: string, message?: string}} Answer */

/** @returns {string} a unique command id */
const fresh = () => [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Sends a form, and retries until the table answers.
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
  fields.set("id", fresh());
  fields.set("n", String(n));
  const overdue = setTimeout(late, LATE);
  for (let nth = 1; ; nth += 1) {
    try {
      const answer = await fetch(form.action, {
        method: "POST",
        headers: { Accept: "application/json" },
        body: fields,
        signal: AbortSignal.timeout(PATIENCE),
      });
      const told = await answer.json();
      clearTimeout(overdue);
      return told;
    } catch {
      await pause(Math.min(LONGEST_PAUSE, 500 * nth));
    }
  }
}

/**
 * Waits, or until the network is back.
 * @param {number} milliseconds
 */
function pause(milliseconds) {
  return new Promise((/** @type {(value: void) => void} */ done) => {
    const timer = setTimeout(end, milliseconds);
    addEventListener("online", end);
    function end() {
      clearTimeout(timer);
      removeEventListener("online", end);
      done();
    }
  });
}
