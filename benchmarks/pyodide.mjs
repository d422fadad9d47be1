// Run a script in Pyodide under Node: `pyodide.mjs RUNTIME APP.zip SCRIPT INPUT OUTPUT [KERNELS.mjs MODULE.wasm]`.
import fs from "node:fs";
import path from "node:path";

const [runtime, app, script, asked, told, kernels, module] = process.argv.slice(2);
const { loadPyodide } = await import(path.join(runtime, "pyodide.mjs"));
const py = await loadPyodide({ indexURL: `${runtime}/` });
py.unpackArchive(new Uint8Array(fs.readFileSync(app)), "zip", { extractDir: "/app" });
py.runPython("import sys; sys.path.insert(0, '/app')");
if (kernels) await (await import(kernels)).lend(py, await WebAssembly.compile(fs.readFileSync(module)));
py.globals.set("asked", fs.readFileSync(asked, "utf8"));
py.runPython(fs.readFileSync(script, "utf8"));
fs.writeFileSync(told, py.globals.get("told"));
