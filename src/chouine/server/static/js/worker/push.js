// @ts-check
/* The service worker of push messages, which controls no page: shows that it is one's turn, or that somebody offers a match, unless the page of it is in sight; a tap leads there. */

/** The page on which challenges are answered; all others are tables, or the list of one's own. */
const CIRCLE = "/circle";
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

/** @param {string} table @returns {Promise<readonly WindowClient[]>} the windows in which it is open */
async function windowsAt(table) {
  const all = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  return all.filter((one) => new URL(one.url).pathname === table);
}

/** @param {string} table @param {number} waiting how many tables wait, in a reminder of them all */
function inFrench(table, waiting) {
  if (waiting) return waiting === 1 ? "Une table vous attend" : `${waiting} tables vous attendent`;
  return table === CIRCLE ? "On vous propose une partie" : "À vous de jouer";
}

/** @param {string} table @param {number} waiting */
function inEnglish(table, waiting) {
  if (waiting) return waiting === 1 ? "One table waits for you" : `${waiting} tables wait for you`;
  return table === CIRCLE ? "A match is offered to you" : "Your turn";
}

/** @param {{table: string, waiting?: number}} message */
async function showTurn({ table, waiting = 0 }) {
  if ((await windowsAt(table)).some((one) => one.visibilityState === "visible")) return;
  await worker.registration.showNotification("Chouine", {
    body: worker.navigator.language.startsWith("fr") ? inFrench(table, waiting) : inEnglish(table, waiting),
    icon: "/static/icons/icon-192.png",
    tag: table,
    data: table,
  });
}

/** @param {string} table */
async function openTable(table) {
  const [one] = await windowsAt(table);
  await (one ? one.focus() : worker.clients.openWindow(table));
}

/** Subscribes anew when the browser or its service has ended the subscription. @param {PushSubscription | null} former */
async function renewSubscription(former) {
  const { key, csrf } = await (await fetch("/push")).json();
  const { pushManager } = worker.registration;
  await (await pushManager.getSubscription())?.unsubscribe();
  const options = { userVisibleOnly: true, applicationServerKey: key };
  const { endpoint = "", keys } = (await pushManager.subscribe(options)).toJSON();
  const fields = { csrf, endpoint, key: keys?.p256dh ?? "", auth: keys?.auth ?? "", old: former?.endpoint ?? "" };
  await fetch("/push", { method: "POST", body: new URLSearchParams(fields) });
}

worker.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renewSubscription(event.oldSubscription)));
worker.addEventListener("push", (event) => event.waitUntil(showTurn(event.data?.json())));
worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openTable(event.notification.data));
});
