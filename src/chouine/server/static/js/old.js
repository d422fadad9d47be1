// @ts-check
// What browsers older than the other scripts need, in the JavaScript of the oldest (ES5): tools/floor.mjs reads it as such.
(function () {
  if (!document.addEventListener) return;
  var told = /** @type {HTMLElement} */ (document.querySelector("script[data-older]"));

  /** @param {string} name */
  function tells(name) {
    return told.getAttribute("data-" + name) || "";
  }

  /** Whether modules that use the JavaScript of 2021 are read: since Chrome 85, Firefox 79 and Safari 14. */
  var reads = "noModule" in told && window.Promise && Promise.any;

  function standIn() {
    var script = document.createElement("script");
    script.type = "module";
    script.src = tells("has");
    document.head.appendChild(script);
  }

  /** Beside the table, where nothing lies under it. */
  function say() {
    var main = document.getElementById("main");
    if (!main || !/(^| )beside( |$)/.test(document.documentElement.className) || document.cookie.indexOf("older=told") >= 0) return;
    var box = document.createElement("div");
    var line = document.createElement("p");
    var button = document.createElement("button");
    box.className = "older";
    box.setAttribute("role", "status");
    line.appendChild(document.createTextNode(tells("older")));
    button.className = "plain";
    button.appendChild(document.createTextNode(tells("close")));
    button.addEventListener("click", function () {
      document.cookie = "older=told; path=/; max-age=31536000; samesite=lax";
      box.parentNode && box.parentNode.removeChild(box);
    });
    box.appendChild(line);
    box.appendChild(button);
    main.insertBefore(box, main.firstChild);
  }

  /** What is meant for browsers without scripts; a page's `<meta>` that asks for it again takes effect when it is put in. */
  function withoutScripts() {
    var all = document.getElementsByTagName("noscript");
    while (all.length) {
      var box = document.createElement("div");
      var place = /** @type {Node} */ (all[0].parentNode);
      box.innerHTML = all[0].textContent || "";
      while (box.firstChild) place.insertBefore(box.firstChild, all[0]);
      place.removeChild(all[0]);
    }
  }

  /** A script has not come, or one that it needs: once the server answers the page is loaded again, or is as without scripts. */
  function comeBack() {
    var asked = new XMLHttpRequest();
    asked.onload = function () {
      if (performance.navigation.type === performance.navigation.TYPE_RELOAD) withoutScripts();
      else location.reload();
    };
    asked.onerror = function () {
      setTimeout(comeBack, 3000);
    };
    asked.open("GET", location.href);
    asked.send();
  }

  /** @param {Event} event */
  function miss(event) {
    var script = event.target;
    if (reads && script instanceof HTMLScriptElement && script.type === "module") comeBack();
  }

  /** Safari keeps a page for "back" also where it was left before its scripts had come, and then they never come. */
  var ran = /** @type {(EventTarget | null)[]} */ ([]);

  /** @param {Event} event */
  function note(event) {
    ran.push(event.target);
  }

  /** @param {PageTransitionEvent} event */
  function comeBackWhole(event) {
    var scripts = document.querySelectorAll("script[type=module]");
    for (var i = 0; event.persisted && i < scripts.length; i++) if (ran.indexOf(scripts[i]) < 0) return location.reload();
  }

  document.addEventListener("error", miss, true);
  document.addEventListener("load", note, true);
  if (reads) addEventListener("pageshow", comeBackWhole);
  if (reads && !CSS.supports("selector(:has(*))")) document.addEventListener("DOMContentLoaded", standIn);
  if ("at" in Array.prototype) return; // the floor: Chrome 92, Firefox 90, Safari 15.4
  document.addEventListener("DOMContentLoaded", function () {
    say();
    if (!reads && !/(^| )js( |$)/.test(document.documentElement.className)) withoutScripts();
  });
})();
