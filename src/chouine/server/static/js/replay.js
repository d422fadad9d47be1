// @ts-check
/* The arrow keys turn the tricks. */

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target instanceof Element && event.target.closest("input, pre, .scroll")) return;
  const rel = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  const link = rel && document.querySelector(`.steps a[rel="${rel}"]`);
  if (link instanceof HTMLAnchorElement) link.click();
});
