// @ts-check
/* Offers to be told of one's turn: after one's own act, where the other takes a while. Asked once, not again. */

const offer = /** @type {HTMLElement} */ (document.getElementById("push"));
const table = /** @type {HTMLElement} */ (document.getElementById("table"));
const [device, mail] = offer.querySelectorAll("form");
const ASKED = "push-asked";

const possible = "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
let acted = false;

function look() {
  const mine = Boolean(table.querySelector(".hand.ready"));
  if (mine) {
    acted = true;
    clearTimeout(timer);
    timer = undefined;
    offer.hidden = true;
  } else if (acted && timer === undefined) {
    timer = setTimeout(() => { offer.hidden = false; }, Number(offer.dataset.after));
  }
}

/** @param {ServiceWorkerRegistration} registration resolved when its worker can receive messages */
async function started({ active, waiting, installing }) {
  const coming = waiting ?? installing;
  if (active || !coming) return;
  await new Promise((done) => {
    coming.addEventListener("statechange", () => { if (coming.state === "activated") done(null); });
  });
}

async function subscribed() {
  if ((await Notification.requestPermission()) !== "granted") return;
  const registration = await navigator.serviceWorker.register("/push/worker.js");
  await started(registration);
  const options = { userVisibleOnly: true, applicationServerKey: device.dataset.key };
  const { endpoint, keys } = (await registration.pushManager.subscribe(options)).toJSON();
  const fields = new URLSearchParams({ endpoint: endpoint ?? "", key: keys?.p256dh ?? "", auth: keys?.auth ?? "" });
  fields.set("csrf", String(new FormData(device).get("csrf")));
  const answer = await fetch("/push", { method: "POST", body: fields });
  const live = document.getElementById("live");
  if (answer.ok && live) live.textContent = offer.dataset.done ?? "";
}

/** Submits an e-mail address; a first e-mail asks there for confirmation. */
async function written() {
  const body = new URLSearchParams([...new FormData(mail)].map(([name, value]) => [name, String(value)]));
  const answer = await fetch("/letters", { method: "POST", headers: { Accept: "application/json" }, body });
  if (!answer.ok) return mail.submit(); // the page says why
  const told = document.createElement("p");
  told.setAttribute("role", "status");
  offer.replaceChildren(told);
  offer.hidden = false;
  told.textContent = offer.dataset.sent ?? "";
  setTimeout(() => offer.remove(), 9000);
}

const asks = possible && Notification.permission !== "denied";
device.hidden = !asks;
if ((asks || mail) && !localStorage.getItem(ASKED)) {
  const watcher = new MutationObserver(look);
  watcher.observe(table, { subtree: true, childList: true, attributes: true, attributeFilter: ["class"] });
  look();
  const answered = () => {
    watcher.disconnect();
    clearTimeout(timer);
    offer.hidden = true;
    localStorage.setItem(ASKED, "1");
  };
  offer.querySelector("[type=button]")?.addEventListener("click", answered);
  offer.addEventListener("submit", (event) => {
    event.preventDefault();
    answered();
    (event.target === mail ? written() : subscribed()).catch(() => localStorage.removeItem(ASKED));
  });
}
