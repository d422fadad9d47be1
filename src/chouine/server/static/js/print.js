// @ts-check
// A sheet's own button: who does not know the browser's menu finds it.
const button = document.getElementById("print");
if (button) {
  button.hidden = false;
  button.focus();
  button.onclick = () => print();
}

export {};
