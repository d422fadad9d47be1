// @ts-check
/** For hands that tremble: a first touch chooses a card, a second plays it. */

/** Milliseconds in which a second touch is the first one of a hand that trembles. */
const BOUNCE = 350;
const PLAYABLE = ".hand.ready .card:not([aria-disabled], .barred)";

export class Twice {
  /**
   * @param {HTMLElement} table
   * @param {string} again what to do next, in words; empty where one touch plays
   * @param {(sentence: string) => void} say
   */
  constructor(table, again, say) {
    this.table = table;
    this.again = again;
    this.say = say;
    /** The chosen card, by its name in `data-card`. */
    this.chosen = "";
    /** When the last touch came, and that of the chosen card. A busy page hears late. */
    this.came = 0;
    this.at = 0;
    for (const kind of ["pointerdown", "keydown", "click"])
      table.addEventListener(kind, (event) => (this.came = event.timeStamp), true);
    if (again) document.addEventListener("keydown", (event) => event.key === "Escape" && this.drop());
  }

  /**
   * Whether a touch plays its card; if not, the card is now the chosen one.
   * @param {HTMLElement | null} touched
   */
  plays(touched) {
    const card = touched?.closest(".hand .card");
    if (!this.again || !(card instanceof HTMLElement)) return true;
    const name = card.dataset.card ?? "";
    const second = name === this.chosen;
    if (second && this.came - this.at < BOUNCE) return false;
    this.drop();
    if (second || !card.matches(PLAYABLE)) return true;
    this.chosen = name;
    this.at = this.came;
    this.mark();
    this.say(`${card.getAttribute("aria-label")}. ${this.again}`);
    return false;
  }

  /** Shows which card is chosen, also in a hand that was drawn anew. */
  mark() {
    if (!this.chosen) return;
    const card = this.table.querySelector(`${PLAYABLE}[data-card="${this.chosen}"]`);
    if (!card) return this.drop();
    card.classList.add("chosen");
    card.setAttribute("aria-pressed", "true");
    const prompt = this.table.querySelector("#prompt");
    if (prompt instanceof HTMLElement && prompt.textContent !== this.again) {
      prompt.dataset.before = prompt.textContent ?? "";
      prompt.textContent = this.again;
    }
  }

  drop() {
    this.chosen = "";
    for (const card of this.table.querySelectorAll(".hand .chosen")) {
      card.classList.remove("chosen");
      card.removeAttribute("aria-pressed");
    }
    const prompt = this.table.querySelector("#prompt");
    if (prompt instanceof HTMLElement && prompt.dataset.before !== undefined) {
      prompt.textContent = prompt.dataset.before;
      delete prompt.dataset.before;
    }
  }
}
