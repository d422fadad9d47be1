// @ts-check
// Suggestions from former years: choosing a name fills in both parts of it, village and "lady".
const who = /** @type {HTMLInputElement | null} */ (document.getElementById("name"));
const first = /** @type {HTMLInputElement | null} */ (document.getElementById("first"));
const village = /** @type {HTMLInputElement | null} */ (document.getElementById("village"));
const lady = /** @type {HTMLInputElement | null} */ (document.querySelector("input[name=lady]"));
const former = /** @type {HTMLDataListElement | null} */ (document.getElementById("former"));

who?.addEventListener("input", () => {
  const found = [...(former?.options ?? [])].find((option) => option.value === who.value);
  if (!found || !village || !lady) return;
  if (first && found.dataset.forename) [who.value, first.value] = [found.dataset.surname ?? "", found.dataset.forename];
  village.value ||= found.dataset.village ?? "";
  lady.checked ||= found.dataset.lady !== undefined;
});

export {};
