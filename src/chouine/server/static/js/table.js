// @ts-check
/** The live table: shows news as it arrives and sends what is tapped. It knows no rules. */

import { STALE, send } from "./command.js";
import { keepCompany } from "./company.js";
import { tally } from "./count.js";
import { hear, read } from "./sound-button.js";
import { celebrate, awaitFeast } from "./feast.js";
import { depart, glide, spots, still } from "./flip.js";
import { Hand } from "./hand.js";
import { keys, shut } from "./keys.js";
import { morph } from "./morph.js";
import { everyWhileSeen } from "./sight.js";
import { Stream } from "./stream.js";
import { notifies } from "./subscription.js";
import { taps } from "./tap.js";
import { Twice } from "./twice.js";

/** @typedef {import("./stream.js").Frame} Frame */

const table = /** @type {HTMLElement} */ (document.getElementById("table"));
const live = /** @type {HTMLElement} */ (document.getElementById("live"));
const told = table.dataset;

/** Milliseconds of a held breath, at the normal pace and at most. */
const BREATH = 500;
const LONGEST_BREATH = 700;
/** Least milliseconds between two frames. */
const PACE = 420;
/** Longest wait for the draw after a trick is taken; half the hold if that is less. */
const DRAWN = 1000;
/** Longest hold while an answer is still possible. */
const URGENT = 1200;
/** Shortest hold for which a hint is shown. */
const READ = 800;
/** Queued frames above which holds are skipped: this browser has been away. */
const BEHIND = 6;
/** Milliseconds hidden after which the present table is shown without replaying what led to it. */
const AWAY = 45_000;
/** Selector of the link to the revanche, followed at once if this player asked for it. */
const ONWARD = "a[data-onward]";
/** Most sentences in the live region. */
const SPOKEN = 40;
/** Selector of what only a player on turn has. */
const TURN = ".hand.ready, .au-sept form, .fan button, form.cut";
/** Selectors of what plays or draws a card, and of what stands beside the play. */
const ACTS = ".hand, .offer, .fan";
const BESIDE = ".menu, .helping";
/** Seconds that the sound of one's turn waits for that of the cards. */
const AFTER = 0.45;
/** Last seconds of one's clock that are heard. */
const LAST = 10;
/** Seconds from which on a clock shows hours alone. */
const LONG = 7_200;

document.documentElement.classList.add("js");

/** @type {{frame: Frame, n: number}[]} */
const waiting = [];
let shown = table.innerHTML;
let shownN = Number(told.n);
let showing = false;
let sending = "";
/** The card being sent, and whether its answer is late. */
let laying = "";
let overdue = false;
/** Whether what is being sent is of the help or a menu, beside the play. */
let beside = false;
/** A tap made meanwhile, sent later if still offered; no card during play, so that a double tap lays one card. */
let later = "";
/** @type {(() => void) | null} ends the hold in progress */
let release = null;
/** @type {(() => void) | null} ends the wait for the next frame */
let drawn = null;

const hand = new Hand(table, told.key ?? "", told.sorted === "on");
const twice = new Twice(table, told.again ?? "", say);
const stream = new Stream(
  { stream: told.stream ?? "", events: told.events ?? "" },
  shownN,
  (frames, n) => {
    waiting.push(...frames.map((frame) => ({ frame, n })));
    if (!showing) show();
  },
  (lost) => (lost ? notice((overdue ? told.late : told.lost) ?? "") : clearLost()),
  renew,
  listens,
);

/** Whether the server notifies this browser of one's turn. */
let notified = false;
notifies().then((known) => (notified = known));

/** Whether a player out of sight still waits for others: their own turn will be told in the title. */
function listens() {
  return !notified && (waiting.length > 0 || table.querySelector("[data-waits]") !== null);
}

const title = document.title;

/** Says in the title, of a page out of sight, that it is one's turn, unless the stream goes on until it is. */
function tellTurn() {
  const turn = document.hidden && table.querySelector("[data-turn]")?.getAttribute("data-turn");
  document.title = turn ? `${turn} – ${title}` : title;
  stream.rest();
}

/** Reloads the page; with several players on this device, with the curtain down. */
function renew() {
  if (told.covered) location.replace(told.covered);
  else location.reload();
}

/**
 * Whether a frame would uncover a hand: only the curtain's own link may.
 * @param {string} html
 */
function uncovers(html) {
  if (!told.covered || table.querySelector(".hand")) return false;
  const page = document.createElement("template");
  page.innerHTML = html;
  return page.content.querySelector(".hand") !== null;
}

/** Tells screen readers, and the voice unless others at this device would hear a hand. @param {string} sentence */
function say(sentence) {
  if (!told.covered) read(sentence);
  const line = document.createElement("p");
  line.textContent = sentence;
  live.append(line);
  while (live.childElementCount > SPOKEN) live.firstElementChild?.remove();
}

/** @param {string} sentence @param {string} [kind] */
function notice(sentence, kind = "lost") {
  const place = table.querySelector("#notice");
  if (!(place instanceof HTMLElement)) return;
  place.textContent = sentence;
  place.classList.toggle("lost", kind === "lost");
  place.hidden = false;
}

/** Shows queued frames one by one. */
async function show() {
  showing = true;
  const known = table.querySelector(ONWARD);
  let held = false;
  for (let next = waiting[0]; next; next = waiting[0]) {
    if (uncovers(next.frame.html)) return renew();
    if (next.frame.html.includes('id="feast"') && waiting.length <= BEHIND) await awaitFeast();
    if (next.frame.html.includes("data-breath")) await breath();
    waiting.shift();
    const mine = table.querySelector(TURN);
    const moving = draw(next.frame.html);
    celebrate(table, Number(told.motion));
    if (told.covered && !table.querySelector(".hand")) live.replaceChildren();
    shownN = next.n;
    drawn?.();
    next.frame.say.forEach(say);
    if (!laying || next.frame.sound !== "card") hear(next.frame.sound); // one's own card was heard when laid
    if (!mine && table.querySelector(TURN)) hear("turn", AFTER);
    await pause(next.frame.hold, held, moving);
    held = next.frame.hold;
  }
  showing = false;
  tellTurn();
  follow();
  const onward = table.querySelector(ONWARD);
  if (onward instanceof HTMLAnchorElement && !known) location.assign(onward.href);
}

/**
 * Holds its breath before what decides a partie, when nobody has anything left to do: a tap or a key ends it. Not for whoever wants
 * less motion, or has been away.
 */
function breath() {
  if (still.matches || document.hidden || waiting.length > BEHIND) return Promise.resolve();
  hear("breath");
  table.classList.add("breath");
  return new Promise((/** @type {(value: void) => void} */ done) => {
    const timer = setTimeout(end, Math.min(LONGEST_BREATH, BREATH * Number(told.motion)));
    function end() {
      clearTimeout(timer);
      removeEventListener("pointerdown", end);
      removeEventListener("keydown", end);
      table.classList.remove("breath");
      done();
    }
    addEventListener("pointerdown", end);
    addEventListener("keydown", end);
  });
}

/**
 * Waits for a frame's hold; a tap or the space bar ends it.
 * @param {boolean} hold
 * @param {boolean} taken whether it follows a hold
 * @param {number} moving milliseconds until its animations end
 */
function pause(hold, taken, moving) {
  const behind = document.hidden || waiting.length > BEHIND;
  const full = Number(told.hold) * 1000;
  let wait = behind ? 0 : hold ? full : taken ? Math.min(DRAWN, full / 2) : Math.max(moving, waiting.length ? PACE : 0);
  if (waiting.some(({ frame }) => frame.html.includes("data-urgent"))) wait = Math.min(wait, URGENT);
  if (!wait) return Promise.resolve();
  return new Promise((/** @type {(value: void) => void} */ done) => {
    const timer = setTimeout(end, wait);
    function end() {
      clearTimeout(timer);
      release = null;
      done();
    }
    if (hold) {
      release = end;
      if (wait > READ) touch();
    }
  });
}

/** Shows, in place of the turn line, that a tap ends the hold. */
function touch() {
  const prompt = table.querySelector("#prompt");
  if (!prompt) return;
  prompt.textContent = told.touch ?? "";
  prompt.classList.add("touch");
}

/**
 * Shows markup as the table: cards are animated, focus is kept.
 * @param {string} html
 * @returns {number} milliseconds until its animations end
 */
function draw(html) {
  const was = spots(table);
  const focus = focusPlace();
  const page = document.createElement("template");
  page.innerHTML = html;
  hand.arrange(page.content);
  morph(table, page.content);
  shown = html;
  if (put(laying) && overdue) notice(told.late ?? "");
  twice.mark();
  refocus(focus);
  return glide(table, was, Number(told.motion));
}

/** @returns {{id: string, at: number} | null} the focused element's id and its place in the hand */
function focusPlace() {
  const active = document.activeElement;
  if (!active || !table.contains(active)) return null;
  return { id: active.id, at: [...table.querySelectorAll(".hand .card")].indexOf(active) };
}

/** @param {{id: string, at: number} | null} focus */
function refocus(focus) {
  if (!focus || (document.activeElement !== document.body && document.activeElement !== null)) return;
  const cards = /** @type {NodeListOf<HTMLElement>} */ (table.querySelectorAll(".hand .card"));
  const next = (focus.id && document.getElementById(focus.id)) || cards[Math.min(Math.max(focus.at, 0), cards.length - 1)];
  (next || table).focus({ preventScroll: true });
}

/**
 * The tapped card starts to move at once, before anything else is done; the next frame, or a refusal, decides where it
 * belongs.
 * @param {string} card
 * @returns {boolean} whether it could
 */
function lay(card) {
  const held = table.querySelector(`.hand [data-card="${card}"]:not([aria-disabled])`);
  if (!(held instanceof HTMLElement)) return false;
  laying = card;
  table.querySelector(".offers")?.remove(); // the trick has its whole place again, where the card goes
  const arrived = depart(held, table.querySelector(".landing"), Number(told.motion));
  if (arrived) arrived.then(() => laying === card && land(card), () => {});
  else land(card);
  return true;
}

/** @param {string} card that has arrived before its frame */
function land(card) {
  const was = spots(table);
  const focus = focusPlace();
  put(card);
  refocus(focus);
  glide(table, was, Number(told.motion));
}

/** Waits until changes are painted. */
function awaitPaint() {
  return new Promise((/** @type {(value?: unknown) => void} */ done) => {
    requestAnimationFrame(() => setTimeout(done));
    setTimeout(done, 100);
  });
}

/**
 * Moves the card's element from the hand to the trick.
 * @param {string} card
 * @returns {boolean} whether it was in the hand
 */
function put(card) {
  const held = card && table.querySelector(`.hand [data-card="${card}"]`);
  const trick = table.querySelector(".trick");
  if (!held || !trick) return false;
  const place = document.createElement("li");
  place.dataset.place = "0";
  place.dataset.key = `laid-${card}`;
  place.classList.toggle("late", overdue);
  const laid = document.createElement("span");
  laid.className = "card";
  laid.dataset.card = card;
  laid.append(...held.childNodes);
  place.append(laid);
  hand.leave(held);
  trick.append(place);
  clearOffers();
  return true;
}

/** Removes offers and the turn line after an act, until the next frame. */
function clearOffers() {
  const prompt = table.querySelector("#prompt");
  if (prompt) prompt.textContent = "\u00a0";
  table.querySelector(".offers")?.remove();
  table.querySelector(".hand")?.classList.remove("ready");
  table.querySelector(".me")?.classList.remove("awaited");
}

/** Shows that the answer is late, also on the card. */
function showLate() {
  overdue = true;
  table.querySelector(`.trick [data-key="laid-${laying}"]`)?.classList.add("late");
  notice(told.late ?? "");
}

/** Clears the notice about the connection. */
function clearLost() {
  table.querySelector(".trick .late")?.classList.remove("late");
  table.querySelector("#notice.lost")?.setAttribute("hidden", "");
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.hasAttribute("data-command")) return;
  event.preventDefault();
  if (release) {
    release();
    if (!form.closest(BESIDE)) return;
  }
  if (!twice.plays(event.submitter)) return;
  const tap = tapKey(form, event.submitter);
  if (sending || waiting.length) {
    if (tap !== sending && ((sending && beside) || !event.submitter?.closest(ACTS))) later = tap;
    return; // the page is outdated
  }
  sending = tap;
  beside = form.closest(BESIDE) !== null;
  const n = shownN;
  const card = event.submitter?.dataset.plays;
  if (card && lay(card)) {
    await awaitPaint();
    hear("card");
  }
  if (form.matches(".act")) clearOffers();
  table.querySelector("#notice")?.setAttribute("hidden", "");
  const menu = form.closest(".menu");
  const answer = await send(form, event.submitter, n, showLate);
  if (overdue) clearLost();
  overdue = false;
  if (answer.ok || answer.code === STALE) await awaitFrame(answer.n ?? shownN);
  laying = "";
  if (!answer.ok && answer.code !== STALE) {
    later = "";
    draw(shown);
    notice(answer.message ?? answer.code ?? "", "refusal");
  }
  if (menu) shut(menu);
  sending = "";
  follow();
});

/** @param {HTMLFormElement} form @param {HTMLElement | null} button @returns {string} the tap's key, with what it asks for */
function tapKey(form, button) {
  return [form.action, button?.getAttribute("name"), button?.getAttribute("value"), button?.textContent].join(" ");
}

/** Sends a tap made too early, once nothing is pending and all news is shown. */
function follow() {
  if (!later || sending || waiting.length || release) return;
  const forms = /** @type {HTMLFormElement[]} */ ([...document.querySelectorAll("form[data-command]")]);
  const buttons = forms.flatMap((form) =>
    [...form.elements].flatMap((button) => (button instanceof HTMLButtonElement ? { form, button } : [])),
  );
  const still = buttons.find(({ form, button }) => tapKey(form, button) === later);
  later = "";
  still?.button.click();
}

/**
 * Waits briefly for the frame of one's own act; polls if the stream is late.
 * @param {number} n
 */
async function awaitFrame(n) {
  for (let nth = 0; nth < 15 && shownN < n; nth += showing ? 0 : 1) {
    await new Promise((/** @type {(value: void) => void} */ done) => setTimeout((drawn = done), 100));
    if (nth === 9 && !showing && stream.n < n) stream.ask();
  }
}

table.addEventListener("click", (event) => {
  if (event.target instanceof HTMLElement && event.target.id === "notice") event.target.hidden = true;
  if (release && event.target instanceof Element && !event.target.closest(`${BESIDE}, summary, a`)) {
    event.preventDefault();
    release();
  }
});
document.addEventListener("keydown", (event) => {
  if (release && event.key === " ") {
    event.preventDefault();
    release();
  }
});
table.addEventListener("sorted", () => draw(shown));
table.addEventListener(
  "toggle",
  ({ target }) => {
    if (!(target instanceof HTMLDetailsElement) || target.id !== "status" || !target.open || told.covered) return;
    for (const line of target.querySelectorAll("dl > div")) read([...line.children].map(({ textContent }) => textContent).join(": "));
  },
  true,
);
let left = 0;
document.addEventListener("visibilitychange", () => {
  if (document.hidden) {
    left = Date.now();
    release?.();
    return;
  }
  document.title = title;
  if (Date.now() - left > AWAY) renew();
});
addEventListener("pageshow", (event) => event.persisted && renew());

everyWhileSeen(500, () => {
  if (document.querySelector("#site-banner[data-rests]")) return; // maintenance: clocks stand still
  for (const clock of table.querySelectorAll("[data-until]")) {
    const left = Math.max(0, Math.round(Number(clock.getAttribute("data-until")) - Date.now() / 1000));
    const shows = left < LONG ? `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}` : `${Math.floor(left / 3600)}\u00a0h`;
    if (clock.textContent === shows) continue;
    clock.textContent = shows;
    if (left && left <= LAST && clock.closest(".me") && table.querySelector(TURN)) hear("tick");
  }
});

hand.arrange(table);
keys(table, hand, say);
taps(table);
tally(table);
stream.open();
if (told.here) keepCompany(told.here, listens);
tellTurn();
