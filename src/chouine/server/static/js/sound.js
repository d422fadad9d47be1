// @ts-check
/**
 * Sounds of cards on a wooden table, synthesised from noise and wood modes; no files. Off by default.
 */

/** @typedef {{audio: BaseAudioContext, out: AudioNode}} Room */

/** Notes of wooden bars, in hertz. */
const [C4, D4, E4, G4, C5, E5, G5, C6] = [261.6, 293.7, 329.6, 392, 523.3, 659.3, 784, 1046.5];
/** Modes of a wooden bar: frequency ratio, amplitude, duration. */
const BAR = [[1, 1, 1], [3.93, 0.35, 0.45], [9.2, 0.12, 0.2]];
/** Modes of a table when knocked on. */
const TABLE = [[1, 1, 1], [1.83, 0.6, 0.7], [2.9, 0.45, 0.5], [5.1, 0.2, 0.3]];
/** Echoes of a small room: delay in seconds, and stereo position. */
const WALLS = [[0.011, -0.7], [0.017, 0.8], [0.029, -0.3]];

/** Every sound as a function that schedules it. @type {Record<string, (room: Room, at: number) => void>} */
export const SOUNDS = {
  card: (room, at) => card(room, at, 1),
  deal: (room, at) => each(10, 0.085, (nth) => card(room, at + nth, 0.55)),
  shuffle: (room, at) => each(22, 0.03, (nth) => card(room, at + nth, 0.42)),
  take: (room, at) => {
    brush(room, at, 0.2, [900, 2600], 0.5);
    card(room, at + 0.17, 0.6);
    card(room, at + 0.23, 0.4);
  },
  exchange: (room, at) => {
    brush(room, at, 0.35, [700, 2200], 0.4, -0.5);
    brush(room, at + 0.22, 0.35, [2200, 800], 0.4, 0.5);
    card(room, at + 0.62, 0.9);
  },
  call: (room, at) => each(2, 0.19, (nth) => struck(room, at + nth, 190, TABLE, 0.09, 0.9)),
  declare: (room, at) => {
    struck(room, at, 190, TABLE, 0.09, 0.9);
    tune(room, at + 0.1, [G4, C5], 0.13);
  },
  chouine: (room, at) => {
    [0, 0.16, 0.28, 0.37, 0.44].forEach((later) => struck(room, at + later, 190, TABLE, 0.09, 0.8));
    tune(room, at + 0.56, [C5, E5, G5, C6], 0.09);
    for (const note of [C5, E5, G5]) struck(room, at + 0.95, note, BAR, 0.7, 0.3);
  },
  won: (room, at) => tune(room, at, [G4, C5, E5, G5], 0.12),
  match: (room, at) => tune(room, at, [G4, C5, E5, G5, E5, G5, C6], 0.13),
  lost: (room, at) => tune(room, at, [E4, D4, C4], 0.2),
  nulle: (room, at) => tune(room, at, [E4, E4], 0.22),
  turn: (room, at) => tune(room, at, [E5, C5], 0.14),
  tick: (room, at) => struck(room, at, 520, TABLE, 0.05, 0.8),
  line: (room, at) => struck(room, at, 240, TABLE, 0.06, 0.7),
  ring: (room, at) => [C5, G5].forEach((note, nth) => struck(room, at + 0.07 * nth, note, BAR, 0.5, 0.4)),
  der: (room, at) => {
    struck(room, at, 190, TABLE, 0.09, 0.9);
    struck(room, at + 0.08, G4, BAR, 0.5, 0.5);
  },
  breath: (room, at) => each(9, 0.055, (nth) => struck(room, at + nth, 120, TABLE, 0.05, 0.25 + 0.9 * nth)),
  say: (room, at) => struck(room, at, C6, BAR, 0.12, 0.56),
};

/**
 * The mix: what happens at every card is soft, so that the climax is the loudest. Gains; 1 where none is given. Measured in
 * LUFS, momentary: a card -30, a declaration -19, a chouine -14, each below -3 dB at its peak.
 * @type {Record<string, number>}
 */
const MIX = { card: 0.65, take: 0.75, deal: 0.55, shuffle: 0.5, exchange: 0.75, tick: 0.6, breath: 0.8, won: 1.2, match: 1.35, chouine: 1.35 };

/** Safari's is `interrupted` after a call, and stays so until resumed. @type {AudioContext | null} */
let context = null;

/** Milliseconds of the longest sound. */
const LONGEST = 4_000;

/** Out of sight it stops, since it would play silence for ever. */
function rest() {
  if (document.hidden) context?.suspend().catch(() => {});
}
document.addEventListener("visibilitychange", rest);

/**
 * @param {string} name
 * @param {number} volume 0 to 1
 * @param {number} [wait] seconds
 */
export function play(name, volume, wait = 0) {
  context ??= new AudioContext();
  if (context.state !== "running") context.resume().catch(() => {});
  sound(context, name, context.currentTime + 0.01 + wait, volume);
  if (document.hidden) setTimeout(rest, LONGEST + 1000 * wait);
}

/**
 * Schedules a sound.
 * @param {BaseAudioContext} audio
 * @param {string} name
 * @param {number} at seconds
 * @param {number} volume 0 to 1
 */
export function sound(audio, name, at, volume) {
  const out = new GainNode(audio, { gain: volume * volume * (MIX[name] ?? 1) });
  out.connect(audio.destination);
  for (const [later, pan] of WALLS) {
    const dull = new BiquadFilterNode(audio, { type: "lowpass", frequency: 2200 });
    const side = new StereoPannerNode(audio, { pan });
    out.connect(new DelayNode(audio, { delayTime: later })).connect(new GainNode(audio, { gain: 0.16 })).connect(dull);
    dull.connect(side).connect(audio.destination);
  }
  SOUNDS[name]?.({ audio, out }, at);
}

/** @param {number} many @param {number} apart seconds @param {(later: number) => void} heard called at each of several slightly irregular times */
function each(many, apart, heard) {
  for (let nth = 0; nth < many; nth += 1) heard(apart * (nth + 0.3 * Math.random()));
}

/** @param {Room} room @param {number} at @param {number[]} notes @param {number} apart seconds */
function tune(room, at, notes, apart) {
  notes.forEach((note, nth) => {
    struck(room, at + nth * apart, note, BAR, 0.55, 0.5 + (0.14 * nth) / notes.length);
    noise(room, at + nth * apart, 0.014, [1800, 900], 0.14); // the mallet
  });
}

/**
 * A card laid: its edge, the slap of its face with the air beneath, and the table; varied at random.
 * @param {Room} room
 * @param {number} at
 * @param {number} loud
 */
function card(room, at, loud) {
  const [bright, down] = [0.85 + 0.3 * Math.random(), at + 0.007 + 0.006 * Math.random()];
  noise(room, at, 0.01, [5200 * bright, 3800], 0.3 * loud);
  noise(room, down, 0.055, [2600 * bright, 1100], 1.1 * loud, 0.0012);
  noise(room, down, 0.07, [420, 180], 0.7 * loud, 0.003);
  struck(room, down, 128 + 20 * Math.random(), TABLE, 0.11, 0.5 * loud);
}

/**
 * Cards that slide.
 * @param {Room} room
 * @param {number} at
 * @param {number} seconds
 * @param {[number, number]} band frequency in hertz at the start and at the end
 * @param {number} loud
 * @param {number} [pan]
 */
function brush(room, at, seconds, band, loud, pan = 0) {
  const side = new StereoPannerNode(room.audio, { pan });
  side.connect(room.out);
  noise({ audio: room.audio, out: side }, at, seconds, band, loud, 0.4 * seconds);
}

/**
 * Noise in a moving frequency band.
 * @param {Room} room
 * @param {number} at
 * @param {number} seconds
 * @param {[number, number]} band frequency in hertz at the start and at the end
 * @param {number} loud
 * @param {number} [rises] attack time in seconds
 */
function noise({ audio, out }, at, seconds, [first, last], loud, rises = 0.002) {
  const buffer = audio.createBuffer(1, Math.ceil(audio.sampleRate * seconds), audio.sampleRate);
  const wave = buffer.getChannelData(0);
  for (let place = 0; place < wave.length; place += 1) wave[place] = Math.random() * 2 - 1;
  const source = new AudioBufferSourceNode(audio, { buffer });
  const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency: first, Q: 0.8 });
  filter.frequency.setValueAtTime(first, at);
  filter.frequency.exponentialRampToValueAtTime(last, at + seconds);
  source.connect(filter).connect(envelope(audio, out, at, seconds, loud, rises));
  source.start(at);
}

/**
 * A struck piece of wood.
 * @param {Room} room
 * @param {number} at
 * @param {number} hertz its lowest mode
 * @param {number[][]} modes
 * @param {number} seconds decay time in seconds
 * @param {number} loud
 */
function struck({ audio, out }, at, hertz, modes, seconds, loud) {
  for (const [above, share, part] of modes) {
    const tone = new OscillatorNode(audio, { frequency: hertz * above });
    tone.connect(envelope(audio, out, at, seconds * part, 0.45 * loud * share, 0.002));
    tone.start(at);
    tone.stop(at + seconds * part);
  }
}

/**
 * @param {BaseAudioContext} audio
 * @param {AudioNode} out
 * @param {number} at
 * @param {number} seconds
 * @param {number} loud
 * @param {number} rises attack time in seconds
 */
function envelope(audio, out, at, seconds, loud, rises) {
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(loud, at + rises);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + seconds);
  gain.connect(out);
  return gain;
}
