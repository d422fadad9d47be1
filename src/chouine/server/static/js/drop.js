// @ts-check
// A contest's file dropped anywhere on the page is put into the form that restores it.
const field = /** @type {HTMLInputElement | null} */ (document.getElementById("copy"));
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  if (!field || !event.dataTransfer?.files.length) return;
  field.files = event.dataTransfer.files;
  field.form?.querySelector("button")?.click();
});

export {};
