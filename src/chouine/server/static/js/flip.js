// @ts-check
/** Animate cards that have moved (FLIP); a card that arrives face down turns over on its way. */

const GLIDE = { duration: 340, easing: "cubic-bezier(0.2, 0.7, 0.2, 1)", fill: /** @type {FillMode} */ ("backwards") };
const TURN = { duration: 420, easing: "cubic-bezier(0.35, 0.3, 0.3, 1)", fill: /** @type {FillMode} */ ("both") };
/** Delays in milliseconds: of a draw, until the trick is taken; between two draws; between two cards of a deal. */
const LATER = 380;
const BETWEEN = 170;
const DEALT = 85;
/** Duration of the exchange of the seven and the turnup, in milliseconds. */
const CROSSING = 820;
/** The trick's animation before it goes to its taker: its cards gather. */
const GATHER = { duration: 520, easing: "ease-in-out", fill: /** @type {FillMode} */ ("backwards") };

const less = matchMedia("(prefers-reduced-motion: reduce)");
/** Whether less motion is wanted, by the device or in the settings. */
export const still = {
  get matches() {
    return less.matches || document.documentElement.classList.contains("still");
  },
};

/** Current factor for durations. */
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

/** Two-sided cards in motion. @type {{card: Element, flight: Animation}[]} */
let flights = [];

/** @typedef {{x: number, y: number, width: number, height: number}} Spot */
/** @typedef {{cards: Map<string, Spot>, trick: string[], turnup: {name: string, spot: Spot, face: Element} | null}} Before */

/**
 * The player's own card in motion to the trick, just tapped.
 * @type {{card: HTMLElement, name: string, from: Spot, to: Spot, way: Animation} | null}
 */
let leaving = null;

/** @param {Element} card @returns {Spot} its centre on the screen, and its unrotated size */
function spot(card) {
  const box = card.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = /** @type {HTMLElement} */ (card);
  return { x: box.left + box.width / 2, y: box.top + box.height / 2, width: offsetWidth, height: offsetHeight };
}

/**
 * @param {Element} card
 * @returns {number} 1, or -1 if the page is rotated by 180°, for the second of two players across a device
 */
export const facingOf = (card) => (card.closest(".board")?.classList.contains("across") ? -1 : 1);

/** `facingOf`, for the present table. */
let facing = 1;

/** @param {Spot} seen on the screen @returns {Spot} the same in the page's coordinates, which may be rotated */
function onPage(seen) {
  if (facing > 0) return seen;
  const page = document.body.getBoundingClientRect();
  return { ...seen, x: page.right - seen.x, y: page.bottom - seen.y };
}

/** Present places of cards, all measured before any animation starts, so that the page is laid out once. @type {Map<Element, Spot>} */
let lies = new Map();
/** Scroll offset of the page. */
let scroll = [0, 0];

/** @param {Element} card @returns {Spot} */
const place = (card) => lies.get(card) ?? onPage(spot(card));

/** @param {Element} card @returns {string} */
const nameOf = (card) => card.getAttribute("data-card") ?? "";

/** @param {Element} table @returns {Before} the place of every card */
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
 * The tapped card starts towards the trick at once, by a transform alone. The page changes when it has arrived,
 * or with the server's frame; the card then continues from its present place.
 * @param {HTMLElement} card
 * @param {Element | null} landing its place in the trick
 * @param {number} pace
 * @returns {Promise<unknown> | null} resolved on arrival; null without animation
 */
export function depart(card, landing, pace) {
  if (still.matches || !landing) return null;
  rate = 1 / pace;
  facing = facingOf(card);
  const [from, to] = [spot(card), spot(landing)];
  const { transform, translate } = getComputedStyle(card);
  card.style.translate = translate; // and stays so, whoever's turn it is
  card.classList.add("leaving");
  const risen = transform === "none" ? 0 : new DOMMatrix(transform).f;
  const [x, y] = [facing * (to.x - from.x), facing * (to.y - from.y) + risen];
  const there = `translate(${x}px, ${y}px) scale(${to.width / from.width})`;
  const way = move(card, [{ transform }, { transform: there }], { ...GLIDE, fill: "forwards" });
  leaving = { card, name: nameOf(card), from, to, way };
  return way.finished;
}

/** A card that had set off lies in the hand again. @param {HTMLElement} card */
function settle(card) {
  for (const way of card.getAnimations()) way.cancel();
  card.classList.remove("leaving", "risen");
  card.style.translate = "";
}

/** @param {Element} table @param {string} name @returns {Spot | undefined} */
function source(table, name) {
  const from = table.querySelector(`[data-from="${name}"]`);
  return from ? place(from.querySelector(".card") ?? from) : undefined;
}

/**
 * Animates every card from its old place.
 * @param {Element} table
 * @param {Before} before
 * @param {number} pace how long that takes, 1 as usual
 * @returns {number} milliseconds until the animations end
 */
export function glide(table, before, pace) {
  if (still.matches) return 0;
  const faced = facing;
  facing = facingOf(table.firstElementChild ?? table);
  const was = new Map([...before.cards].map(([name, seen]) => [name, onPage(seen)]));
  const left = leaving;
  leaving = null;
  if (left?.card.isConnected) settle(left.card); // it was refused
  rate = 1 / pace;
  flights = flights.filter(({ card, flight }) => {
    if (!card.isConnected) flight.cancel(); // removed or moved meanwhile
    return flight.playState === "running";
  });
  const known = table.querySelectorAll("[data-card], [data-from], [data-from] .card");
  lies = new Map([...known].map((each) => [each, onPage(spot(each))]));
  scroll = facing > 0 ? [scrollX, scrollY] : [0, 0];
  // If the table has been turned, another seat's backs lie there, which did not move.
  if (facing !== faced) for (const back of table.querySelectorAll(".backs .card")) was.set(nameOf(back), place(back));
  const crossing = cross(table, was, before.turnup);
  const delays = drawDelays(table, was);
  const meeting = middle(before.trick.flatMap((name) => was.get(name) ?? []));
  for (const card of /** @type {NodeListOf<HTMLElement>} */ (table.querySelectorAll("[data-card]"))) {
    const name = nameOf(card);
    const from = was.get(name) ?? (card.dataset.come && source(table, card.dataset.come));
    const to = place(card);
    if (!from || !from.width || !to.width || card.classList.contains("turnup") || crossing.includes(card)) continue;
    const path = `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(${from.width / to.width})`;
    if (Math.abs(from.x - to.x) + Math.abs(from.y - to.y) < 2 && Math.abs(from.width / to.width - 1) < 0.02) continue;
    if (!was.has(name)) {
      bringIn(card, path, "translate(0, 0) scale(1)", delays.get(card) ?? 0);
    } else if (before.trick.includes(name) && card.closest(".pile")) {
      gather(card, from, to, meeting);
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

/**
 * A card of the trick goes to its taker's pile. A copy of the trick's size shrinks: Safari would blur the small card, enlarged.
 * @param {HTMLElement} card
 * @param {Spot} from
 * @param {Spot} to
 * @param {{x: number, y: number}} meeting where the trick's cards gather first
 */
function gather(card, from, to, meeting) {
  const front = card.querySelector(".face");
  if (!front) return;
  const at = (/** @type {{x: number, y: number}} */ { x, y }, /** @type {number} */ size) =>
    `translate(${x - to.x}px, ${y - to.y}px) scale(${size})`;
  const path = [{ transform: at(from, 1) }, { transform: at(meeting, 1), offset: 0.4 }, { transform: at(to, to.width / from.width) }];
  fly(card, { front, back: null }, path, [0, 0], GATHER, from);
}

/** @param {Spot[]} all @returns {{x: number, y: number}} */
function middle(all) {
  const mean = (/** @type {"x" | "y"} */ side) => all.reduce((sum, one) => sum + one[side], 0) / (all.length || 1);
  return { x: mean("x"), y: mean("y") };
}

/**
 * The seven and the turnup swap places (§11). An observer other than that hand's holder
 * sees the seven turn over on its way, and the turnup join the backs.
 * @param {Element} table
 * @param {Map<string, Spot>} was
 * @param {Before["turnup"]} gone
 * @returns {Element[]} the cards animated
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
 * Animates a copy of a card in an arc to the hidden real card.
 * @param {HTMLElement} card
 * @param {Spot} from
 * @param {{front: Element, back: Element | null}} sides
 * @param {[number, number]} lies angle in degrees at the start and at the end
 * @param {[number, number]} turns rotation in degrees about its own axis, 180 for face down
 */
function arc(card, from, sides, lies, turns) {
  const to = place(card);
  const [x, y, size] = [from.x - to.x, from.y - to.y, from.width / to.width];
  const at = (/** @type {number} */ far, /** @type {number} */ aside, /** @type {number} */ grown) =>
    `translate(${x * far - y * aside}px, ${y * far + x * aside}px) scale(${1 + (size - 1) * far + grown}) ` +
    `rotate(${lies[1] + (lies[0] - lies[1]) * far}deg)`;
  const path = [{ transform: at(1, 0, 0) }, { transform: at(0.5, 0.14, 0.2) }, { transform: at(0, 0, 0) }];
  fly(card, sides, path, turns, {
    duration: CROSSING,
    easing: "cubic-bezier(0.5, 0, 0.3, 1)",
    fill: "both",
  });
}

/**
 * The cards drawn, each with its delay: one by one in playing order, the leader first.
 * @param {Element} table
 * @param {Map<string, Spot>} was
 * @returns {Map<Element, number>}
 */
function drawDelays(table, was) {
  const seats = [...table.querySelectorAll(".seat")].sort((one, other) => placeOf(one) - placeOf(other));
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

/** @param {Element} seat @returns {number} the place, counted round the table from the bottom of the screen */
const placeOf = (seat) => Number(seat.getAttribute("data-place"));

/**
 * Animates a new card: hidden until it starts, turned over on its way if its face is shown.
 * @param {HTMLElement} card
 * @param {string} from
 * @param {string} to
 * @param {number} delay
 */
function bringIn(card, from, to, delay) {
  const use = card.querySelector(".face use")?.getAttribute("href") ?? "";
  if (use.includes("#card-")) turn(card, from, to, delay);
  else move(card, [{ transform: from, opacity: 0 }, { opacity: 1, offset: 0.01 }, { transform: to }], { ...GLIDE, delay });
}

/**
 * Animates a card that turns over on its way.
 * @param {HTMLElement} card
 * @param {string} from
 * @param {string} to
 * @param {number} delay
 */
function turn(card, from, to, delay) {
  const front = card.querySelector(".face");
  if (!front) return;
  fly(card, { front, back: backOf(front) }, [{ transform: from }, { transform: to }], [180, 0], { ...TURN, delay });
}

/** @param {Element} face @returns {Element} the back in the style of this face */
function backOf(face) {
  const back = /** @type {Element} */ (face.cloneNode(true));
  const use = back.querySelector("use");
  use?.setAttribute("href", (use.getAttribute("href") ?? "").replace(/#.*/, "#back"));
  back.classList.add("reverse");
  return back;
}

/**
 * Animates a copy towards the hidden real card, independent of page changes meanwhile.
 * @param {HTMLElement} card
 * @param {{front: Element, back: Element | null}} sides
 * @param {Keyframe[]} path
 * @param {[number, number]} turns rotation in degrees about its own axis
 * @param {KeyframeAnimationOptions} timing
 * @param {Spot} size the copy's size, where it is not the card's
 */
function fly(card, { front, back }, path, turns, timing, size = place(card)) {
  const { x, y } = place(card);
  const { width, height } = size;
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
  const flight = move(flyer, path, timing);
  move(both, turns.map((turn) => ({ transform: `rotateY(${turn}deg)` })), timing);
  const delay = Number(timing.delay ?? 0);
  if (delay) move(flyer, [{ opacity: 0 }, { opacity: 0 }], { duration: delay });
  move(card, [{ opacity: 0 }, { opacity: 0 }], { duration: delay + Number(timing.duration) });
  const remove = () => flyer.remove();
  flight.finished.then(remove, remove);
  flights.push({ card, flight });
}
