// @ts-check
/** What this browser keeps. Nothing here fails where a browser keeps nothing: then it is kept while the page is open. */

/** @type {Map<string, string>} */
const meanwhile = new Map();

/** @param {string} name @returns {string | null} */
export function recall(name) {
  try {
    return localStorage.getItem(name) ?? meanwhile.get(name) ?? null;
  } catch {
    return meanwhile.get(name) ?? null;
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
