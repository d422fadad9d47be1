// @ts-check
/** Which of the open pages runs Python: one at a time, and only while it is in sight. */

const LOCK = "chouine-offline";
/** Milliseconds out of sight after which Python ends, so that its memory is free. */
const RESTED = 30_000;
/** Milliseconds after which a page that neither yields nor answers is frozen, as phones freeze pages out of sight. */
const FROZEN = 2_000;

/**
 * Runs `begin` when it is this page's turn, and `end` when the turn is over: perhaps many times. `follow`: another page,
 * in sight too, has it.
 * @param {{begin: () => void, end: () => void, follow: () => void}} does
 */
export function takeTurns({ begin, end, follow }) {
  const others = new BroadcastChannel(LOCK);
  /** Ends this page's turn. @type {(() => void) | null} */
  let yieldTurn = null;
  /** @type {AbortController | null} */
  let seeking = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} until a turn ends, or is taken from a frozen page */
  let timer;

  function hold() {
    clearTimeout(timer);
    seeking = null;
    if (document.hidden) return undefined;
    begin();
    return new Promise((/** @type {(value: void) => void} */ done) => (yieldTurn = done));
  }

  function rest() {
    if (!yieldTurn) return;
    clearTimeout(timer);
    end();
    yieldTurn();
    yieldTurn = null;
  }

  /** It was given up, or taken from this page. */
  function lose() {
    rest();
    if (!document.hidden) seek();
  }

  function seek() {
    if (yieldTurn || seeking) return;
    seeking = new AbortController();
    navigator.locks.request(LOCK, { signal: seeking.signal }, hold).catch(lose);
    others.postMessage("wanted");
    timer = setTimeout(() => {
      seeking?.abort();
      navigator.locks.request(LOCK, { steal: true }, hold).catch(lose);
    }, FROZEN);
  }

  others.onmessage = ({ data }) => {
    if (data === "wanted" && yieldTurn) {
      if (document.hidden) rest();
      else others.postMessage("here");
    } else if (data === "here" && seeking) {
      clearTimeout(timer);
      follow();
    } else if (data === "away" && seeking) others.postMessage("wanted");
  };

  document.addEventListener("visibilitychange", () => {
    clearTimeout(timer);
    seeking?.abort();
    seeking = null;
    if (!document.hidden) seek();
    else if (yieldTurn) {
      others.postMessage("away");
      timer = setTimeout(rest, RESTED);
    }
  });
  addEventListener("pagehide", rest); // a page kept for "back" has no timer, and would keep Python
  addEventListener("pageshow", ({ persisted }) => persisted && !document.hidden && seek());
  if (!document.hidden) seek();
}
