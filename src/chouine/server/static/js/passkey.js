// @ts-check
/* Passkeys: makes one, or signs in by one, and posts the answer as any form. Without them the page's other ways remain. */

/** @param {string} text */
function bytes(text) {
  return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0));
}

/** @param {ArrayBuffer} buffer */
function base64url(buffer) {
  const text = btoa(String.fromCharCode(...new Uint8Array(buffer)));
  return text.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** @param {string} options */
async function make(options) {
  const asked = JSON.parse(options);
  const publicKey = {
    ...asked,
    challenge: bytes(asked.challenge),
    user: { ...asked.user, id: bytes(asked.user.id) },
    excludeCredentials: asked.excludeCredentials.map((/** @type {{ id: string }} */ one) => ({ ...one, id: bytes(one.id) })),
  };
  const made = /** @type {PublicKeyCredential} */ (await navigator.credentials.create({ publicKey }));
  const response = /** @type {AuthenticatorAttestationResponse} */ (made.response);
  return answerText(made, { attestationObject: base64url(response.attestationObject) });
}

/** @param {string} options */
async function signIn(options) {
  const asked = JSON.parse(options);
  const publicKey = { ...asked, challenge: bytes(asked.challenge), allowCredentials: [] };
  const found = /** @type {PublicKeyCredential} */ (await navigator.credentials.get({ publicKey }));
  const response = /** @type {AuthenticatorAssertionResponse} */ (found.response);
  const signed = { authenticatorData: base64url(response.authenticatorData), signature: base64url(response.signature) };
  return answerText(found, signed);
}

/**
 * @param {PublicKeyCredential} one
 * @param {Record<string, string>} signed
 */
function answerText(one, signed) {
  const response = { clientDataJSON: base64url(one.response.clientDataJSON), ...signed };
  return JSON.stringify({ id: one.id, rawId: base64url(one.rawId), type: one.type, response });
}

if (window.PublicKeyCredential) {
  for (const hint of document.querySelectorAll("[data-without]")) hint.remove();
  for (const hint of document.querySelectorAll("[data-with]")) /** @type {HTMLElement} */ (hint).hidden = false;
  for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("[data-passkey]"))) {
    const { passkey, options, failed } = form.dataset;
    const field = /** @type {HTMLInputElement} */ (form.elements.namedItem("answer"));
    const line = /** @type {HTMLElement} */ (form.querySelector("[role=status]"));
    form.hidden = false;
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      line.textContent = "";
      try {
        field.value = await (passkey === "make" ? make : signIn)(options ?? "");
      } catch {
        line.textContent = failed ?? "";
        return;
      }
      form.submit();
    });
  }
}
