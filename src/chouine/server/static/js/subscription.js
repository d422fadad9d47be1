// @ts-check
/* This browser's subscription to messages of one's turn. */

import { ask } from "./ask.js";

const WORKER = "/push/worker.js";

export const possible = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

/** @param {ServiceWorkerRegistration} registration resolved when its worker can receive messages, or never will */
async function untilActive({ active, waiting, installing }) {
  const coming = waiting ?? installing;
  if (active || !coming) return;
  await new Promise((done) => {
    coming.addEventListener("statechange", () => { if (["activated", "redundant"].includes(coming.state)) done(null); });
  });
}

/** @param {HTMLFormElement} form with the token @param {Record<string, string>} fields */
async function post(form, fields) {
  const body = new URLSearchParams({ csrf: String(new FormData(form).get("csrf")), ...fields });
  const answer = await ask("/push", { method: "POST", headers: { Accept: "application/json" }, body });
  if (!answer.ok) throw new Error(`the server answered ${answer.status}`);
}

/** @returns {Promise<PushSubscription | null>} this browser's subscription; the server may have forgotten it */
export async function present() {
  const registration = await navigator.serviceWorker.getRegistration(WORKER);
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** Whether it was subscribed here, so that messages of one's turn come by themselves. @returns {Promise<boolean>} */
export async function notifies() {
  if (!possible || Notification.permission !== "granted") return false;
  return Boolean(await present().catch(() => null));
}

/**
 * Asks for permission and subscribes anew: a subscription that is there may have ended, or be for another key.
 * @param {HTMLFormElement} form with the server's key @returns {Promise<string>} the endpoint; empty without permission
 */
export async function subscribe(form) {
  if ((await Notification.requestPermission()) !== "granted") return "";
  const registration = await navigator.serviceWorker.register(WORKER);
  await untilActive(registration);
  const former = await registration.pushManager.getSubscription();
  await former?.unsubscribe();
  const options = { userVisibleOnly: true, applicationServerKey: form.dataset.key };
  const { endpoint = "", keys } = (await registration.pushManager.subscribe(options)).toJSON();
  await post(form, { endpoint, key: keys?.p256dh ?? "", auth: keys?.auth ?? "", old: former?.endpoint ?? "" });
  return endpoint;
}

/** @param {HTMLFormElement} form @param {PushSubscription} subscription */
export async function unsubscribe(form, subscription) {
  await post(form, { what: "off", endpoint: subscription.endpoint });
  await subscription.unsubscribe();
}
