// @ts-check
/** The table's news, each entry once and in order, by a stream or by polling. */

/** @typedef {{html: string, hold: boolean, say: string[], sound: string}} Frame */
/** @typedef {{parts: (string | number)[], hold: boolean, say: string[], sound: string}} Sent */
/** @typedef {{n: number, frames: Sent[]}} News */

const LONGEST_WAIT = 10_000;
/** Milliseconds of silence after which the stream may be stuck in a proxy: poll once. */
const SILENCE = 20_000;

/** Decodes the frames of a stream or a response: a number refers to a part of the previous frame. */
class Frames {
  constructor() {
    /** @type {string[]} */
    this.parts = [];
  }

  /** @param {Sent} sent @returns {Frame} */
  whole({ parts, ...rest }) {
    this.parts = parts.map((part) => (typeof part === "number" ? (this.parts[part] ?? "") : part));
    return { html: this.parts.join(""), ...rest };
  }
}

export class Stream {
  /**
   * @param {{stream: string, events: string}} addresses with `{n}` for the last entry known
   * @param {number} n the last entry known
   * @param {(frames: Frame[], n: number) => void} receive
   * @param {(lost: boolean) => void} reach called when the connection is lost or restored
   * @param {() => void} renew shows the present table when older entries are unavailable
   */
  constructor(addresses, n, receive, reach, renew) {
    this.addresses = addresses;
    this.n = n;
    this.receive = receive;
    this.reach = reach;
    this.renew = renew;
    this.failures = 0;
    /** @type {EventSource | null} */
    this.source = null;
    this.heard = Date.now();
    /** Whether the server has been renewed: the page, which an older version made, is loaded anew once it answers. */
    this.outdated = false;
    setInterval(() => !document.hidden && Date.now() - this.heard > SILENCE && this.ask(), SILENCE / 2);
    addEventListener("offline", () => this.reach(true));
    addEventListener("online", () => this.ask().then(() => this.open()));
  }

  open() {
    this.source?.close();
    if (!("EventSource" in window)) {
      this.retry();
      return;
    }
    const source = new EventSource(this.at(this.addresses.stream));
    this.source = source;
    const frames = new Frames();
    source.onopen = () => this.found();
    source.onmessage = (event) => this.take(JSON.parse(event.data), frames);
    source.addEventListener("renew", () => {
      this.outdated = true;
    });
    source.onerror = () => {
      source.close();
      this.retry();
    };
  }

  /** Polls once, then reopens the stream; waits longer after each failure. */
  retry() {
    this.failures += 1;
    const wait = Math.min(LONGEST_WAIT, 250 * 2 ** this.failures);
    setTimeout(async () => {
      await this.ask();
      this.open();
    }, wait * (0.75 + Math.random() / 2));
  }

  /** News since the last entry, if the table is reachable. */
  async ask() {
    this.heard = Date.now();
    try {
      const answer = await fetch(this.at(this.addresses.events), { headers: { Accept: "application/json" } });
      if (!answer.ok) return;
      if (this.outdated) location.reload();
      const frames = new Frames();
      for (const news of await answer.json()) this.take(news, frames);
      this.found();
    } catch {
      this.reach(true); // `retry` goes on trying
    }
  }

  /** @param {News} news @param {Frames} frames the decoder */
  take(news, frames) {
    this.heard = Date.now();
    const shown = news.frames.map((sent) => frames.whole(sent));
    if (news.n <= this.n) return;
    if (news.n > this.n + 1) {
      this.renew();
      return;
    }
    this.n = news.n;
    this.receive(shown, news.n);
  }

  found() {
    this.failures = 0;
    this.reach(false);
  }

  /** @param {string} address */
  at(address) {
    return address.replace("{n}", String(this.n));
  }
}
