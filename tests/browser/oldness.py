"""What older browsers and those of careful people lack, taken from a current browser before a page's scripts run."""

from __future__ import annotations

from playwright.sync_api import Route

from tests.browser.visitor import Visitor

OLD = """
delete AbortSignal.timeout;
delete AbortSignal.any;
delete HTMLFormElement.prototype.requestSubmit;
delete Array.prototype.at;
delete String.prototype.at;
delete Array.prototype.findLast;
delete Object.hasOwn;
delete Object.groupBy;
delete Promise.withResolvers;
delete window.structuredClone;
delete window.CompressionStream;
"""
"""Missing in Safari 15.3, Chrome 91 or Firefox 89."""
BLOCKED = """
for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"])
  Object.defineProperty(window, name, { get() { throw new DOMException("blocked", "SecurityError"); } });
for (const name of ["register", "getRegistration", "getRegistrations"])
  ServiceWorkerContainer.prototype[name] = () => Promise.reject(new DOMException("blocked", "SecurityError"));
"""
"""Storage whose use is refused, as with site data blocked in the settings of Chrome or Firefox."""
NO_HAS = """
const supports = CSS.supports.bind(CSS);
CSS.supports = (...asked) => !asked.join().includes(":has") && supports(...asked);
"""
"""What a script asks to know that `:has` is missing; the style sheets must lack it too."""
BELOW = """
delete Array.prototype.at;
delete Promise.any;
"""
"""Missing below the floor, in browsers that do not read the modules either."""
NO_UNITS = {"cqw": "xqw", "cqh": "xqh"}
"""Units of containers, for `lack`: missing before Chrome 105, Firefox 110 and Safari 16."""


def lack(visitor: Visitor, names: dict[str, str]) -> None:
    """Give the style sheets, but not what scripts read of them, other names that no browser knows."""

    def serve_renamed(route: Route) -> None:
        if route.request.resource_type != "stylesheet":
            return route.fallback()
        answer = route.fetch()
        text = answer.text()
        for name, unknown in names.items():
            text = text.replace(name, unknown)
        return route.fulfill(response=answer, body=text)

    visitor.context.route("**/*.css*", serve_renamed)
