// @ts-check
// A print button, for users who do not know the browser's menu.
const button = document.getElementById("print");
if (button) {
  button.hidden = false;
  button.focus();
  button.onclick = () => print();
}

export {};
