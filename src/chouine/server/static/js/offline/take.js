// @ts-check
/** Install the offline copy: cache its files, start Python once, and upload matches later. */

import { Foreign, ask, askJson, ignoreUnreached } from "../ask.js";
import { keep, recall } from "../storage.js";
import { showForeign } from "../trouble.js";
import { copies, copyOf, database, dropCopy, dropOlder, finish } from "./copies.js";

const LEARNED = "chouine-learned";
/** Added to an address so that the service worker does not answer from the copy before. */
const TAKEN = "?take";
/** The past deals of the day. */
const DAYS = "/offline/days.json";
/** Milliseconds from a day's midnight until the next day's cards are public. */
const NEXT = (3 * 24 + 4) * 3_600_000;
/** Concurrent downloads. */
const AT_ONCE = 4;

/** @template {HTMLElement} T @param {string} id @returns {T} */
const part = (id) => /** @type {T} */ (document.getElementById(`takeaway-${id}`));
const section = /** @type {HTMLElement} */ (document.getElementById("takeaway"));
const dialog = /** @type {HTMLDialogElement} */ (part("dialog"));
const progress = /** @type {HTMLProgressElement} */ (part("progress"));
const step = part("step");

/** The newest whole copy's version; empty if there is none. */
async function newestVersion() {
  const whole = (await copies()).filter((copy) => copy.whole);
  return whole[whole.length - 1]?.version ?? "";
}

/** Shows the state of the offline copy. */
async function show() {
  const version = await newestVersion();
  const current = version === section.dataset.version;
  part("kept").hidden = !version;
  part("old").hidden = !version || current;
  part("ask").hidden = current;
  part("carry").hidden = !(await matches()).length && !(await learnedFile());
  section.hidden = false;
}

/** Adds the days that have become public since to the whole copies. */
async function renewDays() {
  for (const { version, whole } of await copies()) {
    if (!whole) continue;
    const copy = await copyOf(version);
    const { days = [] } = (await (await copy.match(DAYS))?.json()) ?? {};
    if (days[0] && Date.now() < Date.parse(days[0].date) + NEXT) continue;
    const answer = await ask(DAYS + TAKEN);
    if (answer.ok) await copy.put(DAYS, answer);
  }
}

/** @param {Cache} cache @param {string[]} files */
async function fetchAll(cache, files) {
  const left = [...files];
  let done = 0;
  const one = async () => {
    for (let file = left.shift(); file; file = left.shift()) {
      const answer = await ask(file + TAKEN, { cache: "no-cache" });
      if (!answer.ok) throw new Error(file);
      await cache.put(file, answer);
      done += 1;
      progress.value = (100 * done) / files.length;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

/** Resolved when the newest service worker controls this page: it serves the new copy to Python's first start. */
async function awaitWorker() {
  const workers = navigator.serviceWorker;
  const registration = await workers.register("/sw.js");
  if (registration.active) await registration.update();
  const coming = registration.installing ?? registration.waiting;
  const isSettled = () => coming?.state === "activated" || coming?.state === "redundant";
  if (coming && !isSettled()) {
    await new Promise((done) => coming.addEventListener("statechange", () => isSettled() && done(null)));
  }
  const { active } = await workers.ready;
  if (workers.controller) return;
  await new Promise((done) => {
    workers.addEventListener("controllerchange", done, { once: true });
    active?.postMessage("claim");
  });
}

/** Starts Python once from a copy, which stores its memory image there for quick starts. @param {string} version */
function prepare(version) {
  const worker = new Worker(`/offline/of/${version}/worker.js`, { type: "module" });
  return new Promise((/** @type {(value: void) => void} */ done, fail) => {
    worker.onmessage = ({ data }) => (data.prepared ? done() : fail(new Error("prepare")));
    worker.onerror = () => fail(new Error("prepare"));
    worker.postMessage({ prepare: true });
  }).finally(() => worker.terminate());
}

/** A new copy, whole and tried; the one before stays until then, and longer if an open page uses it. */
async function renew() {
  const { version, files } = await askJson("/offline/files.json");
  for (const copy of await copies()) if (!copy.whole) await dropCopy(copy.version);
  try {
    await awaitWorker(); // it would answer from the copy before if it were older
    await fetchAll(await copyOf(version), files);
    if ((await askJson("/offline/files.json")).version !== version) throw new Error("the server changed meanwhile");
    step.textContent = step.dataset.preparing ?? "";
    progress.removeAttribute("value");
    await prepare(version);
    await finish(version);
  } catch (error) {
    await dropCopy(version);
    throw error;
  }
  await dropOlder();
}

async function take() {
  const go = /** @type {HTMLButtonElement} */ (part("go"));
  go.disabled = true;
  progress.hidden = false;
  step.textContent = step.dataset.fetching ?? "";
  navigator.storage?.persist?.().catch(() => {}); // Firefox asks; what is fetched does not wait for the answer
  try {
    await renew();
    step.textContent = step.dataset.done ?? "";
  } catch (error) {
    console.info(String(error));
    step.textContent = step.dataset.failed ?? "";
    go.disabled = false;
    if (error instanceof Foreign) showForeign(error.status);
  }
  progress.hidden = true;
  await show();
}

/** Finished offline matches that were not uploaded yet. @returns {Promise<{key: string, text: string}[]>} */
async function matches() {
  const stored = await database();
  if (!stored) return [];
  return new Promise((done) => {
    /** @type {{key: string, text: string}[]} */
    const found = [];
    const cursor = stored.transaction("matches").objectStore("matches").openCursor();
    cursor.onsuccess = () => {
      const at = cursor.result;
      if (!at) {
        stored.close();
        done(found);
        return;
      }
      const { text, carried } = at.value;
      if (!carried && JSON.parse(text).brief.phase === "over") found.push({ key: String(at.key), text });
      at.continue();
    };
    cursor.onerror = () => done([]);
  });
}

/** Learning progress made offline and not uploaded yet, as a progress file; empty if there is none. */
async function learnedFile() {
  const stored = await database();
  if (!stored) return "";
  const text = await new Promise((/** @type {(text: string) => void} */ done) => {
    const reading = stored.transaction("me").objectStore("me").get("me");
    reading.onsuccess = () => done(reading.result ?? "");
    reading.onerror = () => done("");
  });
  stored.close();
  const { done = [], solved = [], days = [], counting = [] } = text ? (JSON.parse(text).learned ?? {}) : {};
  if (!done.length && !solved.length && !counting.length) return "";
  const file = JSON.stringify({ chouine_progress: 1, lessons: done, solved, days, counting });
  return file === recall(LEARNED) ? "" : file;
}

/** @param {string} key */
async function markCarried(key) {
  const stored = await database();
  if (!stored) return;
  const store = stored.transaction("matches", "readwrite").objectStore("matches");
  const reading = store.get(key);
  await new Promise((done) => {
    reading.onerror = done;
    reading.onsuccess = () => {
      const writing = store.put({ ...reading.result, carried: true }, key);
      writing.onsuccess = done;
      writing.onerror = done;
    };
  });
  stored.close();
}

/** A match as it is sent: compressed where the browser can (not before Safari 16.4 and Firefox 113). @param {string} text */
async function pack(text) {
  const whole = new Blob([text]);
  if (!("CompressionStream" in window)) return whole;
  return new Response(whole.stream().pipeThrough(new CompressionStream("gzip"))).blob();
}

/**
 * What the server answers to what is brought, or why it does not.
 * @param {string} address
 * @param {FormData} body
 * @returns {Promise<{ok?: boolean, message: string}>}
 */
async function bring(address, body) {
  return askJson(address, { method: "POST", body }).catch((error) => {
    if (error instanceof Foreign) return { message: error.message }; // by the server before it was read, or by a proxy
    throw error;
  });
}

/** Uploads matches and progress; the server replays each match by the rules. @param {string} csrf */
async function carry(csrf) {
  const line = part("told");
  /** @type {Set<string>} */
  const refused = new Set();
  for (const { key, text } of await matches()) {
    const body = new FormData();
    body.set("csrf", csrf);
    body.set("match", await pack(text), "match");
    const given = await bring("/offline/carry", body);
    if (!given.ok) {
      refused.add((line.dataset.refused ?? "").replace("…", given.message));
      continue; // continue with the others
    }
    await markCarried(key);
  }
  const file = await learnedFile();
  if (file) {
    const body = new FormData();
    body.set("csrf", csrf);
    body.set("file", new Blob([file]), "progress.json");
    const given = await bring("/learn/progress", body);
    if (given.ok) keep(LEARNED, file);
    else refused.add((line.dataset.unlearned ?? "").replace("…", given.message));
  }
  if (refused.size) {
    line.textContent = [...refused].join(" ");
    return;
  }
  line.textContent = line.dataset.carried ?? "";
  location.reload();
}

if ("serviceWorker" in navigator && "caches" in window && "locks" in navigator && "showModal" in dialog) {
  part("ask").addEventListener("click", () => dialog.showModal());
  part("close").addEventListener("click", () => dialog.close());
  part("go").addEventListener("click", take);
  part("carry").addEventListener("click", (event) => {
    if (!(event.target instanceof HTMLButtonElement)) return;
    carry(event.target.dataset.csrf ?? "").catch((error) => {
      ignoreUnreached(error);
      part("told").textContent = part("told").dataset.lost ?? "";
    });
  });
  show();
  renewDays().catch(() => {}); // without a network, or without room, the days stay as they are
}

export {};
