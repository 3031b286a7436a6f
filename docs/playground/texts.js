// Candidates and references as files: dropped, chosen or pasted. Two tabs share them.

import { menus } from "./asking.js";
import { element, part, root, tell } from "./page.js";
import { chosenTab, chooseTab } from "./tabs.js";

const KINDS = {
  candidates: { label: "Candidate lines", hint: "by a system", pasted: "pasted candidates" },
  second: { label: "Second system", hint: "the same lines by another system",
    pasted: "pasted second system" },
  references: { label: "Reference lines", hint: "the same lines by people",
    pasted: "pasted references" },
  origin: { label: "Source lines", hint: "what was translated", pasted: "pasted source" },
};
const FOLDED = { second: "more", origin: "from" }; // what is opened by hand, and the part that it is in
const entries = { candidates: [], second: [], references: [], origin: [] };
const listeners = []; // called when any text has changed
const said = new Map(); // field, or "" beside the fields -> what became of the files put there
let made = 0;

export function whenTexts(listener) {
  listeners.push(listener);
}

function tellAll() {
  for (const listener of listeners) listener();
}

// -- One text: pasted lines, or a file ----------------------------------------------------------------

function show(entry) {
  const { box, area, held } = entry;
  const [name, size] = box.querySelectorAll(".pg-held span");
  area.hidden = held !== null;
  box.querySelector(".pg-held").hidden = held === null;
  name.textContent = held?.name ?? "";
  size.textContent = held ? sizeOf(held.bytes.byteLength) : "";
  box.querySelector('[data-do="choose"]').firstChild.data =
    held ? "Choose another file" : "Choose a file";
  box.querySelector('[data-do="remove"]').hidden =
    held === null && !(entry.kind === "references" && entries.references.length > 1);
}

function sizeOf(bytes) {
  return bytes < 1000 ? `${bytes} bytes` : bytes < 1e6 ? `${(bytes / 1000).toFixed(0)} kB`
    : `${(bytes / 1e6).toFixed(1)} MB`;
}

function number() {
  const several = entries.references.length > 1;
  entries.references.forEach((entry, index) => {
    entry.label.textContent = several ? `Reference lines ${index + 1}` : "Reference lines";
    const what = entry.label.textContent;
    entry.choose.lastChild.textContent = ` (${what})`;
    entry.remove.lastChild.textContent = ` (${what})`;
    show(entry);
  });
}

function add(kind) {
  const box = root.querySelector('[data-template="text"]').content.firstElementChild
    .cloneNode(true);
  const entry = { kind, box, held: null, name: null, area: box.querySelector("textarea"),
    label: box.querySelector("label"), choose: box.querySelector('[data-do="choose"]'),
    remove: box.querySelector('[data-do="remove"]'), input: box.querySelector("input") };
  made += 1;
  entry.area.id = `pg-text-${made}`;
  entry.label.htmlFor = entry.area.id;
  entry.label.textContent = KINDS[kind].label;
  box.querySelector(".pg-hint").textContent = KINDS[kind].hint;
  for (const button of [entry.choose, entry.remove]) {
    button.append(element("span", { class: "pg-aloud" }, ` (${KINDS[kind].label})`));
  }
  entry.input.multiple = kind === "references";
  entry.area.addEventListener("input", () => {
    entry.name = null;
    tellAll();
  });
  entry.choose.addEventListener("click", () => entry.input.click());
  entry.input.addEventListener("change", () => {
    take([...entry.input.files], placesAt(entry), entry);
    entry.input.value = "";
  });
  entry.remove.addEventListener("click", () => remove(entry));
  entries[kind].push(entry);
  part(kind).append(box);
  if (kind === "references") number();
  show(entry);
  return entry;
}

function remove(entry) {
  const others = entries[entry.kind];
  if (entry.held === null || (entry.kind === "references" && others.length > 1)) {
    others.splice(others.indexOf(entry), 1);
    entry.box.remove();
    number();
    others.at(-1).choose.focus();
  } else {
    entry.held = null;
    show(entry);
    entry.area.focus();
  }
  tellAll();
}

function isEmpty(entry) {
  return entry.held === null && !entry.area.value;
}

// -- Files --------------------------------------------------------------------------------------------

async function hold(entry, file) {
  entry.held = { name: file.name, bytes: await file.arrayBuffer() };
  entry.area.value = "";
  show(entry);
}

// Files, each for the place that `placeFor` has after so many; what became of them is said.
async function take(files, placeFor, where, beside = false) {
  const most = menus?.most.bytes ?? Infinity;
  const taken = [];
  const left = [];
  const notes = [];
  for (const file of files) {
    const entry = file.size > most ? null : placeFor(taken.length);
    if (file.size > most) {
      notes.push(`${file.name} has ${sizeOf(file.size)}, more than the ${sizeOf(most)} that this `
        + "page takes: the command bleu-nb score takes any number.");
    } else if (entry === null) {
      left.push(file.name);
    } else {
      try {
        await hold(entry, file);
        taken.push({ entry, name: file.name });
      } catch (error) {
        notes.push(`${file.name} could not be read (${error.message}).`);
      }
    }
  }
  if (left.length) {
    const [{ entry, name }] = taken;
    notes.push(`${KINDS[entry.kind].label} is one file: ${name} was taken, and not ${left.join(", ")}.`);
  }
  if (beside && taken.length) {
    const each = taken.map(({ entry, name }) => `as “${entry.label.textContent}”: ${name}`);
    notes.unshift(`Dropped beside the fields, and taken ${each.join(", ")}.`);
  }
  said.set(where, notes.join(" "));
  tell(part("dropped"), [...said.values()].filter(Boolean).join(" "));
  tellAll();
}

// Several references stand beside one another; of anything else there is one.
const emptyReference = () => entries.references.find(isEmpty) ?? add("references");
const placesAt = (entry) => (taken) => taken === 0 ? entry
  : entry.kind === "references" ? emptyReference() : null;

// Beside the fields, what is empty waits for files: the candidate first.
const emptyPlace = () => isEmpty(entries.candidates[0]) ? entries.candidates[0] : emptyReference();

// A candidate comes before files that are references by their names.
const candidateFirst = (files) => [...files].sort(
  (one, other) => /ref/i.test(one.name) - /ref/i.test(other.name));

function entryAt(target) {
  const folded = Object.keys(FOLDED).find((kind) => part(FOLDED[kind]).contains(target));
  return Object.values(entries).flat().find((entry) => entry.box.contains(target))
    ?? entries[folded]?.[0] ?? null;
}

const holdsFiles = (event) => event.dataTransfer?.types.includes("Files");

function mark(target) {
  for (const entry of Object.values(entries).flat()) {
    entry.box.classList.toggle("pg-over", target !== null && entry.box.contains(target));
  }
}

// A file that misses its place must not take the place of the page.
function takeDrops() {
  addEventListener("dragover", (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    mark(event.target);
  });
  addEventListener("dragleave", (event) => { if (!event.relatedTarget) mark(null); });
  addEventListener("drop", (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    mark(null);
    const files = [...event.dataTransfer.files];
    if (!files.length) return;
    if (chosenTab() === "sentence") chooseTab("files");
    const entry = entryAt(event.target);
    if (entry?.kind in FOLDED) part(FOLDED[entry.kind]).open = true;
    const beside = !entry?.box.contains(event.target);
    if (entry) take(files, placesAt(entry), entry, beside);
    else take(candidateFirst(files), emptyPlace, "", beside);
  });
}

// -- What others put in, and what is asked --------------------------------------------------------------

function put(entry, text, name = null) {
  entry.held = null;
  entry.area.value = text;
  entry.name = name;
  show(entry);
}

function empty() {
  while (entries.references.length > 1) entries.references.pop().box.remove();
  for (const [entry] of Object.values(entries)) put(entry, "");
  number();
  said.clear();
  tell(part("dropped"), "");
}

// Lines that were pasted as one sentence.
export function takeOver(candidates, references) {
  empty();
  put(entries.candidates[0], candidates);
  put(entries.references[0], references);
  tellAll();
}

export function takeExample(example) {
  empty();
  put(entries.candidates[0], example.candidate.text, example.candidate.name);
  put(entries.second[0], example.second.text, example.second.name);
  example.references.forEach((each, index) =>
    put(entries.references[index] ?? add("references"), each.text, each.name));
  part("more").open = true;
  number();
  tellAll();
}

function asAsked(entry, index) {
  if (entry.held) return { name: entry.held.name, blob: entry.held.bytes };
  const several = entries[entry.kind].length > 1 ? ` ${index + 1}` : "";
  return { name: entry.name ?? KINDS[entry.kind].pasted + several, text: entry.area.value };
}

// The texts as the package takes them; null where something is still missing.
export function texts() {
  const given = (kind) => entries[kind].filter((each) => !isEmpty(each)).map(asAsked);
  const [candidate] = given("candidates");
  const references = given("references");
  if (!candidate || !references.length) return null;
  return { candidate, second: given("second")[0] ?? null, references,
    source: given("origin")[0] ?? null };
}

export function showTexts(wantExample) {
  for (const kind of Object.keys(entries)) add(kind);
  part("add").addEventListener("click", () => add("references").area.focus());
  part("example").addEventListener("click", wantExample);
  part("clear").addEventListener("click", () => {
    empty();
    tellAll();
  });
  takeDrops();
}
