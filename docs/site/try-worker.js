// Python, and the programs of the page "try it now".
const HERE = new URL("../../python/", import.meta.url).href;
const RUN = `
import ast, contextlib, io, traceback
def run(program):
    told, pictures, names = io.StringIO(), [], {"__name__": "__main__"}
    with contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
        try:
            tree = ast.parse(program, "program")
            last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, "program", "exec"), names)
            value = eval(compile(ast.Expression(last.value), "program", "eval"), names) if last else None
            if hasattr(value, "_repr_svg_"):
                pictures.append(value._repr_svg_())
            elif value is not None:
                print(repr(value))
        except BaseException as error:
            frames = error.__traceback__ and error.__traceback__.tb_next
            traceback.print_exception(type(error), error, frames)
    return told.getvalue(), pictures
`;

/** The largest file is stored compressed, and read as if it were not. */
const plain = self.fetch;
self.fetch = async (request, options) => {
  const address = String(request instanceof Request ? request.url : request);
  if (!address.endsWith("pyodide.asm.wasm")) return plain(request, options);
  const packed = await plain(`${address}.packed`);
  if (!packed.ok) return packed;
  const body = packed.body.pipeThrough(new DecompressionStream("gzip"));
  return new Response(body, { headers: { "Content-Type": "application/wasm" } });
};

async function load() {
  const { loadPyodide } = await import(`${HERE}pyodide.mjs`);
  const [python, core] = await Promise.all([loadPyodide({ indexURL: HERE }), plain(`${HERE}core.zip`)]);
  python.unpackArchive(await core.arrayBuffer(), "zip", { extractDir: "/home/pyodide" });
  python.runPython(RUN);
  return python;
}

/** @type {Promise<any> | undefined} */
let loaded;
self.onmessage = async ({ data }) => {
  self.postMessage({ state: "getting" });
  loaded ??= load();
  let python;
  try {
    python = await loaded;
  } catch {
    self.postMessage({ missing: true, pictures: [] });
    return;
  }
  self.postMessage({ state: "running" });
  const [text, pictures] = python.globals.get("run")(data).toJs();
  self.postMessage({ text, pictures });
};
