// @ts-check
/** What this browser keeps. Nothing here fails where a browser keeps nothing: then it is kept while the page is open. */

/** @type {Map<string, string>} */
const meanwhile = new Map();

/**
 * @param {string} name
 * @param {boolean} [lasting] whether only what outlives the page counts
 * @returns {string | null}
 */
export function recall(name, lasting = false) {
  const passing = lasting ? null : (meanwhile.get(name) ?? null);
  try {
    return localStorage.getItem(name) ?? passing;
  } catch {
    return passing;
  }
}

/** @param {string} name @returns {any} what was kept as JSON; null if it cannot be read */
export function recallJson(name) {
  try {
    return JSON.parse(recall(name) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} name @param {string} text */
export function keep(name, text) {
  meanwhile.set(name, text);
  try {
    localStorage.setItem(name, text);
  } catch {
    // Blocked or full: kept in `meanwhile`.
  }
}

/** @param {string} name */
export function drop(name) {
  meanwhile.delete(name);
  try {
    localStorage.removeItem(name);
  } catch {
    // Blocked: nothing is there.
  }
}

/** Erases everything that is kept here or by other pages of this site. */
export async function dropAll() {
  meanwhile.clear();
  localStorage.clear();
  sessionStorage.clear();
}
