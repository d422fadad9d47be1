// @ts-check
/** Change a part of the page into another, keeping elements that stay, on which focus, open panels and animations depend. */

/** @param {Node} node @returns {string} a child's key among its siblings, or ""; not `form.id`, which may be a field of that name */
const key = (node) =>
  node instanceof Element ? node.getAttribute("id") || node.getAttribute("data-key") || node.getAttribute("data-card") || "" : "";

/**
 * Makes an element's content equal to another's.
 * @param {Element} old
 * @param {Element | DocumentFragment} fresh
 */
export function morph(old, fresh) {
  const coming = new Set([...fresh.childNodes].map(key));
  const kept = new Map([...old.childNodes].map((node) => [key(node), node]));
  let at = old.firstChild;
  for (const next of [...fresh.childNodes]) {
    while (at && key(at) && !coming.has(key(at))) at = drop(at);
    const same = key(next) ? kept.get(key(next)) : at && !key(at) ? at : null;
    while (same && at && at !== same && !key(at)) at = drop(at); // rather than move kept elements
    if (!same || same.nodeName !== next.nodeName) {
      old.insertBefore(next, at);
    } else {
      if (same === at) at = at.nextSibling;
      else old.insertBefore(same, at);
      become(same, next);
    }
  }
  while (at) at = drop(at);
}

/** @param {ChildNode} node @returns {ChildNode | null} the sibling after it */
function drop(node) {
  const after = node.nextSibling;
  node.remove();
  return after;
}

/** @param {Node} old @param {Node} next */
function become(old, next) {
  if (old.isEqualNode(next)) return;
  if (!(old instanceof Element) || !(next instanceof Element)) {
    old.nodeValue = next.nodeValue;
    return;
  }
  for (const { name } of [...old.attributes]) {
    if (!next.hasAttribute(name) && !(name === "open" && old.nodeName === "DETAILS")) old.removeAttribute(name);
  }
  for (const { name, value } of [...next.attributes]) {
    if (old.getAttribute(name) !== value && !(name === "open" && old.nodeName === "DETAILS")) old.setAttribute(name, value); // whoever folds it is heeded
  }
  morph(old, next);
}
