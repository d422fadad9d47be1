// What the pages' style sheets and scripts use that the oldest supported browsers lack: `node tools/floor.mjs`.
// The floor is `browserslist` in package.json, the data MDN's. Passed over: what is inside `@supports`, a value that
// another of the same property precedes, a property that is there with a prefix too, what is called with `?.()`, and
// what the same script asks for with `if`. Anything else is named in floor.json, with what happens without it; a name
// there that is no longer used is a fault, too.
import { readFileSync, readdirSync } from "node:fs";
import { parse } from "acorn";
import * as csstree from "css-tree";

const STATIC = "src/chouine/server/static";
const SHEETS = [...under(STATIC, ".css"), "docs/site/chouine.css"];
const SCRIPTS = under(STATIC, ".js");
/** Read by browsers without modules. */
const OLDEST = `${STATIC}/js/old.js`;
/** The newest JavaScript that all browsers above the floor parse. */
const SYNTAX = 2021;
const NAMES = {
  ios_saf: "safari_ios",
  safari: "safari",
  chrome: "chrome",
  edge: "edge",
  firefox: "firefox",
  samsung: "samsunginternet_android",
};
const DATA = read("node_modules/@mdn/browser-compat-data/data.json");
const ALLOWED = read("tools/floor.json");
const FLOOR = read("package.json").browserslist.map((line) => {
  const [name, , version] = line.split(" ");
  return [NAMES[name], version];
});
/** Each feature used that the floor lacks, with the browsers that lack it and the places. @type {Map<string, [string, string[]]>} */
const found = new Map();

function read(path) {
  return JSON.parse(readFileSync(path, "utf-8"));
}

function under(folder, end) {
  const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(end));
  return names.sort().map((name) => `${folder}/${name}`);
}

/** Whether version `a` is at most `b`. */
function reached(a, b) {
  const [x, y] = [a, b].map((version) => version.replace("≤", "").split(".").map(Number));
  return (x[0] - y[0] || (x[1] ?? 0) - (y[1] ?? 0)) <= 0;
}

/** The browsers of the floor that lack a feature. */
function lacking(feature) {
  return FLOOR.filter(([browser, floor]) => {
    const support = [feature.support[browser] ?? []].flat();
    return !support.some(
      ({ version_added, version_removed, flags, prefix, alternative_name }) =>
        !flags && !prefix && !alternative_name && !version_removed && version_added && reached(version_added, floor),
    );
  }).map(([browser]) => browser);
}

/** Notes a feature if the floor lacks it. */
function note(name, data, place) {
  const missing = data?.__compat ? lacking(data.__compat) : [];
  if (!missing.length) return;
  if (!found.has(name)) found.set(name, [missing.join(", "), []]);
  found.get(name)[1].push(place);
}

/** Notes what a declaration's value uses. */
function value(property, data, node, place) {
  csstree.walk(node, (part) => {
    const { types } = DATA.css;
    if (part.type === "Identifier") note(`${property}: ${part.name}`, data?.[part.name.replaceAll("-", "_")] ?? data?.[part.name], place);
    if (part.type === "Function")
      for (const group of [types, types.color, types.image, types.gradient, types["transform-function"], types["filter-function"], types["basic-shape"], data])
        note(`${part.name}()`, group?.[part.name], place);
    if (part.type !== "Dimension") return;
    note(`unit ${part.unit}`, types.length[part.unit], place);
    if (/^[dsl]v/.test(part.unit)) note(`unit ${part.unit}`, types.length.viewport_percentage_units_dynamic, place);
    if (/^cq/.test(part.unit)) note(`unit ${part.unit}`, types.length.container_query_length_units, place);
  });
}

/** Notes the features of a style sheet. */
function sheet(path) {
  const guards = [];
  csstree.walk(csstree.parse(readFileSync(path, "utf-8"), { positions: true }), {
    enter(node) {
      const place = `${path}:${node.loc?.start.line}`;
      if (node.type === "Atrule" && node.name === "supports") guards.push(node);
      if (guards.length) return;
      if (node.type === "Atrule") atRule(node, place);
      if (node.type === "NestingSelector") note("nesting", DATA.css.selectors.nesting, place);
      if (/^Pseudo/.test(node.type)) {
        const data = DATA.css.selectors[node.name];
        note(`:${node.name}`, data, place);
        if (node.children?.first?.selector) note(`:${node.name} of`, data.of_syntax, place);
      }
      if (node.type === "Block") block(node, this.atrule?.name === "font-face", place);
    },
    leave: (node) => void (guards.at(-1) === node && guards.pop()),
  });
}

/** Notes an at-rule and what its media query asks for. */
function atRule(node, place) {
  note(`@${node.name}`, DATA.css["at-rules"][node.name], place);
  if (node.name !== "media") return;
  const { media } = DATA.css["at-rules"];
  csstree.walk(node.prelude, (part) => {
    if (part.type === "Feature") note(`@media ${part.name}`, media[part.name.replace(/^m(in|ax)-/, "")], place);
    if (part.type === "FeatureRange") note("@media range", media.range_syntax, place);
  });
}

/** Notes the declarations of a block. */
function block(node, font, place) {
  const before = new Set();
  const prefixed = new Set([...node.children].map((one) => one.property?.replace(/^-(webkit|moz)-/, "=")));
  for (const one of node.children) {
    if (one.type !== "Declaration" || one.property.startsWith("-") || prefixed.has(`=${one.property}`)) continue;
    const data = font ? DATA.css["at-rules"]["font-face"][one.property] : DATA.css.properties[one.property];
    const line = place.replace(/\d+$/, one.loc.start.line);
    note(`${font ? "@font-face " : ""}${one.property}`, data, line);
    if (!before.has(one.property)) value(one.property, data, one.value, line);
    before.add(one.property);
  }
}

/** Every place where a name is a member, in the browser's interfaces and the language's. */
const MEMBERS = new Map();
for (const [owner, members] of [...Object.entries(DATA.api), ...Object.entries(DATA.javascript.builtins)])
  for (const [member, data] of Object.entries(members)) {
    const name = member.replace(/_static$/, "");
    if (data.__compat && name !== owner) MEMBERS.set(name, [...(MEMBERS.get(name) ?? []), data]);
  }

/** Notes the features of a script, by the names it uses: what an interface lacks another may have, and is passed over. */
function script(path) {
  const text = readFileSync(path, "utf-8");
  const module = /^(import|export) /m.test(text);
  const tree = parse(text, { ecmaVersion: path === OLDEST ? 5 : SYNTAX, sourceType: module ? "module" : "script", locations: true });
  const asked = new Set();
  visit(tree, null, (node, parent) => {
    if (node.type === "MemberExpression" && /^(If|Cond)/.test(parent.type) && parent.test === node) asked.add(node.property.name);
    if (node.type === "BinaryExpression" && node.operator === "in") asked.add(node.left.value);
  });
  visit(tree, null, (node, parent) => {
    const place = `${path}:${node.loc.start.line}`;
    if (node.type === "MemberExpression" && !node.computed && !asked.has(node.property.name)) member(node, parent, place);
    if (node.type === "NewExpression" || (node.type === "CallExpression" && !node.optional)) {
      const data = DATA.api[node.callee.name] ?? DATA.javascript.builtins[node.callee.name];
      note(node.callee.name, data?.[node.callee.name] ?? data, place);
      if (node.callee.name === "Worker" && /type: "module"/.test(text.slice(node.start, node.end)))
        note("module workers", DATA.api.Worker.Worker.ecmascript_modules, place);
    }
  });
}

/** Notes a member that the floor lacks, of a global object or wherever it is known. */
function member(node, parent, place) {
  const { object, property } = node;
  if (parent?.type === "CallExpression" && parent.optional && parent.callee === node) return;
  const owner = object.type === "Identifier" && /^[A-Z]/.test(object.name) ? DATA.api[object.name] ?? DATA.javascript.builtins[object.name] : null;
  if (owner) {
    note(object.name, owner, place);
    return note(`${object.name}.${property.name}`, owner[`${property.name}_static`] ?? owner[property.name], place);
  }
  const known = MEMBERS.get(property.name) ?? [];
  if (known.length && known.every((data) => lacking(data.__compat).length)) note(`.${property.name}`, known[0], place);
}

/** Calls `look` for each node of a syntax tree, with its parent. */
function visit(node, parent, look) {
  if (typeof node?.type === "string") look(node, parent);
  for (const [key, child] of Object.entries(node ?? {}))
    if (key !== "loc" && child && typeof child === "object") visit(child, typeof node.type === "string" ? node : parent, look);
}

SHEETS.forEach(sheet);
SCRIPTS.forEach(script);
const faults = [...found].filter(([name]) => !(name in ALLOWED)).map(([name, [missing, places]]) => `${name} is not in ${missing}: ${places.join(" ")}`);
faults.push(...Object.keys(ALLOWED).filter((name) => !found.has(name)).map((name) => `${name} is in tools/floor.json and not used`));
if (faults.length) console.error(faults.sort().join("\n"));
process.exitCode = faults.length ? 1 : 0;
