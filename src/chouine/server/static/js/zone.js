// @ts-check
// Tell the server the browser's time zone, in which its days begin and end.
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const secure = location.protocol === "https:" ? "; secure" : "";
if (zone) document.cookie = `zone=${zone}; path=/; max-age=31536000; samesite=lax${secure}`;

export {};
