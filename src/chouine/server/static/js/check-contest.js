// @ts-check
/* A contest's log verified by the phone that shows it: every seal, the seed's digest, and the draw of round 1, as
   docs/notation.md describes them. In a hall the page has no HTTPS, and so no crypto.subtle. */

import { ask } from "./ask.js";

/** @typedef {{kind: string, [field: string]: any}} Act */

const ROUNDS = Uint32Array.from(primes(64), (prime) => fraction(Math.cbrt(prime)));
const START = primes(8).map((prime) => fraction(Math.sqrt(prime)));
const TRIES = 500;

/** @param {number} many */
function primes(many) {
  /** @type {number[]} */
  const found = [];
  for (let number = 2; found.length < many; number++) if (found.every((prime) => number % prime)) found.push(number);
  return found;
}

/** The first 32 bits of a number's fraction. @param {number} root */
function fraction(root) {
  return ((root - Math.floor(root)) * 2 ** 32) >>> 0;
}

/** SHA-256. @param {Uint8Array} bytes @returns {DataView} */
export function sha256(bytes) {
  const size = (((bytes.length + 8) >> 6) + 1) << 6;
  const padded = new DataView(new ArrayBuffer(size));
  new Uint8Array(padded.buffer).set(bytes);
  padded.setUint8(bytes.length, 0x80);
  padded.setUint32(size - 8, Math.floor(bytes.length / 2 ** 29));
  padded.setUint32(size - 4, bytes.length << 3);
  let state = Uint32Array.from(START);
  const words = new Uint32Array(64);
  for (let block = 0; block < size; block += 64) {
    for (let nth = 0; nth < 64; nth++) {
      const [far, near] = [words[nth - 15] ?? 0, words[nth - 2] ?? 0];
      words[nth] = nth < 16
        ? padded.getUint32(block + 4 * nth)
        : (turn(far, 7) ^ turn(far, 18) ^ (far >>> 3)) + (words[nth - 7] ?? 0) +
          (turn(near, 17) ^ turn(near, 19) ^ (near >>> 10)) + (words[nth - 16] ?? 0);
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
    for (let nth = 0; nth < 64; nth++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + (ROUNDS[nth] ?? 0) + (words[nth] ?? 0)) | 0;
      const other = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + other) | 0];
    }
    state = Uint32Array.from([a, b, c, d, e, f, g, h], (own, nth) => own + (state[nth] ?? 0));
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, nth) => digest.setUint32(4 * nth, word));
  return digest;
}

/** @param {number} word @param {number} by */
function turn(word, by) {
  return (word >>> by) | (word << (32 - by));
}

/** @param {string} text */
export function digestOf(text) {
  const digest = sha256(new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest.buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The random numbers of a draw. @param {string[]} texts @returns {(bound: number) => number} */
function chanceOf(texts) {
  const key = new Uint8Array(sha256(new TextEncoder().encode(texts.join("\n"))).buffer);
  let block = 0n;
  /** @type {bigint[]} */
  let words = [];
  const word = () => {
    if (!words.length) {
      const input = new DataView(new ArrayBuffer(40));
      new Uint8Array(input.buffer).set(key);
      input.setBigUint64(32, block++);
      const digest = sha256(new Uint8Array(input.buffer));
      words = [0, 8, 16, 24].map((at) => digest.getBigUint64(at));
    }
    return words.shift() ?? 0n;
  };
  return (bound) => {
    const span = 2n ** 64n - (2n ** 64n % BigInt(bound));
    let found = word();
    while (found >= span) found = word();
    return Number(found % BigInt(bound));
  };
}

/** @param {number[]} row @param {(bound: number) => number} below */
function shuffle(row, below) {
  const mixed = [...row];
  for (let last = row.length - 1; last > 0; last--) {
    const other = below(last + 1);
    [mixed[last], mixed[other]] = [mixed[other] ?? 0, mixed[last] ?? 0];
  }
  return mixed;
}

/** Round 1 drawn again: its tables; null if chance found none without a fault, which this page does not settle.
 * @param {Act} opened @param {Act} act @param {string} seed @param {number} attempt
 * @param {Map<number, Record<string, any>>} details @returns {number[][] | null} */
function drawAgain({ formula }, act, seed, attempt, details) {
  const below = chanceOf(["chouine draw 1", seed, "main", "1", String(attempt), act.card]);
  const field = act.places.flat().sort((/** @type {number} */ one, /** @type {number} */ other) => one - other);
  const sizes = act.places.map((/** @type {number[]} */ place) => place.length).sort((/** @type {number} */ one, /** @type {number} */ other) => other - one);
  const inTree = formula.kind === "tree";
  for (let nth = 0; nth < TRIES; nth++) {
    let row = shuffle(field, below);
    if (sizes[sizes.length - 1] === 1 && !inTree) {
      const alone = field[below(field.length)];
      row = [...row.filter((one) => one !== alone), alone];
    }
    const places = sizes.map((/** @type {number} */ size) => row.splice(0, size));
    const together = places.some((/** @type {number[]} */ place) => place.some((one, at) => place.slice(at + 1).some((other) =>
      (formula.apart ?? []).some((/** @type {string} */ kind) => details.get(one)?.[kind] && details.get(one)?.[kind] === details.get(other)?.[kind]))));
    if (!together) return inTree ? shuffle([...places.keys()], below).map((at) => places[at]) : places;
  }
  return null;
}

/** What the log says of itself, as [what was found, its number] pairs. @param {string} log @returns {[string, number][]} */
export function verdicts(log) {
  const lines = log.split("\n").filter(Boolean);
  let seal = "0".repeat(64);
  for (const [nth, line] of lines.entries()) {
    const end = line.lastIndexOf(',"seal":"');
    seal = digestOf(`${seal}\n${line.slice(0, end)}}`);
    if (line.slice(end) !== `,"seal":"${seal}"}`) return [["broken", nth + 1]];
  }
  /** @type {Act[]} */
  const acts = lines.map((line) => JSON.parse(line).act);
  /** @type {[string, number][]} */
  const found = [["seals", acts.length]];
  const seeds = acts.filter((act) => act.kind === "revealed").map((act) => act.seed);
  const [opened] = acts;
  if (!seeds.length || !opened) return found;
  const commits = [opened.commit, ...acts.filter((act) => act.kind === "undone" && act.commit).map((act) => act.commit)];
  found.push([seeds.every((seed) => commits.includes(digestOf(seed))) ? "seed" : "other", 0]);
  const undoneAt = new Map(acts.flatMap((act, nth) => act.kind === "undone" ? [[act.act - 1, nth]] : []));
  let [attempt, rest] = [0, 0];
  for (const [nth, act] of acts.entries()) {
    if (act.kind !== "drawn") continue;
    const before = acts.filter((_, at) => at < nth && (undoneAt.get(at) ?? nth) >= nth); // what stood at this draw
    const people = before.flatMap((one) => one.kind === "listed" ? [...one.entries, ...(one.merged ?? [])] : [one]);
    const details = new Map(people.flatMap(({ number, details: own }) => own === undefined ? [] : [[number, own]]));
    const settings = before.filter((one) => one.kind === "changed").pop() ?? opened;
    const first = act.stage === "main" && act.round === 1;
    const seed = seeds.find((one) => digestOf(one) === opened.commit);
    const again = first && seed ? drawAgain(settings, act, seed, ++attempt, details) : null;
    if (again === null) rest++;
    else found.push([JSON.stringify(again) === JSON.stringify(act.places) ? "round" : "differs", 1]);
  }
  if (rest) found.push(["rest", rest]);
  return found;
}

const verdict = typeof document === "undefined" ? null : document.getElementById("verdict");

/** @param {HTMLElement} list */
async function check(list) {
  const answer = await ask("/log.jsonl");
  const found = answer.ok ? verdicts(await answer.text()) : /** @type {[string, number][]} */ ([["lost", 0]]);
  list.replaceChildren(...found.map(([what, number]) => {
    const item = document.createElement("li");
    item.className = ["broken", "other", "differs", "lost"].includes(what) ? "bad" : "good";
    item.textContent = (list.dataset[what] ?? "").replace("@", String(number));
    return item;
  }));
}

if (verdict) check(verdict).catch(() => { verdict.textContent = verdict.dataset.lost ?? ""; });
