/** What is used of Pyodide's modules, which `make offline` fetches. */
export const loadPyodide: any;
declare const create: any;
export default create;
