// @ts-check
/**
 * Offline answers: files come from the copy, pages from the shell page that runs Python. Of two whole copies the older is
 * used until no page uses it, and nothing that it lacks comes from the network, so that no two versions mix.
 */

(() => {
  const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
  const SHELL = "/offline";
  const KEPT = "chouine-offline-";
  /** Cached last, so that its presence means a complete cache. */
  const WHOLE = "/offline/whole";
  /** Milliseconds after which a silent network counts as none. */
  const PATIENCE = 5_000;
  /** Milliseconds for the shell page to answer. */
  const ANSWERED = 60_000;
  const FILES = /^\/offline(?:\/worker\.js|\/app\.zip|\/days\.json|\/snapshot|\/runtime\/.+|\/static\/.+)?$/;
  /** Files of one copy, which may not be whole yet: it is tried before it is used. */
  const OF = /^\/offline\/of\/(\w+)(\/.+)$/;
  /** The query of an address that contains the file's version. */
  const VERSIONED = /^\?v=/;
  /** As the server sends such a file: else Chromium reads the drawings of all cards anew for each card that comes. */
  const LASTING = "public, max-age=31536000, immutable";
  const NETWORK = /^\/offline\/(?:files\.json|carry)$/;

  worker.addEventListener("install", () => void worker.skipWaiting());
  worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
  worker.addEventListener("message", (event) => event.data === "claim" && event.waitUntil(worker.clients.claim()));
  worker.addEventListener("fetch", (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (url.origin !== worker.location.origin || NETWORK.test(url.pathname) || url.search === "?take") return;
    const [, version, path] = OF.exec(url.pathname) ?? [];
    if (version) event.respondWith(fileOf(KEPT + version, SHELL + path));
    else if (FILES.test(url.pathname)) event.respondWith(file(request, url));
    else if (url.pathname.startsWith(`${SHELL}/`)) event.respondWith(render(request, url));
    else if (request.mode === "navigate" && request.method === "GET") event.respondWith(orKept(request));
  });

  /** The name of the copy in use; empty if none is whole. */
  async function copyInUse() {
    for (const name of await caches.keys()) {
      if (name.startsWith(KEPT) && (await (await caches.open(name)).match(WHOLE))) return name;
    }
    return "";
  }

  /** @param {string} name @param {string} path */
  async function fileOf(name, path) {
    return (await (await caches.open(name)).match(path)) ?? Response.error();
  }

  /** @param {Request} request @param {URL} url */
  async function file(request, url) {
    const name = await copyInUse();
    if (!name) return fetch(request);
    const found = await fileOf(name, url.pathname);
    if (!VERSIONED.test(url.search) || !found.ok) return found;
    const headers = new Headers(found.headers);
    headers.set("Cache-Control", LASTING);
    return new Response(found.body, { headers });
  }

  /** A page from the network; without a network, a redirect to the offline site. @param {Request} request */
  async function orKept(request) {
    const coming = fetch(request);
    if (!(await copyInUse())) return coming;
    const late = new Promise((/** @type {(value: null) => void} */ done) => setTimeout(() => done(null), PATIENCE));
    try {
      return (await Promise.race([coming, late])) ?? Response.redirect(SHELL);
    } catch {
      return Response.redirect(SHELL);
    }
  }

  /** A page rendered by Python in the browser. @param {Request} request @param {URL} url */
  async function render(request, url) {
    const shells = (await worker.clients.matchAll({ type: "window", includeUncontrolled: true })).filter(
      (client) => new URL(client.url).pathname === SHELL,
    );
    if (!shells.length) return request.mode === "navigate" ? Response.redirect(SHELL) : Response.error();
    const stream = (request.headers.get("accept") ?? "").includes("text/event-stream");
    const asked = {
      method: request.method,
      address: url.pathname + url.search,
      body: request.method === "POST" ? await request.text() : "",
      json: (request.headers.get("accept") ?? "").includes("application/json"),
      stream,
      page: request.mode === "navigate",
    };
    return stream ? streamOf(shells, asked) : answerOf(shells, asked);
  }

  /**
   * Sends a request to every shell page; the one that runs Python answers, and the others drop it then.
   * @param {readonly Client[]} shells
   * @param {object} asked
   * @param {(data: any) => void} hear called with each answer
   * @returns {() => void} tells that nobody waits any longer
   */
  function ask(shells, asked, hear) {
    /** @type {MessagePort[]} */
    const ports = [];
    const tellLeft = (/** @type {MessagePort | null} */ but) => ports.forEach((port) => port !== but && port.postMessage("left"));
    for (const shell of shells) {
      const { port1, port2 } = new MessageChannel();
      shell.postMessage({ asked }, [port2]);
      ports.push(port1);
      port1.onmessage = ({ data }) => {
        tellLeft(port1);
        hear(data);
      };
    }
    return () => tellLeft(null);
  }

  /** @param {readonly Client[]} shells @param {object} asked @returns {Promise<Response>} */
  function answerOf(shells, asked) {
    return new Promise((done) => {
      const leave = ask(shells, asked, (data) => {
        clearTimeout(timer);
        done(response(data));
      });
      const timer = setTimeout(() => {
        leave();
        done(Response.error());
      }, ANSWERED);
    });
  }

  /** @param {{status: number, body: string, kind: string, location: string, file: string, policy: string}} answer */
  function response(answer) {
    if (answer.location) return Response.redirect(answer.location, 303);
    const headers = new Headers({
      "Content-Type": answer.kind,
      "Content-Security-Policy": answer.policy,
      "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "same-origin",
      "Cache-Control": "no-store",
    });
    if (answer.file) headers.set("Content-Disposition", `attachment; filename="${answer.file}"`);
    return new Response(answer.body || null, { status: answer.status, headers }); // with 204 there may be none
  }

  /** @param {readonly Client[]} shells @param {object} asked */
  function streamOf(shells, asked) {
    const encoder = new TextEncoder();
    let leave = () => {};
    const body = new ReadableStream({
      start(controller) {
        leave = ask(shells, asked, (data) => controller.enqueue(encoder.encode(data)));
      },
      cancel() {
        leave();
      },
    });
    return new Response(body, { headers: { "Content-Type": "text/event-stream", "Cache-Control": "no-store" } });
  }
})();
