// @ts-check
/** The table's news, each entry once and in order, from a stream or by asking, whichever gets through. */

/** @typedef {{html: string, hold: boolean, say: string[], sound: string}} Frame */
/** @typedef {{n: number, frames: Frame[]}} News */

const LONGEST_WAIT = 10_000;
/** A stream that has been silent so long may be stuck in a proxy: ask once. */
const SILENCE = 20_000;

export class Stream {
  /**
   * @param {{stream: string, events: string}} addresses with `{n}` for the last entry known
   * @param {number} n the last entry known
   * @param {(frames: Frame[], n: number) => void} receive
   * @param {(lost: boolean) => void} reach told when the table is lost and found again
   * @param {() => void} renew shows the table as it stands, when what led to it is not to be had
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
    setInterval(() => Date.now() - this.heard > SILENCE && this.ask(), SILENCE / 2);
  }

  open() {
    this.source?.close();
    if (!("EventSource" in window)) {
      this.retry();
      return;
    }
    const source = new EventSource(this.at(this.addresses.stream));
    this.source = source;
    source.onopen = () => this.found();
    source.onmessage = (event) => this.take(JSON.parse(event.data));
    source.onerror = () => {
      source.close();
      this.retry();
    };
  }

  /** Asks once, then opens the stream again; waits longer after each failure. */
  retry() {
    this.failures += 1;
    if (this.failures > 2) this.reach(true);
    const wait = Math.min(LONGEST_WAIT, 250 * 2 ** this.failures);
    setTimeout(async () => {
      await this.ask();
      this.open();
    }, wait * (0.75 + Math.random() / 2));
  }

  /** What has happened since, if the table can be reached. */
  async ask() {
    this.heard = Date.now();
    try {
      const answer = await fetch(this.at(this.addresses.events), { headers: { Accept: "application/json" } });
      if (!answer.ok) return;
      for (const news of await answer.json()) this.take(news);
      this.found();
    } catch {
      // Not reached: `retry` goes on trying.
    }
  }

  /** @param {News} news */
  take(news) {
    this.heard = Date.now();
    if (news.n <= this.n) return;
    if (news.n > this.n + 1) {
      this.renew();
      return;
    }
    this.n = news.n;
    this.receive(news.frames, news.n);
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
