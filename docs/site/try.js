// The page "try it now": a program in a text field, run by a worker that has Python.
const place = document.querySelector("#try");
const [field, chooser, run, told, pictures] = ["textarea", "select", "button", "pre", "div"].map((name) =>
  place.querySelector(name));
const words = place.dataset;
/** @type {Worker | null} */
let worker = null;

function choose() {
  field.value = JSON.parse(words.programs)[chooser.selectedIndex][1];
}

function rest() {
  run.textContent = words.run;
  place.removeAttribute("aria-busy");
}

/** Ends a program that runs: Python is loaded anew for the next. */
function stop() {
  worker?.terminate();
  worker = null;
  told.textContent = "";
  rest();
}

function start() {
  if (!worker) {
    worker = new Worker(new URL("try-worker.js", import.meta.url), { type: "module" });
    worker.onerror = () => { stop(); told.textContent = words.missing; };
    worker.onmessage = ({ data }) => {
      if (data.state) { told.textContent = words[data.state]; return; }
      told.textContent = data.missing ? words.missing : data.text;
      // As images: a drawing's scripts, should a program put some into it, do not run.
      pictures.replaceChildren(...data.pictures.map((/** @type {string} */ svg) => {
        const image = new Image();
        image.src = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
        image.alt = chooser.selectedOptions[0].textContent;
        return image;
      }));
      if (data.missing) worker = null;
      rest();
    };
  }
  run.textContent = words.stop;
  place.setAttribute("aria-busy", "true");
  pictures.replaceChildren();
  worker.postMessage(field.value);
}

chooser.onchange = choose;
run.onclick = () => (place.hasAttribute("aria-busy") ? stop() : start());
field.onkeydown = (/** @type {KeyboardEvent} */ event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  if (!place.hasAttribute("aria-busy")) start();
};
choose();
rest();
