// A complete engine for Chouine in another language: it makes the best declaration, else a random legal act.
// chouine duel "pipe:node examples/engine.mjs" random --pairs 100
import { createInterface } from "node:readline";

const lines = createInterface({ input: process.stdin });
const say = (line) => process.stdout.write(line + "\n");
const counts = (act) => (act === "7x" ? 1 : /\+ch.$/.test(act) ? 1000 : Number(/\+(\d+)/.exec(act)?.[1] ?? 0));

let legal = [];
lines.on("line", (line) => {
  const [command, ...words] = line.trim().split(/\s+/);
  if (command === "hello") {
    say("id name Example in JavaScript");
    say("id asks legal");
    say("rules classic three four mondoubleau mondoubleau-three mondoubleau-four");
    say("ready");
  } else if (command === "view") {
    legal = [];
    if (words.length < 5) say(`error engine/view ${line.trim()}`);
  } else if (command === "legal") {
    legal = words;
  } else if (command === "go" && legal.length && [undefined, "time", "nodes"].includes(words[0])) {
    const most = Math.max(...legal.map(counts));
    const best = legal.filter((act) => counts(act) === most);
    say(`best ${best[Math.floor(Math.random() * best.length)]}`);
  } else if (command === "quit") {
    process.exit(0);
  } else if (command !== "option") {
    say(`error engine/command ${line.trim()}`);
  }
});
