// @ts-check
// A form that sends more than the server takes is not sent, so that what was written stays in it.

for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form[data-most]"))) {
  check(form);
  form.addEventListener("input", () => check(form));
}

/** Marks the fields that are too long: the browser says so at the field, and does not send the form. @param {HTMLFormElement} form */
function check(form) {
  for (const field of form.elements) {
    if (!(field instanceof HTMLTextAreaElement || (field instanceof HTMLInputElement && field.files))) continue;
    field.setCustomValidity(sizeOf(field) > Number(form.dataset.most) ? (form.dataset.tooLong ?? "") : "");
  }
}

/** The bytes that a field sends, a line's end as two. @param {HTMLTextAreaElement | HTMLInputElement} field */
function sizeOf(field) {
  if (field instanceof HTMLInputElement) return field.files?.[0]?.size ?? 0;
  return new Blob([field.value.replace(/\n/g, "\r\n")]).size;
}

export {};
