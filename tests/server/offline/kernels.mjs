// Answers questions as a browser would: reads them from a file, writes the values to another.
import fs from "node:fs";
import { gunzipSync } from "node:zlib";

const [script, module, words, asked, told, ...nets] = process.argv.slice(2);
const { Kernels } = await import(script);
const kernels = await Kernels.of(new WebAssembly.Module(gunzipSync(fs.readFileSync(module))), Number(words));
for (const net of nets) {
  const [preset, inputs, hidden, file] = net.split(" ");
  const bytes = fs.readFileSync(file);
  kernels.teach(preset, Number(inputs), Number(hidden), new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4));
}
const out = fs.openSync(told, "w");
for (const line of fs.readFileSync(asked, "utf8").split("\n").filter(Boolean)) {
  const [task, preset, numbers] = line.split(" ");
  const found = kernels.compute(task, preset, new BigInt64Array(numbers.split(",").map(BigInt)));
  fs.writeSync(out, `${Array.from(found).join(",")}\n`);
}
