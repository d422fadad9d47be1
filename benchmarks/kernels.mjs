// Answer questions with the browser's kernels: read them from a file, write the values to another.
import fs from "node:fs";
import { gunzipSync } from "node:zlib";

const TASKS = ["choose", "try", "end"];
const [script, module, words, asked, told, ...nets] = process.argv.slice(2);
const { Kernels } = await import(script);
const count = Number(words);
const kernels = await Kernels.of(new WebAssembly.Module(gunzipSync(fs.readFileSync(module))), count);
const presets = [];
for (const net of nets) {
  const [preset, inputs, hidden, thumbs, file] = net.split(" ");
  const bytes = new Uint8Array(fs.readFileSync(file)).buffer;
  const end = bytes.byteLength - 8 * Number(thumbs);
  kernels.teach(preset, Number(inputs), Number(hidden), new Float32Array(bytes.slice(0, end)), new Float64Array(bytes.slice(end)));
  presets.push(preset);
}
const read = fs.readFileSync(asked);
const numbers = new BigInt64Array(read.buffer.slice(read.byteOffset, read.byteOffset + read.length));
const out = fs.openSync(told, "w");
for (let at = 0; at < numbers.length; at += count + 2) {
  const [task, preset] = numbers.subarray(at, at + 2);
  const found = kernels.compute(TASKS[task], presets[preset], numbers.subarray(at + 2, at + 2 + count));
  fs.writeSync(out, new Uint8Array(found.buffer));
}
