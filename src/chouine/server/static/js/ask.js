// @ts-check
/** Every request of these pages: with a deadline, and with its three ways of failing told apart. */

/** Milliseconds of silence after which an answer is given up. */
const PATIENCE = 8_000;
/** Answers that mean "later", of ours or of a proxy whose server restarts. */
const LATER = [408, 425, 429, 502, 503, 504];
const WITHOUT_BODY = [204, 205, 304];

/** The network: nothing came, or not in time, or word to come back later. Asking again may help. */
export class Unreached extends Error {}

/** Somebody else answered in the server's place: a proxy, a filter, the sign-in page of a network. */
export class Foreign extends Error {
  /** @param {number} status */
  constructor(status) {
    super(`HTTP ${status}`);
    this.status = status;
  }
}

/** For `catch`: nothing is to be done about the network, but about any other failure. @param {unknown} error */
export function ignoreUnreached(error) {
  if (!(error instanceof Unreached)) throw error;
}

/**
 * A whole answer. Throws `Unreached` without one; any other exception is a fault of the page.
 * @param {string} address
 * @param {RequestInit} [how]
 * @returns {Promise<Response>}
 */
export async function ask(address, how = {}) {
  const ends = new AbortController(); // `AbortSignal.timeout` is missing before Safari 16, Chrome 103 and Firefox 100
  const request = new Request(address, { ...how, signal: ends.signal });
  let timer = setTimeout(() => ends.abort(), PATIENCE);
  const coming = fetch(request);
  try {
    const answer = await coming;
    return await readWhole(answer, () => {
      clearTimeout(timer);
      timer = setTimeout(() => ends.abort(), PATIENCE);
    });
  } catch (error) {
    throw new Unreached(String(error));
  } finally {
    clearTimeout(timer);
  }
}

/**
 * @param {Response} answer
 * @param {() => void} alive called whenever a part has come: a long file takes its time
 */
async function readWhole(answer, alive) {
  const { status, headers } = answer;
  if (WITHOUT_BODY.includes(status) || !answer.body) return answer;
  const reader = answer.body.getReader();
  const parts = [];
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    alive();
  }
  return new Response(new Blob(parts), { status, headers });
}

/**
 * What the server answers as JSON, a refusal too. Throws `Unreached` or `Foreign`.
 * @param {string} address
 * @param {RequestInit} [how]
 * @returns {Promise<any>}
 */
export async function askJson(address, how = {}) {
  const answer = await ask(address, { ...how, headers: { Accept: "application/json" } });
  if (answer.status === 204) return { ok: true };
  const text = await answer.text();
  try {
    return JSON.parse(text);
  } catch {
    if (LATER.includes(answer.status)) throw new Unreached(String(answer.status));
    throw new Foreign(answer.status);
  }
}

/**
 * A page of ours. Throws `Unreached` if the server cannot show it now, or `Foreign`.
 * @param {string} address
 * @param {string} part a selector of what is wanted of it: all of our whole pages have a style sheet too
 * @returns {Promise<Document>}
 */
export async function page(address, part) {
  const answer = await ask(address, { headers: { Accept: "text/html" } });
  const found = new DOMParser().parseFromString(await answer.text(), "text/html");
  const ours = found.querySelector(`${part}, link[href^="/static/"], link[href^="/offline/static/"]`);
  if (ours ? !answer.ok : LATER.includes(answer.status)) throw new Unreached(String(answer.status));
  if (!ours) throw new Foreign(answer.status);
  return found;
}
