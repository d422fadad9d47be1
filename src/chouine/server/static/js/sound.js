// @ts-check
/** Small sounds made on the spot; nothing is loaded. Off unless the player has asked for them. */

/** @type {AudioContext | null} */
let context = null;

/** @type {Record<string, [hertz: number, seconds: number, wave: OscillatorType][]>} */
const TUNES = {
  declare: [[523, 0.12, "triangle"], [659, 0.18, "triangle"]],
  call: [[392, 0.16, "triangle"], [392, 0.22, "triangle"]],
  say: [[880, 0.08, "sine"]],
  end: [[392, 0.14, "triangle"], [494, 0.14, "triangle"], [587, 0.3, "triangle"]],
};
/** Cards are a brush of noise: how many, and how long each. */
const BRUSHES = /** @type {Record<string, [number, number]>} */ ({ card: [1, 0.06], take: [2, 0.09], deal: [5, 0.07] });

/** @param {string} name */
export function play(name) {
  context ??= new AudioContext();
  if (context.state === "suspended") context.resume().catch(() => {});
  let at = context.currentTime + 0.01;
  for (const [hertz, seconds, wave] of TUNES[name] ?? []) {
    const tone = new OscillatorNode(context, { type: wave, frequency: hertz });
    tone.connect(fading(context, at, seconds, 0.12));
    tone.start(at);
    tone.stop(at + seconds);
    at += seconds * 0.9;
  }
  const [many, seconds] = BRUSHES[name] ?? [0, 0];
  for (let nth = 0; nth < many; nth += 1) brush(context, at + nth * seconds * 1.4, seconds);
}

/** @param {AudioContext} audio @param {number} at @param {number} seconds */
function brush(audio, at, seconds) {
  const buffer = audio.createBuffer(1, audio.sampleRate * seconds, audio.sampleRate);
  const wave = buffer.getChannelData(0);
  for (let place = 0; place < wave.length; place += 1) wave[place] = Math.random() * 2 - 1;
  const noise = new AudioBufferSourceNode(audio, { buffer });
  const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency: 2400, Q: 0.8 });
  noise.connect(filter).connect(fading(audio, at, seconds, 0.25));
  noise.start(at);
}

/** @param {AudioContext} audio @param {number} at @param {number} seconds @param {number} loudness */
function fading(audio, at, seconds, loudness) {
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(loudness, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + seconds);
  gain.connect(audio.destination);
  return gain;
}
