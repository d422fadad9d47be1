// @ts-check
/** Tells the server that this page is at the table, so that the others are told when it is gone. */

import { everyWhileSeen } from "./sight.js";

/** Milliseconds between two words while the page is in sight, and out of sight while it waits for its turn. */
const SEEN = 3_000;
const UNSEEN = 30_000;
/** Milliseconds after which a page that went out of sight is not being closed: that hides it too. */
const CLOSED = 1_000;

/**
 * @param {string} address
 * @param {() => boolean} listens whether news is wanted even while the page is out of sight
 */
export function keepCompany(address, listens) {
  /** @param {string} [how] */
  const tell = (how = "") => void fetch(address + how, { keepalive: true }).catch(() => {}); // told again soon
  const unseen = () => document.hidden && listens() && tell("?hidden");
  everyWhileSeen(SEEN, tell);
  setInterval(unseen, UNSEEN);
  document.addEventListener("visibilitychange", () => setTimeout(unseen, CLOSED));
  addEventListener("pagehide", () => tell("?leaving"));
  tell();
}
