// Python for browsers, started in Node: `pages.mjs RUNTIME APP.zip SCRIPT INPUT OUTPUT`.
import fs from "node:fs";
import path from "node:path";

const [runtime, app, script, asked, told] = process.argv.slice(2);
const { loadPyodide } = await import(path.join(runtime, "pyodide.mjs"));
const py = await loadPyodide({ indexURL: `${runtime}/` });
py.unpackArchive(new Uint8Array(fs.readFileSync(app)), "zip", { extractDir: "/app" });
py.globals.set("asked", fs.readFileSync(asked, "utf8"));
py.runPython(fs.readFileSync(script, "utf8"));
fs.writeFileSync(told, py.globals.get("told"));
