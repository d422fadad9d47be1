// @ts-check
/** The table's news, each entry once and in order, by a stream or by polling. */

import { askJson } from "./ask.js";
import { everyWhileSeen } from "./sight.js";
import { Source } from "./source.js";

/** @typedef {{html: string, hold: boolean, say: string[], sound: string}} Frame */
/** @typedef {{parts: (string | number)[], hold: boolean, say: string[], sound: string}} Sent */
/** @typedef {{n: number, frames: Sent[], banner?: string, rests?: boolean, away?: string}} News */

/** Milliseconds of silence after which the stream may be stuck in a proxy: poll once. */
const SILENCE = 20_000;

const banner = /** @type {HTMLElement} */ (document.getElementById("site-banner"));
const banners = /** @type {HTMLElement} */ (document.getElementById("site-banners"));
const away = document.getElementById("away");
document.getElementById("close-banners")?.addEventListener("click", () => (banners.hidden = true));

/** Shows what the server's keeper tells everybody. @param {string} text @param {boolean} rests whether clocks stand still */
function showBanner(text, rests) {
  banners.hidden = !text && !banners.querySelector("a");
  banner.hidden = !text;
  banner.textContent = text;
  banner.toggleAttribute("data-rests", rests);
}

/** Says who has left the table and may return; nothing once they are back. @param {string} text */
function showAway(text) {
  if (!away) return;
  away.hidden = !text;
  away.textContent = text;
}

/** Decodes the frames of a stream or a response: a number refers to a part of the previous frame. */
class Frames {
  constructor() {
    /** @type {string[]} */
    this.parts = [];
  }

  /** @param {Sent} sent @returns {Frame} */
  assemble({ parts, ...rest }) {
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
   * @param {() => boolean} listens whether news is wanted even while the page is out of sight
   */
  constructor(addresses, n, receive, reach, renew, listens) {
    this.addresses = addresses;
    this.n = n;
    this.receive = receive;
    this.renew = renew;
    this.heard = Date.now();
    /** Whether the server has been renewed: the page, which an older version made, is loaded anew once it answers. */
    this.outdated = false;
    let frames = new Frames();
    this.source = new Source(() => this.at(addresses.stream), {
      begin: () => (frames = new Frames()),
      message: (data) => this.take(JSON.parse(data), frames),
      poll: () => this.poll(),
      renew: () => (this.outdated = true),
      reach,
      listens,
    });
    everyWhileSeen(SILENCE / 2, () => Date.now() - this.heard > SILENCE && this.ask());
    addEventListener("offline", () => reach(true));
    addEventListener("online", () => this.ask().then(() => this.open()));
  }

  open() {
    this.source.open();
  }

  /** Ends the stream while the page is out of sight and does not listen. */
  rest() {
    this.source.rest();
  }

  /** Gets the news since the last entry, if the table is reachable. */
  ask() {
    return this.source.ask();
  }

  async poll() {
    const began = (this.heard = Date.now());
    const all = await askJson(this.at(this.addresses.events));
    if (!Array.isArray(all)) return; // refused for now
    if (this.outdated) location.reload();
    const frames = new Frames();
    const alone = this.heard === began; // else news without a number may be older than what was heard
    for (const news of all) if (alone || news.frames.length) this.take(news, frames);
  }

  /** @param {News} news @param {Frames} frames the decoder */
  take(news, frames) {
    this.heard = Date.now();
    if (news.banner !== undefined) return showBanner(news.banner, news.rests ?? false);
    if (news.away !== undefined) return showAway(news.away);
    const shown = news.frames.map((sent) => frames.assemble(sent));
    if (news.n <= this.n) return;
    if (news.n > this.n + 1) {
      this.renew();
      return;
    }
    this.n = news.n;
    this.receive(shown, news.n);
  }

  /** @param {string} address */
  at(address) {
    return address.replace("{n}", String(this.n)) + (banner.hidden ? "" : "&banner=1") + (away?.textContent ? "&away=1" : "");
  }
}
