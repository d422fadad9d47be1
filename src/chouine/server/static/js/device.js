// @ts-check
/** Tries what Chouine needs of a device, and writes the results as one number. */

import { ask, ignoreUnreached } from "./ask.js";
import { play } from "./sound.js";
import { flows } from "./source.js";
import { voice } from "./speech.js";
import { keep, recall } from "./storage.js";

const list = /** @type {HTMLElement} */ (document.querySelector(".checks"));
const digits = /** @type {HTMLElement} */ (document.querySelector(".digits"));
/** @type {{known: string[], browsers: string[], systems: string[], versions: number, widths: number[], texts: number[], digits: number, proof: number}} */
const numbers = JSON.parse(list.dataset.numbers ?? "");
/** Milliseconds within which the server answers, and between the two events of a stream that nothing holds back. */
const [QUICK, FLOWS] = [1000, 700];
/** Seconds by which a clock may be wrong. */
const WRONG = 60;
/** Milliseconds after which what has not come does not come. */
const PATIENCE = 8000;
/** How browsers and systems call themselves; the first that is found counts. */
const BROWSERS = { Edge: /Edg\w*\/(\d+)/, "Samsung Internet": /SamsungBrowser\/(\d+)/, Firefox: /(?:Firefox|FxiOS)\/(\d+)/, Chrome: /(?:Chrome|CriOS)\/(\d+)/, Safari: /Version\/(\d+).*Safari/ };
const SYSTEMS = { Windows: /Windows/, iOS: /iPhone|iPad/, macOS: /Mac OS/, Android: /Android/, ChromeOS: /CrOS/, Linux: /Linux/ };

/** Each check answers whether the device can. @type {Record<string, () => boolean | Promise<boolean>>} */
const checks = {
  cookies: () => navigator.cookieEnabled,
  storage: () => keeps(),
  recent: () => "at" in Array.prototype && CSS.supports("width", "1cqw") && CSS.supports("selector(:has(*))"),
  news: () => flows("/device/news", FLOWS, PATIENCE),
  quick: () => answersWithin(QUICK),
  clock: () => Math.abs(Date.now() / 1000 - performance.now() / 1000 - Number(list.dataset.now)) < WRONG,
  secure: () => location.protocol === "https:",
  offline: () => "caches" in window && "serviceWorker" in navigator && "CompressionStream" in window && "locks" in navigator,
  push: () => "PushManager" in window && "Notification" in window && Notification.permission !== "denied",
  voice: async () => Boolean(voice()) || (await wait(1500), Boolean(voice())), // some browsers find their voices late
  motion: () => !matchMedia("(prefers-reduced-motion: reduce)").matches,
};

/** @param {number} time in milliseconds */
function wait(time) {
  return new Promise((/** @type {(value?: unknown) => void} */ done) => setTimeout(done, time));
}

/** Whether the browser itself keeps something; what is asked for is kept while the page is open in any case. */
function keeps() {
  keep("chouine-device", "1");
  return recall("chouine-device", true) === "1";
}

/** @param {number} time in milliseconds */
async function answersWithin(time) {
  const begun = performance.now();
  try {
    await ask("/health");
  } catch (error) {
    ignoreUnreached(error);
    return false;
  }
  return performance.now() - begun < time;
}

/** The name in a table that the browser gives itself, and the version. @param {Record<string, RegExp>} table @returns {[string, number]} */
function nameIn(table) {
  for (const [name, pattern] of Object.entries(table)) {
    const found = pattern.exec(navigator.userAgent);
    if (found) return [name, Math.min(Number(found[1] ?? 0), numbers.versions - 1)];
  }
  return ["", 0];
}

/** The number: each answer is a digit in a base of its own. */
function write() {
  const [browser, version] = nameIn(BROWSERS);
  const text = parseFloat(getComputedStyle(document.documentElement).fontSize);
  /** @type {[number, number][]} */
  const parts = [...list.querySelectorAll("li")].map(({ dataset }) => [numbers.known.indexOf(dataset.state ?? ""), numbers.known.length]);
  parts.push([numbers.browsers.indexOf(browser), numbers.browsers.length], [version, numbers.versions]);
  parts.push([numbers.systems.indexOf(nameIn(SYSTEMS)[0]), numbers.systems.length]);
  parts.push([numbers.widths.filter((least) => innerWidth >= least).length, numbers.widths.length + 1]);
  parts.push([numbers.texts.filter((least) => text >= least).length, numbers.texts.length + 1]);
  const number = parts.reduce((all, [part, base]) => all * base + part, 0);
  const proof = String(number % numbers.proof).padStart(2, "0");
  digits.textContent = `${String(number).padStart(numbers.digits, "0")}${proof}`.replace(/..(?=.)/g, "$& ");
}

/** @param {string} name @param {string} state */
function show(name, state) {
  const line = /** @type {HTMLElement} */ (list.querySelector(`[data-check="${name}"]`));
  line.dataset.state = state;
}

list.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest("button") : null;
  const does = button?.dataset.does;
  if (!does) return;
  if (does === "play") {
    play("turn", 1);
    for (const answer of /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll("button[hidden]"))) answer.hidden = false;
  } else {
    show("sound", does);
    write();
  }
});

Promise.all(Object.entries(checks).map(async ([name, can]) => show(name, (await can()) ? "works" : "fails"))).then(write);
