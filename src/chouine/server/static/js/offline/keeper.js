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
  const FILES = /^\/offline(?:\/worker\.js|\/app\.zip|\/snapshot|\/runtime\/.+|\/static\/.+)?$/;
  /** Files of one copy, which may not be whole yet: it is tried before it is used. */
  const OF = /^\/offline\/of\/(\w+)(\/.+)$/;
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
    else if (url.pathname.startsWith(`${SHELL}/`)) event.respondWith(made(request, url));
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
    return name ? fileOf(name, url.pathname) : fetch(request);
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
  async function made(request, url) {
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
    return stream ? streamed(shells, asked) : answered(shells, asked);
  }

  /**
   * Sends a request to every shell page; only one of them runs Python.
   * @param {readonly Client[]} shells
   * @param {object} asked
   * @returns {MessagePort[]}
   */
  function ask(shells, asked) {
    return shells.map((shell) => {
      const { port1, port2 } = new MessageChannel();
      shell.postMessage({ asked }, [port2]);
      return port1;
    });
  }

  /** @param {readonly Client[]} shells @param {object} asked @returns {Promise<Response>} */
  function answered(shells, asked) {
    return new Promise((done) => {
      const timer = setTimeout(() => done(Response.error()), ANSWERED);
      for (const port of ask(shells, asked)) {
        port.onmessage = ({ data }) => {
          clearTimeout(timer);
          done(response(data));
        };
      }
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
    return new Response(answer.body, { status: answer.status, headers });
  }

  /** @param {readonly Client[]} shells @param {object} asked */
  function streamed(shells, asked) {
    const encoder = new TextEncoder();
    /** @type {MessagePort[]} */
    let ports = [];
    const body = new ReadableStream({
      start(controller) {
        ports = ask(shells, asked);
        for (const port of ports) port.onmessage = ({ data }) => controller.enqueue(encoder.encode(data));
      },
      cancel() {
        for (const port of ports) port.postMessage("left");
      },
    });
    return new Response(body, { headers: { "Content-Type": "text/event-stream", "Cache-Control": "no-store" } });
  }
})();
