// @ts-check
/* Erases what this browser keeps of Chouine, each part whether or not the others can be. */

import { dropAll as dropCopies } from "./offline/copies.js";
import { dropAll } from "./storage.js";

const line = /** @type {HTMLElement} */ (document.getElementById("forgetting"));

/** Ends subscriptions to messages and unregisters the service workers. */
async function dropWorkers() {
  if (!("serviceWorker" in navigator)) return;
  for (const registration of await navigator.serviceWorker.getRegistrations()) {
    const subscription = await registration.pushManager?.getSubscription();
    await subscription?.unsubscribe();
    await registration.unregister();
  }
}

Promise.allSettled([dropWorkers(), dropCopies(), dropAll()]).then((all) => {
  const left = all.some(({ status }) => status === "rejected");
  line.textContent = (left ? line.dataset.left : line.dataset.done) ?? "";
});
