// @ts-check
/** Tells the server that this page is at the table, so that the others are told when it is gone. */

import { ask, ignoreUnreached } from "./ask.js";
import { everyWhileSeen } from "./sight.js";

/** Milliseconds between two words while the page is in sight; out of sight one word holds for minutes. */
const SEEN = 3_000;
/** Milliseconds after which a page that went out of sight is not being closed: that hides it too. */
const CLOSED = 1_000;

/**
 * @param {string} address
 * @param {() => boolean} listens whether news is wanted even while the page is out of sight
 */
export function keepCompany(address, listens) {
  /** @param {string} [how] */
  const tell = (how = "") => void ask(address + how, { keepalive: true }).catch(ignoreUnreached); // told again soon
  const tellHidden = () => document.hidden && listens() && tell("?hidden");
  everyWhileSeen(SEEN, tell);
  document.addEventListener("visibilitychange", () => document.hidden && setTimeout(tellHidden, CLOSED));
  addEventListener("pagehide", () => tell("?leaving"));
  tell();
}
