// @ts-check
/** Forms sent to the table: once, whatever is tapped how often; sent again with the same number if the network fails. */

/** A server that starts again is there within some seconds: nine tries are eighteen. */
const TRIES = 9;
const PATIENCE = 8_000;

/** The table had moved on when a command came, and would not take it any more. */
export const STALE = "room/stale";

/** @typedef {{ok: boolean, n?: number, code?: string, message?: string}} Answer */

/** @returns {string} a number no other command has */
const fresh = () => [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Sends a form; null when the table does not answer.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} button
 * @param {number} n the last entry shown to who sends it
 * @returns {Promise<Answer | null>}
 */
export async function send(form, button, n) {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) fields.set(name, String(value));
  if (button instanceof HTMLButtonElement && button.name) fields.set(button.name, button.value);
  fields.set("id", fresh());
  fields.set("n", String(n));
  for (let nth = 1; nth <= TRIES; nth += 1) {
    try {
      const answer = await fetch(form.action, {
        method: "POST",
        headers: { Accept: "application/json" },
        body: fields,
        signal: AbortSignal.timeout(PATIENCE),
      });
      return await answer.json();
    } catch {
      await new Promise((done) => setTimeout(done, 500 * nth));
    }
  }
  return null;
}
