"""What older browsers and those of careful people lack, taken from a current browser before a page's scripts run."""

from __future__ import annotations

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
