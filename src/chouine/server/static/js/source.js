// @ts-check
/**
 * A stream of server-sent events, reopened when it ends, replaced by polling where something on the way holds it back, and
 * closed while the page is out of sight.
 */

import { Foreign, Unreached } from "./ask.js";
import { endForeign, showForeign, showHeld } from "./trouble.js";

const LONGEST_WAIT = 10_000;
/** Milliseconds in which the stream's greeting arrives, unless a proxy keeps it for itself. */
const GREETED = 6_000;
/** Milliseconds between two polls while the stream is held back, and until it is tried again. */
const EVERY = 2_000;
const TRIED = 60_000;
/** Milliseconds after which a stream that ends was a working one; and how many others in a row make polling better. */
const LIVED = 5_000;
const FEW = 3;

/**
 * Whether a stream's greeting and its one event come apart, as they are sent: nothing on the way holds them back.
 * @param {string} address
 * @param {number} apart milliseconds between the two
 * @param {number} patience milliseconds after which what has not come does not come
 * @returns {Promise<boolean>}
 */
export function flows(address, apart, patience) {
  return new Promise((done) => {
    const stream = new EventSource(address);
    let first = 0;
    const end = (/** @type {boolean} */ well) => {
      stream.close();
      done(well);
    };
    stream.addEventListener("hello", () => (first = performance.now()));
    stream.onmessage = () => end(performance.now() - first > apart);
    stream.onerror = () => end(false);
    setTimeout(end, patience, false);
  });
}

export class Source {
  /**
   * @param {() => string} address
   * @param {{poll: () => Promise<void>, message: (data: string) => void, begin?: () => void, renew?: () => void, reach?: (lost: boolean) => void, listens?: () => boolean}} does
   *   `poll`: gets the news in another way, or throws; `begin`: a new stream begins; `renew`: the
   *   server ends it, since it has been renewed; `listens`: whether news is wanted even out of sight
   */
  constructor(address, does) {
    this.address = address;
    this.does = does;
    this.failures = 0;
    this.opened = 0;
    /** @type {EventSource | null} */
    this.source = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} until the stream is doubted, reopened or tried again */
    this.timer = undefined;
    /** @type {ReturnType<typeof setInterval> | undefined} runs while the stream is held back */
    this.polling = undefined;
    this.polled = false;
    /** Whether it was opened, and not ended for good. */
    this.wanted = false;
    document.addEventListener("tried", () => this.ask());
    document.addEventListener("visibilitychange", () => (document.hidden ? this.rest() : this.wake()));
  }

  open() {
    this.close();
    this.wanted = true;
    if (this.resting) return;
    const source = new EventSource(this.address());
    this.source = source;
    this.opened = Date.now();
    this.does.begin?.();
    this.timer = setTimeout(() => this.doubt(source), GREETED);
    source.addEventListener("hello", () => this.trust());
    source.addEventListener("renew", () => this.does.renew?.());
    source.onopen = () => this.does.reach?.(false);
    source.onmessage = ({ data }) => {
      this.trust();
      this.does.message(data);
      this.rest();
    };
    source.onerror = () => {
      this.close();
      this.retry();
    };
  }

  close() {
    this.forgetTimer();
    this.source?.close();
    this.source = null;
  }

  /** Ends the stream for good. */
  end() {
    this.wanted = false;
    this.close();
    this.stopPolling();
  }

  /** Whether nobody is there to be told: the page is out of sight, and does not listen. */
  get resting() {
    return document.hidden && !this.does.listens?.();
  }

  /** Stops whatever would wake the device, if nobody is there to be told. */
  rest() {
    if (!this.resting) return;
    this.close();
    this.stopPolling();
  }

  /** The page is back in sight: gets what has been missed, then what comes. */
  async wake() {
    if (!this.wanted) return;
    await this.ask(); // also where the stream is open: it may have ended unnoticed while the device slept
    if (this.wanted && !this.source) this.open();
  }

  stopPolling() {
    clearInterval(this.polling);
    this.polling = undefined;
  }

  /** Nothing that was to be done later is done. */
  forgetTimer() {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  /** The stream works. */
  trust() {
    this.forgetTimer();
    this.stopPolling();
  }

  /** Polls once, then reopens the stream; waits longer after each failure. */
  retry() {
    this.failures = Date.now() - this.opened > LIVED ? 1 : this.failures + 1;
    if (this.failures > FEW) this.polling ??= setInterval(() => this.ask(), EVERY);
    const wait = Math.min(LONGEST_WAIT, 250 * 2 ** this.failures);
    this.timer = setTimeout(async () => {
      const timer = this.timer;
      await this.ask();
      if (timer === this.timer) this.open(); // else it was opened or ended meanwhile
    }, wait * (0.75 + Math.random() / 2));
  }

  /** Polls, unless an answer is pending. @returns {Promise<boolean>} whether the server answered */
  async ask() {
    if (this.polled) return false;
    this.polled = true;
    try {
      await this.does.poll();
    } catch (error) {
      if (error instanceof Unreached) this.does.reach?.(true);
      else if (error instanceof Foreign) showForeign(error.status);
      else throw error;
      return false;
    } finally {
      this.polled = false;
    }
    this.does.reach?.(false);
    endForeign();
    return true;
  }

  /** The greeting has not come. If a poll is answered, the stream is held back. @param {EventSource} source */
  async doubt(source) {
    const timer = this.timer;
    const reached = await this.ask();
    if (timer !== this.timer || this.source !== source) return; // it was greeted or lost meanwhile
    if (!reached) {
      this.timer = setTimeout(() => this.doubt(source), GREETED);
      return;
    }
    this.close();
    showHeld();
    this.polling ??= setInterval(() => this.ask(), EVERY);
    this.timer = setTimeout(() => this.open(), TRIED);
  }
}
