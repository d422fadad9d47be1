// @ts-check
/* The site's service worker. Each part has a file of its own. */
importScripts("/static/js/offline/python-host.js");
