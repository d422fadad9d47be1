// @ts-check
/** The offline copies in the browser's caches, and the database of what is played there; neither where a browser keeps nothing. */

/** The offline matches and settings; null where the browser keeps none. @returns {Promise<IDBDatabase | null>} */
export function database() {
  return new Promise((done) => {
    try {
      const opening = indexedDB.open("chouine", 1);
      opening.onupgradeneeded = () => {
        opening.result.createObjectStore("matches");
        opening.result.createObjectStore("me");
      };
      opening.onsuccess = () => done(opening.result);
      opening.onerror = () => done(null);
    } catch {
      done(null);
    }
  });
}

const COPY = "chouine-offline-";
/** Put into a copy last. */
const WHOLE = "/offline/whole";

/** The offline copies, oldest first; none where the browser keeps none. @returns {Promise<{version: string, whole: boolean}[]>} */
export async function copies() {
  const found = [];
  try {
    for (const name of await caches.keys()) {
      if (!name.startsWith(COPY)) continue;
      found.push({ version: name.slice(COPY.length), whole: Boolean(await (await caches.open(name)).match(WHOLE)) });
    }
  } catch {
    // Blocked.
  }
  return found;
}

/** @param {string} version @returns {Promise<Cache>} the copy of a version, perhaps empty; throws where the browser keeps none */
export const copyOf = (version) => caches.open(COPY + version);

/** @param {string} version */
export async function finish(version) {
  await (await copyOf(version)).put(WHOLE, new Response(version));
}

const USED = "chouine-offline-used";

/** Keeps the copies as they are while this page is open. */
export function useCopy() {
  navigator.locks.request(USED, { mode: "shared" }, () => new Promise(() => {}));
}

/** Drops all copies but the newest whole one, unless an open page uses them. @returns {Promise<boolean>} whether another whole one was there */
export function dropOlder() {
  return navigator.locks.request(USED, { ifAvailable: true }, async (lock) => Boolean(lock) && dropUnused());
}

async function dropUnused() {
  const all = await copies();
  const whole = all.filter((copy) => copy.whole);
  const newest = whole[whole.length - 1]?.version;
  for (const { version } of all) if (version !== newest) await caches.delete(COPY + version);
  return whole.length > 1;
}

/** @param {string} version */
export async function dropCopy(version) {
  await caches.delete(COPY + version);
}

/** Erases the copies and what was played there; rejected if another page holds it open. */
export async function dropAll() {
  for (const { version } of await copies()) await dropCopy(version);
  await new Promise((done, fail) => {
    const erasing = indexedDB.deleteDatabase("chouine");
    erasing.onsuccess = done;
    erasing.onerror = erasing.onblocked = fail;
  });
}
