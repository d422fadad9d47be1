// @ts-check
/** Install the offline copy: cache its files, start Python once, and upload matches later. */

const CACHE = "chouine-offline-";
const WHOLE = "/offline/whole";
const LEARNED = "chouine-learned";
/** Concurrent downloads. */
const AT_ONCE = 4;

/** @template {HTMLElement} T @param {string} id @returns {T} */
const part = (id) => /** @type {T} */ (document.getElementById(`takeaway-${id}`));
const section = /** @type {HTMLElement} */ (document.getElementById("takeaway"));
const dialog = /** @type {HTMLDialogElement} */ (part("dialog"));
const progress = /** @type {HTMLProgressElement} */ (part("progress"));
const step = part("step");

/** The completely installed version; empty if there is none. */
async function kept() {
  for (const name of await caches.keys()) {
    if (name.startsWith(CACHE) && (await (await caches.open(name)).match(WHOLE))) return name.slice(CACHE.length);
  }
  return "";
}

/** Shows the state of the offline copy. */
async function show() {
  const version = await kept();
  const newest = version === section.dataset.version;
  part("kept").hidden = !version;
  part("old").hidden = !version || newest;
  part("ask").hidden = newest;
  part("carry").hidden = !(await matches()).length && !(await learned());
  section.hidden = false;
}

/** @param {Cache} cache @param {string[]} files */
async function fetched(cache, files) {
  const left = [...files];
  let done = 0;
  const one = async () => {
    for (let file = left.shift(); file; file = left.shift()) {
      const answer = await fetch(file, { cache: "no-cache" });
      if (!answer.ok) throw new Error(file);
      await cache.put(file, answer);
      done += 1;
      progress.value = (100 * done) / files.length;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
}

/** Starts Python once, which stores its memory image for quick starts. */
function prepared() {
  const worker = new Worker("/offline/worker.js", { type: "module" });
  return new Promise((/** @type {(value: void) => void} */ done, fail) => {
    worker.onmessage = ({ data }) => (data.prepared ? done() : fail(new Error("prepare")));
    worker.onerror = () => fail(new Error("prepare"));
    worker.postMessage({ prepare: true });
  }).finally(() => worker.terminate());
}

async function take() {
  const go = /** @type {HTMLButtonElement} */ (part("go"));
  go.disabled = true;
  progress.hidden = false;
  step.textContent = step.dataset.fetching ?? "";
  try {
    await navigator.storage?.persist?.();
    const { version, files } = await (await fetch("/offline/files.json")).json();
    for (const name of await caches.keys()) if (name.startsWith(CACHE)) await caches.delete(name);
    const cache = await caches.open(CACHE + version);
    await fetched(cache, files);
    await navigator.serviceWorker.register("/sw.js");
    await navigator.serviceWorker.ready; // it answers Python's first start from the cache: nothing is fetched twice
    step.textContent = step.dataset.preparing ?? "";
    progress.removeAttribute("value");
    await prepared();
    await cache.put(WHOLE, new Response(version));
    step.textContent = step.dataset.done ?? "";
  } catch {
    step.textContent = step.dataset.failed ?? "";
    go.disabled = false;
  }
  progress.hidden = true;
  await show();
}

/** @returns {Promise<IDBDatabase | null>} */
function database() {
  return new Promise((done) => {
    const opening = indexedDB.open("chouine", 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore("matches");
      opening.result.createObjectStore("me");
    };
    opening.onsuccess = () => done(opening.result);
    opening.onerror = () => done(null);
  });
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
async function learned() {
  const stored = await database();
  if (!stored) return "";
  const text = await new Promise((/** @type {(text: string) => void} */ done) => {
    const reading = stored.transaction("me").objectStore("me").get("me");
    reading.onsuccess = () => done(reading.result ?? "");
    reading.onerror = () => done("");
  });
  stored.close();
  const { done = [], solved = [], days = [] } = text ? (JSON.parse(text).learned ?? {}) : {};
  if (!done.length && !solved.length) return "";
  const file = JSON.stringify({ chouine_progress: 1, lessons: done, solved, days });
  return file === localStorage.getItem(LEARNED) ? "" : file;
}

/** @param {string} key */
async function carried(key) {
  const stored = await database();
  if (!stored) return;
  const store = stored.transaction("matches", "readwrite").objectStore("matches");
  const reading = store.get(key);
  await new Promise((done) => {
    reading.onsuccess = () => {
      const writing = store.put({ ...reading.result, carried: true }, key);
      writing.onsuccess = done;
      writing.onerror = done;
    };
  });
  stored.close();
}

/** Uploads matches and progress; the server replays each match by the rules. @param {string} csrf */
async function carry(csrf) {
  const told = part("told");
  /** @type {Set<string>} */
  const refused = new Set();
  for (const { key, text } of await matches()) {
    const body = new FormData();
    body.set("csrf", csrf);
    const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
    body.set("match", await new Response(packed).blob(), "match");
    const answer = await fetch("/offline/carry", { method: "POST", headers: { Accept: "application/json" }, body });
    const given = await answer.json().catch(() => ({})); // refused before it was read, by the server or a proxy
    if (!given.ok) {
      refused.add((told.dataset.refused ?? "").replace("…", given.message ?? `HTTP ${answer.status}`));
      continue; // continue with the others
    }
    await carried(key);
  }
  const file = await learned();
  if (file) {
    const body = new FormData();
    body.set("csrf", csrf);
    body.set("file", new Blob([file]), "progress.json");
    const answer = await fetch("/learn/progress", { method: "POST", body });
    if (answer.ok) localStorage.setItem(LEARNED, file);
  }
  if (refused.size) {
    told.textContent = [...refused].join(" ");
    return;
  }
  told.textContent = told.dataset.carried ?? "";
  location.reload();
}

if ("serviceWorker" in navigator && "caches" in window && "locks" in navigator) {
  part("ask").addEventListener("click", () => dialog.showModal());
  part("close").addEventListener("click", () => dialog.close());
  part("go").addEventListener("click", take);
  part("carry").addEventListener("click", (event) => {
    if (event.target instanceof HTMLButtonElement) carry(event.target.dataset.csrf ?? "");
  });
  show();
}

export {};
