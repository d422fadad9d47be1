// @ts-check
/** The strongest player's backend (`ai/search.py`): kernels compiled from Python to WebAssembly, and their memory. */

const TASKS = ["choose", "try", "end"];
const PAGE = 65_536;
const OUTPUTS = 65;
/** Length of each array, as in `ai/search_kernels.py` and `tools/wasm.py`. */
const ACTS = 100;
const DOUBLES = {
  numbers: 16, ways: 33 * 64, values: 2 * ACTS + 1, bonus: ACTS, results: ACTS * 1024, weights: 1024 * 12, likelihoods: 6,
  evidence: 24, actLikelihoods: 27 * 1024 * 3,
}; // prettier-ignore
const WHOLES = {
  marks: 160, cards: 32, excluded: 32, strides: 5, hands: 4, talons: 32, seated: 4, nodes: 1, alive: ACTS, held: 4096,
  actHands: 27 * 1024,
}; // prettier-ignore

/** @typedef {{inputs: number, hidden: number, weights: number[]}} Net */

/** A module's memory and the addresses of its arrays. */
export class Kernels {
  /** @param {WebAssembly.Instance} instance @param {number} words length of the input */
  constructor(instance, words) {
    const { compute, memory, __heap_base: base } = /** @type {any} */ (instance.exports);
    this.run = compute;
    this.memory = /** @type {WebAssembly.Memory} */ (memory);
    this.top = Number(base.value);
    this.count = words;
    this.words = this.room(8 * words);
    this.doubles = Object.values(DOUBLES).map((many) => this.room(8 * many));
    this.wholes = Object.values(WHOLES).map((many) => this.room(8 * many));
    this.work = [256, 256, OUTPUTS].map((many) => this.room(4 * many));
    /** @type {Map<string, Net>} */
    this.nets = new Map();
  }

  /** @param {WebAssembly.Module} module @param {number} words */
  static async of(module, words) {
    /** @type {Record<string, Record<string, () => never>>} */
    const missing = {};
    for (const { module: place, name } of WebAssembly.Module.imports(module))
      (missing[place] ??= {})[name] = () => {
        throw new Error(`${name} is not there`);
      };
    return new Kernels(await WebAssembly.instantiate(module, missing), words);
  }

  /** Allocates bytes; returns the address. @param {number} bytes */
  room(bytes) {
    const at = (this.top + 63) & ~63;
    this.top = at + bytes;
    const lacking = Math.ceil((this.top - this.memory.buffer.byteLength) / PAGE);
    if (lacking > 0) this.memory.grow(lacking);
    return at;
  }

  /** Stores a preset's network (its arrays in order, concatenated) and the heuristic's weights. @param {string} preset @param {number} inputs @param {number} hidden @param {Float32Array} parts @param {Float64Array} table */
  teach(preset, inputs, hidden, parts, table) {
    const sizes = [inputs * hidden, hidden, hidden * hidden, hidden, hidden * OUTPUTS, OUTPUTS];
    let from = 0;
    const weights = sizes.map((size) => {
      const at = this.room(4 * size);
      new Float32Array(this.memory.buffer, at, size).set(parts.subarray(from, (from += size)));
      return at;
    });
    const at = this.room(8 * table.length);
    new Float64Array(this.memory.buffer, at, table.length).set(table);
    weights.push(at);
    this.nets.set(preset, { inputs, hidden, weights });
  }

  /** @param {string} task @param {string} preset @param {BigInt64Array} words @returns {Float64Array} */
  compute(task, preset, words) {
    const net = this.nets.get(preset);
    if (!net) throw new Error(`no network for ${preset}`);
    new BigInt64Array(this.memory.buffer, this.words, this.count).set(words);
    const values = new Float64Array(this.memory.buffer, this.doubles[2], DOUBLES.values).fill(0);
    this.run(
      BigInt(TASKS.indexOf(task)), BigInt(net.inputs), BigInt(net.hidden), this.words, ...net.weights, ...this.work,
      ...this.doubles, ...this.wholes,
    ); // prettier-ignore
    return values.slice();
  }
}

/** Makes Python's levels 7 and 8 use a module (`server/offline/kernels.py`). @param {any} py @param {WebAssembly.Module} module */
export async function lend(py, module) {
  const kernels = await Kernels.of(module, py.runPython("from chouine.ai.search import WORDS; WORDS"));
  py.runPython("from chouine.server.offline.kernels import lend; lend")({
    /** @param {string} preset @param {number} inputs @param {number} hidden @param {any} parts @param {any} table */
    teach(preset, inputs, hidden, parts, table) {
      const [net, thumbs] = [parts.getBuffer("f32"), table.getBuffer("f64")];
      kernels.teach(preset, inputs, hidden, net.data, thumbs.data);
      net.release();
      thumbs.release();
    },
    /** @param {string} task @param {string} preset @param {any} words */
    compute(task, preset, words) {
      const buffer = words.getBuffer("i64");
      const values = kernels.compute(task, preset, buffer.data);
      buffer.release();
      return values;
    },
  });
}
