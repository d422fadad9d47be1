// @ts-check
/* A deal's digest computed again in the page: SHA-256 of the pack's text and the nonce's. */

const proof = document.getElementById("proof");
const check = /** @type {HTMLButtonElement | null} */ (document.getElementById("check"));
const verdict = document.getElementById("verdict");

if (proof && check && verdict) {
  check.hidden = false;
  check.addEventListener("click", async () => {
    const { pack = "", nonce = "", digest = "" } = proof.dataset;
    if (!crypto.subtle) {
      verdict.textContent = check.dataset.cannot ?? "";
      return;
    }
    const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(pack + nonce)));
    const found = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    const agrees = found === digest;
    verdict.className = agrees ? "verdict good" : "verdict bad";
    verdict.textContent = `${(agrees ? check.dataset.agree : check.dataset.differ) ?? ""} ${found}`;
  });
}
