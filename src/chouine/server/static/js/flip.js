// @ts-check
/** Cards that have moved glide from where they were; one that comes face down is turned over on its way. */

const GLIDE = { duration: 340, easing: "cubic-bezier(0.2, 0.7, 0.2, 1)", fill: /** @type {FillMode} */ ("backwards") };
const TURN = { duration: 420, easing: "cubic-bezier(0.35, 0.3, 0.3, 1)", fill: /** @type {FillMode} */ ("both") };
/** Milliseconds a draw waits, until the trick has been taken; between two draws; between two cards of a deal. */
const LATER = 380;
const BETWEEN = 170;
const DEALT = 85;
/** Milliseconds in which the seven and the turnup pass one another. */
const CROSSING = 820;
/** What the trick does before it goes to its taker: its cards come together. */
const GATHER = { duration: 520, easing: "ease-in-out", fill: /** @type {FillMode} */ ("backwards") };

export const still = matchMedia("(prefers-reduced-motion: reduce)");

/** How fast cards move now, 1 as usual. */
let rate = 1;

/**
 * @param {Element} element
 * @param {Keyframe[]} frames
 * @param {KeyframeAnimationOptions} timing
 */
function move(element, frames, timing) {
  const animation = element.animate(frames, timing);
  animation.playbackRate = rate;
  return animation;
}

/** Cards with two sides on their way. @type {{card: Element, flight: Animation}[]} */
let flights = [];

/** @typedef {{x: number, y: number, width: number, height: number}} Spot */
/** @typedef {{cards: Map<string, Spot>, trick: string[], turnup: {name: string, spot: Spot, face: Element} | null}} Before */

/**
 * One's own card on its way to the trick, tapped just now.
 * @type {{card: HTMLElement, name: string, from: Spot, to: Spot, way: Animation} | null}
 */
let leaving = null;

/** @param {Element} card @returns {Spot} its middle on the screen, and its size as it lies */
function spot(card) {
  const box = card.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = /** @type {HTMLElement} */ (card);
  return { x: box.left + box.width / 2, y: box.top + box.height / 2, width: offsetWidth, height: offsetHeight };
}

/**
 * @param {Element} card
 * @returns {number} 1, or -1 where the page is turned by half a circle, for who sits across a device that lies between two
 */
export const turned = (card) => (card.closest(".board")?.classList.contains("across") ? -1 : 1);

/** As `turned`, of the table as it is now. */
let facing = 1;

/** @param {Spot} seen on the screen @returns {Spot} the same on the page, which may be turned */
function onPage(seen) {
  if (facing > 0) return seen;
  const page = document.body.getBoundingClientRect();
  return { ...seen, x: page.right - seen.x, y: page.bottom - seen.y };
}

/** Where cards lie now: all are looked up before any sets off, so that the page is laid out once. @type {Map<Element, Spot>} */
let lies = new Map();
/** How far the page is scrolled. */
let scroll = [0, 0];

/** @param {Element} card @returns {Spot} */
const place = (card) => lies.get(card) ?? onPage(spot(card));

/** @param {Element} card @returns {string} */
const nameOf = (card) => card.getAttribute("data-card") ?? "";

/** @param {Element} table @returns {Before} where every card lies */
export function spots(table) {
  const turnup = table.querySelector(".turnup");
  const face = turnup?.querySelector(".face");
  const cards = new Map([...table.querySelectorAll("[data-card]")].map((card) => [nameOf(card), spot(card)]));
  if (leaving) cards.set(leaving.name, leaving.way.playState === "running" ? leaving.from : leaving.to);
  return {
    cards,
    trick: [...table.querySelectorAll(".trick [data-card]")].map(nameOf),
    turnup: turnup && face ? { name: nameOf(turnup), spot: spot(turnup), face } : null,
  };
}

/**
 * One's own card sets off for the trick as it is tapped, by a transform alone: the page itself changes once it has arrived,
 * or with the news of it, and the card goes on from where it is then.
 * @param {HTMLElement} card
 * @param {Element | null} landing where it will lie
 * @param {number} pace
 * @returns {Promise<unknown> | null} until it has arrived; nothing where nothing moves
 */
export function depart(card, landing, pace) {
  if (still.matches || !landing) return null;
  rate = 1 / pace;
  facing = turned(card);
  const [from, to] = [spot(card), spot(landing)];
  const lifted = facing * ((card.parentElement ?? card).getBoundingClientRect().top - card.getBoundingClientRect().top);
  card.classList.add("leaving");
  const [x, y] = [facing * (to.x - from.x), facing * (to.y - from.y) - lifted];
  const there = `translate(${x}px, ${y}px) scale(${to.width / from.width})`;
  const way = move(card, [{ transform: `translate(0, ${-lifted}px)` }, { transform: there }], { ...GLIDE, fill: "forwards" });
  leaving = { card, name: nameOf(card), from, to, way };
  return way.finished;
}

/** @param {Element} table @param {string} name @returns {Spot | undefined} */
function source(table, name) {
  const from = table.querySelector(`[data-from="${name}"]`);
  return from ? place(from.querySelector(".card") ?? from) : undefined;
}

/**
 * Moves every card from where it was.
 * @param {Element} table
 * @param {Before} before
 * @param {number} pace how long that takes, 1 as usual
 * @returns {number} milliseconds in which nothing else should happen
 */
export function glide(table, before, pace) {
  if (still.matches) return 0;
  const faced = facing;
  facing = turned(table.firstElementChild ?? table);
  const was = new Map([...before.cards].map(([name, seen]) => [name, onPage(seen)]));
  const left = leaving;
  leaving = null;
  left?.card.classList.remove("leaving");
  if (left?.card.isConnected) left.way.cancel(); // it was refused
  rate = 1 / pace;
  flights = flights.filter(({ card, flight }) => {
    if (!card.isConnected) flight.cancel(); // it has gone elsewhere meanwhile
    return flight.playState === "running";
  });
  const known = table.querySelectorAll("[data-card], [data-from], [data-from] .card");
  lies = new Map([...known].map((each) => [each, onPage(spot(each))]));
  scroll = facing > 0 ? [scrollX, scrollY] : [0, 0];
  // Where the table has been turned another's backs lie there, which did not move.
  if (facing !== faced) for (const back of table.querySelectorAll(".backs .card")) was.set(nameOf(back), place(back));
  const crossing = cross(table, was, before.turnup);
  const delays = drawn(table, was);
  const meeting = middle(before.trick.flatMap((name) => was.get(name) ?? []));
  for (const card of /** @type {NodeListOf<HTMLElement>} */ (table.querySelectorAll("[data-card]"))) {
    const name = nameOf(card);
    const from = was.get(name) ?? (card.dataset.come && source(table, card.dataset.come));
    const to = place(card);
    if (!from || !from.width || !to.width || card.classList.contains("turnup") || crossing.includes(card)) continue;
    const path = `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${from.width / to.width})`;
    if (Math.abs(from.x - to.x) + Math.abs(from.y - to.y) < 2 && Math.abs(from.width / to.width - 1) < 0.02) continue;
    if (!was.has(name)) {
      come(card, path, "translate(0, 0) scale(1)", delays.get(card) ?? 0);
    } else if (before.trick.includes(name) && card.closest(".pile")) {
      const met = `translate(${meeting.x - to.x}px, ${meeting.y - to.y}px) scale(${from.width / to.width})`;
      move(card, [{ transform: path }, { transform: met, offset: 0.4 }, { transform: "none" }], GATHER);
    } else {
      const way = move(card, [{ transform: path }, { transform: "none" }], GLIDE);
      if (left?.name === name && card.closest(".trick")) way.currentTime = left.way.currentTime;
    }
  }
  const turnup = /** @type {HTMLElement | null} */ (table.querySelector(".turnup"));
  if (turnup && !was.has(nameOf(turnup)) && delays.size > 4) {
    turn(turnup, "rotate(90deg)", "rotate(90deg)", Math.max(...delays.values()) + BETWEEN);
  }
  lies.clear();
  return crossing.length ? CROSSING * pace : 0;
}

/** @param {Spot[]} all @returns {{x: number, y: number}} */
function middle(all) {
  const mean = (/** @type {"x" | "y"} */ side) => all.reduce((sum, one) => sum + one[side], 0) / (all.length || 1);
  return { x: mean("x"), y: mean("y") };
}

/**
 * The seven goes where the turnup lay and the turnup into the hand, passing one another (§11). Who does not hold that
 * hand sees the seven turned over on its way, and the turnup go among backs.
 * @param {Element} table
 * @param {Map<string, Spot>} was
 * @param {Before["turnup"]} gone
 * @returns {Element[]} the cards that do
 */
function cross(table, was, gone) {
  const seven = /** @type {HTMLElement | null} */ (table.querySelector(".turnup[data-come]"));
  if (!seven || !gone || gone.name === nameOf(seven)) return [];
  const hand = table.querySelector(`[data-from="${seven.dataset.come}"]`);
  const own = /** @type {HTMLElement | null} */ (hand?.querySelector(`[data-card="${gone.name}"]`) ?? null);
  const taken = own ?? /** @type {HTMLElement | null} */ (hand?.querySelector(".card") ?? null);
  const face = seven.querySelector(".face");
  if (!taken || !face) return [];
  const from = was.get(nameOf(seven)) ?? place(taken);
  arc(seven, from, { front: face, back: own ? null : backOf(face) }, [0, 90], own ? [0, 0] : [180, 0]);
  arc(taken, onPage(gone.spot), { front: gone.face, back: own ? null : backOf(face) }, [90, 0], own ? [0, 0] : [0, 180]);
  return [seven, taken];
}

/**
 * A card flies in an arc to where the real one waits unseen.
 * @param {HTMLElement} card
 * @param {Spot} from
 * @param {{front: Element, back: Element | null}} sides
 * @param {[number, number]} lies degrees on the table, then there
 * @param {[number, number]} turns degrees about its own middle, 180 face down
 */
function arc(card, from, sides, lies, turns) {
  const to = place(card);
  const [x, y, size] = [from.x - to.x, from.y - to.y, from.width / to.width];
  const at = (/** @type {number} */ far, /** @type {number} */ aside, /** @type {number} */ grown) =>
    `perspective(60rem) translate(${x * far - y * aside}px, ${y * far + x * aside}px) scale(${1 + (size - 1) * far + grown}) ` +
    `rotate(${lies[1] + (lies[0] - lies[1]) * far}deg) rotateY(${turns[1] + (turns[0] - turns[1]) * far}deg)`;
  fly(card, sides, [{ transform: at(1, 0, 0) }, { transform: at(0.5, 0.14, 0.2) }, { transform: at(0, 0, 0) }], {
    duration: CROSSING,
    easing: "cubic-bezier(0.5, 0, 0.3, 1)",
    fill: "both",
  });
}

/**
 * The cards that come from the talon, each with its delay: one by one, who leads first, then round the table.
 * @param {Element} table
 * @param {Map<string, Spot>} was
 * @returns {Map<Element, number>}
 */
function drawn(table, was) {
  const seats = [...table.querySelectorAll(".seat")].sort((one, other) => seated(one) - seated(other));
  const first = Math.max(0, seats.findIndex((seat) => seat.querySelector(".tag.lead")));
  const hands = [...seats.slice(first), ...seats.slice(0, first)].map((seat) =>
    [...seat.querySelectorAll('[data-come="talon"]')].filter((card) => !was.has(nameOf(card))),
  );
  const most = Math.max(0, ...hands.map((hand) => hand.length));
  const [begin, step] = most > 1 ? [0, DEALT] : [LATER, BETWEEN];
  /** @type {Map<Element, number>} */
  const delays = new Map();
  for (let nth = 0; nth < most; nth += 1) {
    for (const hand of hands) if (hand[nth]) delays.set(hand[nth], begin + step * delays.size);
  }
  return delays;
}

/** @param {Element} seat @returns {number} counted round the table from the bottom of the screen */
const seated = (seat) => Number(seat.getAttribute("data-place"));

/**
 * Brings a card that was not seen before: not there until it sets off, turned over on its way if it shows its face.
 * @param {HTMLElement} card
 * @param {string} from
 * @param {string} to
 * @param {number} delay
 */
function come(card, from, to, delay) {
  const use = card.querySelector(".face use")?.getAttribute("href") ?? "";
  if (use.includes("#card-")) turn(card, from, to, delay);
  else move(card, [{ transform: from, opacity: 0 }, { opacity: 1, offset: 0.01 }, { transform: to }], { ...GLIDE, delay });
}

/**
 * A card turned over on its way.
 * @param {HTMLElement} card
 * @param {string} from
 * @param {string} to
 * @param {number} delay
 */
function turn(card, from, to, delay) {
  const front = card.querySelector(".face");
  if (!front) return;
  const frames = [{ transform: `perspective(60rem) ${from} rotateY(180deg)` }, { transform: `perspective(60rem) ${to} rotateY(0deg)` }];
  fly(card, { front, back: backOf(front) }, frames, { ...TURN, delay });
}

/** @param {Element} face @returns {Element} the back, drawn like this face */
function backOf(face) {
  const back = /** @type {Element} */ (face.cloneNode(true));
  const use = back.querySelector("use");
  use?.setAttribute("href", (use.getAttribute("href") ?? "").replace(/#.*/, "#back"));
  back.classList.add("reverse");
  return back;
}

/**
 * A copy flies to where the real card waits unseen: what becomes of the page meanwhile does not touch it.
 * @param {HTMLElement} card
 * @param {{front: Element, back: Element | null}} sides
 * @param {Keyframe[]} frames
 * @param {KeyframeAnimationOptions} timing
 */
function fly(card, { front, back }, frames, timing) {
  const { x, y, width, height } = place(card);
  const flyer = document.createElement("div");
  flyer.className = "flyer";
  flyer.style.width = `${width}px`;
  flyer.style.left = `${x + scroll[0] - width / 2}px`;
  flyer.style.top = `${y + scroll[1] - height / 2}px`;
  const both = document.createElement("div");
  both.append(front.cloneNode(true));
  if (back) both.append(back);
  flyer.append(both);
  document.body.append(flyer);
  const flight = move(both, frames, timing);
  const delay = Number(timing.delay ?? 0);
  if (delay) move(flyer, [{ opacity: 0 }, { opacity: 0 }], { duration: delay });
  move(card, [{ opacity: 0 }, { opacity: 0 }], { duration: delay + Number(timing.duration) });
  const landed = () => flyer.remove();
  flight.finished.then(landed, landed);
  flights.push({ card, flight });
}
