// @ts-check
/** Cards that have moved glide from where they were; one that comes face down is turned over on its way. */

const GLIDE = { duration: 340, easing: "cubic-bezier(0.2, 0.7, 0.2, 1)", fill: /** @type {FillMode} */ ("backwards") };
const TURN = { duration: 420, easing: "cubic-bezier(0.35, 0.3, 0.3, 1)", fill: /** @type {FillMode} */ ("both") };
/** Milliseconds a draw waits, until the trick has been taken; between two draws; between two cards of a deal. */
const LATER = 330;
const BETWEEN = 170;
const DEALT = 85;

const still = matchMedia("(prefers-reduced-motion: reduce)");

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

/** @typedef {{x: number, y: number, width: number}} Spot */

/** @param {Element} card @returns {Spot} its middle and width on the screen */
function spot(card) {
  const box = card.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2, width: /** @type {HTMLElement} */ (card).offsetWidth };
}

/** @param {Element} table @returns {Map<string, Spot>} where every card lies */
export function spots(table) {
  return new Map(
    [...table.querySelectorAll("[data-card]")].map((card) => [card.getAttribute("data-card") ?? "", spot(card)]),
  );
}

/** @param {Element} table @param {string} name @returns {Spot | undefined} */
function source(table, name) {
  const place = table.querySelector(`[data-from="${name}"]`);
  return place ? spot(place.querySelector(".card") ?? place) : undefined;
}

/**
 * Moves every card from where it was.
 * @param {Element} table
 * @param {Map<string, Spot>} was
 * @param {number} pace how long that takes, 1 as usual
 */
export function glide(table, was, pace) {
  if (still.matches) return;
  rate = 1 / pace;
  flights = flights.filter(({ card, flight }) => {
    if (!card.isConnected) flight.cancel(); // it has gone elsewhere meanwhile
    return flight.playState === "running";
  });
  const delays = drawn(table, was);
  for (const card of /** @type {NodeListOf<HTMLElement>} */ (table.querySelectorAll("[data-card]"))) {
    const name = card.dataset.card ?? "";
    const from = was.get(name) ?? (card.dataset.come && source(table, card.dataset.come));
    const to = spot(card);
    if (!from || !from.width || !to.width || card.classList.contains("turnup")) continue;
    const [x, y, size] = [from.x - to.x, from.y - to.y, from.width / to.width];
    if (Math.abs(x) + Math.abs(y) < 2 && Math.abs(size - 1) < 0.02) continue;
    if (was.has(name)) {
      move(card, [{ transform: `translate(${x}px, ${y}px) scale(${size})` }, { transform: "none" }], GLIDE);
    } else {
      come(card, `translate(${x}px, ${y}px) scale(${size})`, "translate(0, 0) scale(1)", delays.get(card) ?? 0);
    }
  }
  const turnup = /** @type {HTMLElement | null} */ (table.querySelector(".turnup"));
  if (turnup && !was.has(turnup.dataset.card ?? "") && delays.size > 4) turn(turnup, "rotate(90deg)", "rotate(90deg)", Math.max(...delays.values()) + BETWEEN);
}

/**
 * The cards that come from the talon, each with its delay: one by one, who leads first, then round the table.
 * @param {Element} table
 * @param {Map<string, Spot>} was
 * @returns {Map<Element, number>}
 */
function drawn(table, was) {
  const seats = [...table.querySelectorAll(".seat")].sort((one, other) => place(one) - place(other));
  const first = Math.max(0, seats.findIndex((seat) => seat.querySelector(".tag.lead")));
  const hands = [...seats.slice(first), ...seats.slice(0, first)].map((seat) =>
    [...seat.querySelectorAll('[data-come="talon"]')].filter((card) => !was.has(card.getAttribute("data-card") ?? "")),
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
const place = (seat) => Number(seat.getAttribute("data-place"));

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
 * A card with two sides flies to where the real one waits unseen: what becomes of the page meanwhile does not touch it.
 * @param {HTMLElement} card
 * @param {string} from
 * @param {string} to
 * @param {number} delay
 */
function turn(card, from, to, delay) {
  const face = card.querySelector(".face");
  if (!face) return;
  const { x, y, width } = spot(card);
  const [flyer, back] = [document.createElement("div"), /** @type {Element} */ (face.cloneNode(true))];
  const use = back.querySelector("use");
  use?.setAttribute("href", (use.getAttribute("href") ?? "").replace(/#.*/, "#back"));
  back.classList.add("reverse");
  flyer.className = "flyer";
  flyer.style.width = `${width}px`;
  flyer.style.left = `${x + scrollX - width / 2}px`;
  flyer.style.top = `${y + scrollY - card.offsetHeight / 2}px`;
  flyer.append(face.cloneNode(true), back);
  document.body.append(flyer);
  const frames = [
    { transform: `perspective(60rem) ${from} rotateY(180deg)`, visibility: "hidden" },
    { visibility: "visible", offset: 0.01 },
    { transform: `perspective(60rem) ${to} rotateY(0deg)`, visibility: "visible" },
  ];
  const flight = move(flyer, frames, { ...TURN, delay });
  move(card, [{ opacity: 0 }, { opacity: 0 }], { duration: delay + TURN.duration });
  const landed = () => flyer.remove();
  flight.finished.then(landed, landed);
  flights.push({ card, flight });
}
