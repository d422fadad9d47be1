// @ts-check
/**
 * Stands in for `:has` where it is missing (Chrome before 105, Firefox before 121, Samsung Internet before 20).
 * The style sheets that use it are read again with a class in its place, which elements bear as long as they have what is
 * asked for. Not for pages whose layout would be seen to change: what shapes a whole page is a class set by the server.
 */
import { ask } from "./ask.js";

/** What is asked for, with its class. @type {Map<string, string>} */
const classes = new Map();
const BEGIN = ":has(";

/** @param {string} text @param {number} from @returns {string} what stands before the parenthesis that closes */
function inside(text, from) {
  let at = from;
  for (let open = 1; open; at++) open += Number(text[at] === "(") - Number(text[at] === ")");
  return text.slice(from, at - 1);
}

/** @param {string} css @returns {string} the same with classes, as weighty as what they stand for */
function withClasses(css) {
  let text = css.replace(/\/\*.*?\*\//gs, "");
  for (let at = text.indexOf(BEGIN); at >= 0; at = text.indexOf(BEGIN)) {
    const what = inside(text, at + BEGIN.length);
    if (!classes.has(what)) classes.set(what, `has-${classes.size}`);
    const weight = what.match(/[.:[]/g)?.length ?? 1;
    text = text.slice(0, at) + `.${classes.get(what)}`.repeat(weight) + text.slice(at + BEGIN.length + what.length + 1);
  }
  return text;
}

/** @param {string} text @param {string} open @param {string} close @param {string} end @returns {string[]} the parts of a text that end outside of brackets */
function split(text, open, close, end) {
  const parts = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    depth += Number(text[at] === open) - Number(text[at] === close);
    if (depth || text[at] !== end) continue;
    parts.push(text.slice(from, at + 1));
    from = at + 1;
  }
  return [...parts, text.slice(from)];
}

/** @param {HTMLLinkElement} link */
async function rewrite(link) {
  if (!link.sheet) await new Promise((loaded) => link.addEventListener("load", loaded, { once: true }));
  const css = await (await ask(link.href)).text();
  const { sheet } = link;
  if (!sheet || !css.includes(BEGIN)) return;
  while (sheet.cssRules.length) sheet.deleteRule(0);
  for (const rule of split(withClasses(css), "{", "}", "}")) {
    try {
      if (rule.trim()) sheet.insertRule(rule, sheet.cssRules.length);
    } catch {
      // a rule for other browsers
    }
  }
}

/** @param {string} what one selector after `:has(` @returns {Element[]} the elements that have it */
function owners(what) {
  const [, how = "", first = what, rest = ""] = what.match(/^([>+~]) *((?:\([^)]*\)|[^\s(])+)(.*)$/) ?? [];
  const found = [...document.querySelectorAll(first)].filter((one) => !rest.trim() || one.querySelector(`:scope ${rest}`));
  return found.flatMap((one) => {
    const all = [];
    const sideways = how === "+" || how === "~";
    for (let at = sideways ? one.previousElementSibling : one.parentElement; at; at = sideways ? at.previousElementSibling : at.parentElement) {
      all.push(at);
      if (how === "+" || how === ">") break;
    }
    return all;
  });
}

/** Gives every element its classes; those that have them already are left alone, so that this ends. */
function mark() {
  for (const [what, name] of classes) {
    const having = new Set(split(what, "(", ")", ",").flatMap((one) => owners(one.replace(/,$/, "").trim())));
    for (const one of document.querySelectorAll(`.${name}`)) if (!having.has(one)) one.classList.remove(name);
    for (const one of having) one.classList.toggle(name, true);
  }
}

const links = /** @type {NodeListOf<HTMLLinkElement>} */ (document.querySelectorAll("link[rel=stylesheet]"));
Promise.all([...links].map(rewrite)).then(() => {
  mark();
  for (const event of ["change", "focusin", "focusout"]) document.addEventListener(event, mark);
  const seen = { subtree: true, childList: true, attributeFilter: ["class", "hidden", "data-place", "open"] };
  new MutationObserver(mark).observe(document, seen);
});
