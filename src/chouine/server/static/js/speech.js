// @ts-check
/** Reads aloud by a voice of the device, in the page's language; silent where it has none. */

/** Most sentences that wait to be read: whoever plays faster than the voice speaks hears the latest. */
const MOST = 8;

const speech = "speechSynthesis" in window ? speechSynthesis : null;
let waiting = 0;

/** The voice for the page's language: never one that would send the sentences, and with them a hand, over the network. */
export function voice() {
  const own = speech?.getVoices().filter(({ lang, localService }) => localService && lang.slice(0, 2) === document.documentElement.lang);
  return own?.find((one) => one.default) ?? own?.[0];
}

/**
 * @param {string} sentence
 * @param {number} volume 0 to 1
 */
export function speak(sentence, volume) {
  const found = voice();
  if (!speech || !found || !sentence.trim()) return;
  if (waiting >= MOST) hush();
  const said = new SpeechSynthesisUtterance(sentence.trim());
  said.voice = found;
  said.lang = found.lang;
  said.volume = volume;
  said.onend = said.onerror = () => (waiting = Math.max(0, waiting - 1));
  waiting += 1;
  speech.speak(said);
}

/** Ends what is being read, and what waits to be. */
export function hush() {
  waiting = 0;
  speech?.cancel();
}

speech?.getVoices(); // some browsers look for voices when first asked
addEventListener("pagehide", hush);
