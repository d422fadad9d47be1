// @ts-check
/** What a page does only while it is in sight: out of sight it has no timer. */

/**
 * Calls `act` at intervals while the page is in sight, and at once when it comes back.
 * @param {number} milliseconds
 * @param {() => void} act
 * @returns {() => void} ends it
 */
export function everyWhileSeen(milliseconds, act) {
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;
  const begin = () => {
    clearInterval(timer);
    timer = document.hidden ? undefined : setInterval(act, milliseconds);
  };
  const turn = () => {
    begin();
    if (!document.hidden) act();
  };
  document.addEventListener("visibilitychange", turn);
  begin();
  return () => {
    document.removeEventListener("visibilitychange", turn);
    clearInterval(timer);
  };
}
