// @ts-check
/** The worker that runs Python offline: it answers requests, plays the computers and stores matches. */

const begun = performance.now();
/** The folder of the copy's files: `/offline/`, or `/offline/of/VERSION/` while that copy is tried. */
const HERE = new URL(".", import.meta.url).pathname;
const IMAGE = "/offline/snapshot";
/** Archive of the files that are not in the memory image. */
const UNREAD = "/offline/unread.zip";
/** Cache key of the last page viewed, which the next start shows at once. */
const LAST = "/offline/last";
/** Idle milliseconds before the present table is stored. */
const QUIET = 1_000;
const APP = "/app";
const PRELOAD = `
import sys
sys.path.insert(0, "${APP}")
from chouine.server.offline.preload import preload, unread
preload()
unread()
`;
/** Python starts from a memory image, in which random generators must be reseeded. */
const WAKE = `
import importlib, random, sys, time
importlib.invalidate_caches()
random.seed()
from chouine.server.offline.site import OfflineSite
`;

/** @type {any} */
let site;
/** @type {{stream: any, port: MessagePort}[]} */
let streams = [];
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let resting;
/** The address of the page being viewed. */
let at = "";

/** @type {Promise<typeof import("./copies.js")>} */
const stores = import(`${HERE}static/js/offline/copies.js`);

/** @returns {Promise<Cache | null>} the offline copy in use, or tried */
async function openCopy() {
  const { copies, copyOf } = await stores;
  const tried = HERE.split("/")[3];
  const version = tried || (await copies()).find(({ whole }) => whole)?.version;
  return version ? copyOf(version) : null;
}

/** @param {string} address */
async function bytes(address) {
  return new Uint8Array(await (await fetch(address)).arrayBuffer());
}

/**
 * Pyodide with as much memory as its image needs, more than it allocates by default.
 * @param {number} length bytes of the image
 */
async function roomy(length) {
  const { default: create } = await import(`${HERE}runtime/pyodide.asm.mjs`);
  /** @param {any} settings */
  return (settings) => {
    const instantiate = settings.instantiateWasm;
    /** @param {any} imports @param {(instance: any, module: any) => void} done */
    settings.instantiateWasm = (imports, done) =>
      instantiate(imports, (/** @type {any} */ instance, /** @type {any} */ module) => {
        const { memory } = instance.exports;
        const lacking = Math.ceil((length - memory.buffer.byteLength) / 65_536);
        if (lacking > 0) memory.grow(lacking);
        done(instance, module);
      });
    return create(settings);
  };
}

/** Frees memory at once, which otherwise stays until objects are collected: rarely in WebKit. @param {ArrayBuffer} buffer */
function free(buffer) {
  const { port1 } = new MessageChannel();
  port1.close();
  port1.postMessage(null, [buffer]); // it leaves this worker, for nowhere
}

/** Python, from its memory image if there is one. @param {boolean} anew */
async function python(anew) {
  const { loadPyodide } = await import(`${HERE}runtime/pyodide.mjs`);
  const cache = await openCopy();
  const found = anew ? undefined : await cache?.match(IMAGE);
  const unread = found && (await cache?.match(UNREAD));
  const options = { indexURL: `${HERE}runtime/` };
  if (unread) {
    const image = new Uint8Array(await found.arrayBuffer());
    const woken = await loadPyodide({ ...options, _loadSnapshot: image, createPyodideModule: await roomy(image.length) });
    free(image.buffer);
    woken.unpackArchive(await unread.arrayBuffer(), "zip", { extractDir: APP });
    return woken;
  }
  const app = bytes(`${HERE}app.zip`);
  const fresh = await loadPyodide({ ...options, _makeSnapshot: true });
  fresh.unpackArchive(await app, "zip", { extractDir: APP });
  const files = fresh.runPython(PRELOAD);
  const rest = files.toJs();
  files.destroy();
  const memory = fresh.makeMemorySnapshot();
  await cache?.put(IMAGE, new Response(memory)).catch(() => {}); // no storage left: later starts are slower
  await cache?.put(UNREAD, new Response(rest)).catch(() => {});
  return fresh;
}

/** @param {IDBRequest} request @returns {Promise<any>} */
function result(request) {
  return new Promise((done, fail) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => fail(request.error);
  });
}

/** @type {IDBDatabase} */
let stored;
/** This worker's name in the database while it is the one that writes. */
const OWN = String(Math.random());

/** Stores changes before they are shown; rejected if another worker has begun meanwhile, whose matches these are now. */
async function keep() {
  const { me, matches } = JSON.parse(site.changes());
  if (me === null && !Object.keys(matches).length) return;
  const writing = stored.transaction(["me", "matches"], "readwrite");
  const writer = writing.objectStore("me").get("writer");
  writer.onsuccess = () => {
    if (writer.result !== OWN) return writing.abort();
    if (me !== null) writing.objectStore("me").put(me, "me");
    for (const [id, text] of Object.entries(matches)) {
      if (text === null) writing.objectStore("matches").delete(id);
      else writing.objectStore("matches").put({ at: Date.now(), text }, id);
    }
    return undefined;
  };
  await new Promise((done, fail) => {
    writing.oncomplete = done;
    writing.onabort = () => fail(writing.error);
  });
}

/** Sends news to the pages that view a table. */
function tell() {
  for (const { stream, port } of streams) {
    const told = stream.news();
    for (const news of told) port.postMessage(event(news));
    told.destroy();
  }
}

/** @param {string} news */
function event(news) {
  return `data: ${news}\n\n`;
}

/** Lets computers act and deadlines take effect. */
async function tick() {
  clearTimeout(timer);
  const seconds = site.tick();
  await keep();
  tell();
  if (seconds >= 0) timer = setTimeout(() => queue(tick), 1000 * seconds);
  rest();
}

/** Serialises requests. */
let last = Promise.resolve();
/** @param {() => Promise<void>} act */
function queue(act) {
  last = last.then(act).catch((error) => console.error(String(error)));
}

/** @param {{method: string, address: string, body?: string, json?: boolean}} asked */
function answerOf({ method, address, body: sent = "", json = false }) {
  const given = site.answer.callKwargs(method, address, sent, { json_wanted: json });
  const { body, status, kind, location: onward, file, policy } = given;
  given.destroy();
  return { body, status, kind, location: onward, file, policy };
}

/** Stores the page being viewed, for the next start. @param {{status: number}} page */
async function keepPage(page) {
  if (page.status === 200) await (await openCopy())?.put(LAST, new Response(JSON.stringify({ address: at, ...page })));
}

/** Stores a table with the curtain down, since another player may open it next. @param {string} address */
function coverTable(address) {
  return address.startsWith("/offline/table/") ? address.replace(/\?.*/, "") : address;
}

/** Stores the table once nothing more happens. */
function rest() {
  clearTimeout(resting);
  if (!at.startsWith("/offline/table/")) return;
  resting = setTimeout(() => queue(() => keepPage(answerOf({ method: "GET", address: at }))), QUIET);
}

/**
 * @param {{method: string, address: string, body: string, json: boolean, stream: boolean, page: boolean}} asked
 * @param {MessagePort} port
 */
async function answer(asked, port) {
  if (asked.stream) {
    const url = new URL(asked.address, location.origin);
    const tableId = url.pathname.split("/")[3] ?? "";
    const stream = site.stream(tableId, url.searchParams.get("as") ?? "", url.searchParams.get("after") ?? "");
    const open = { stream, port };
    streams.push(open);
    port.onmessage = () => {
      streams = streams.filter((each) => each !== open);
      stream.destroy();
    };
    port.postMessage("event: hello\ndata:.\n\n");
  } else {
    const given = answerOf(asked);
    await keep();
    port.postMessage(given);
    if (asked.page && asked.method === "GET" && !given.location && !given.file) {
      at = coverTable(asked.address);
      await keepPage(at === asked.address ? given : answerOf({ method: "GET", address: at }));
    }
  }
  await tick();
}

/** The compiled kernels of levels 7 and 8; null if not in the offline copy. */
async function compileKernels() {
  const found = await fetch(`${HERE}runtime/kernels.wasm`).catch(() => null); // some servers lack them
  return found?.ok ? WebAssembly.compile(await found.arrayBuffer()) : null;
}

/** The past deals of the day that were taken along, as text; empty if the offline copy has none. */
async function pastDays() {
  const found = await fetch(`${HERE}days.json`).catch(() => null); // a copy made before there were any
  return found?.ok ? found.text() : "";
}

/** @param {string} language @param {string} shown the address of the page already shown */
async function start(language, shown) {
  at = shown;
  const running = python(false);
  const compiling = compileKernels();
  const found = await (await stores).database();
  if (!found) throw new Error("this browser keeps no matches");
  stored = found;
  const reading = stored.transaction(["me", "matches"], "readwrite");
  reading.objectStore("me").put(OWN, "writer");
  const me = await result(reading.objectStore("me").get("me"));
  /** @type {{at: number, text: string}[]} */
  const matches = await result(reading.objectStore("matches").getAll());
  const py = await running;
  py.runPython(WAKE);
  const module = await compiling;
  if (module) {
    /** @type {typeof import("./kernels.js")} */
    const { lend } = await import(`${HERE}static/js/offline/kernels.js`);
    await lend(py, module);
  }
  py.globals.set("stored_me", me ?? "");
  py.globals.set("stored_matches", JSON.stringify(matches.sort((one, other) => one.at - other.at).map(({ text }) => text)));
  py.globals.set("stored_days", await pastDays());
  site = py.runPython("import json; site = OfflineSite(time.time, stored_me, json.loads(stored_matches), stored_days); site");
  if (!me) site.remember.callKwargs({ language });
  await keep();
  postMessage({ ready: true, milliseconds: performance.now() - begun });
}

/** @param {unknown} error */
function tellFailure(error) {
  console.error(String(error));
  postMessage({ failed: true });
}

addEventListener("message", ({ data, ports }) => {
  if (data.start) start(data.language, data.shown).catch(tellFailure);
  else if (data.prepare) python(true).then(() => postMessage({ prepared: true }), tellFailure);
  else if (data.asked) {
    const [port] = ports;
    if (port) queue(() => answer(data.asked, port));
  }
});

export {};
