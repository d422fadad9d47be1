// @ts-check
/** Forms sent to the table: once, whatever is tapped how often; with the same number again until there is an answer. */

const PATIENCE = 8_000;
const LONGEST_PAUSE = 4_000;
/** An answer that takes longer is told as late. */
const LATE = 1_200;

/** The table had moved on when a command came, and would not take it any more. */
export const STALE = "room/stale";

/** @typedef {{ok: boolean, n?: number, code?: string, message?: string}} Answer */

/** @returns {string} a number no other command has */
const fresh = () => [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Sends a form, again and again until the table answers.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} button
 * @param {number} n the last entry shown to who sends it
 * @param {() => void} late called once if the answer is long in coming
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
 * Waits, less long if the network is back.
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
