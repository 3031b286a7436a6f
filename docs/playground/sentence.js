// The tab Sentence: reads the form, asks, and shows the score and its pictures.

import { digits as inDigits } from "../arithmetic.js";
import { ask, expect, menus, whenReady } from "./asking.js";
import { keep, keepInAddress, linkTo, step } from "./address.js";
import { CHOICES, FIELDS, chosen, closeMenus, field, hasText, listen, offer, readFields, sayUnknown,
  setFields } from "./choices.js";
import { copy, download, element, later, oneTabStop, part, picture, reachable, root, sayAloud,
  signed, tell } from "./page.js";
import { chosenTab, chooseTab, whenTab } from "./tabs.js";
import { takeOver } from "./texts.js";

const PICTURES = ["alignment", "anatomy", "explanation"];
const past = []; // states that "Undo" brings back, the newest last
const elsewhere = []; // called when a choice has changed, for other tabs
const QUICK = 60; // milliseconds for an answer; where it takes longer, a pause in typing is waited for
const PAUSE = 120; // milliseconds of such a pause
let ofFiles = false; // whether the text is a line of files, which the address never holds
let shown = ""; // the state whose answer is on the page, as JSON
let took = 0; // milliseconds for the last answer

export function whenChosen(listener) {
  elsewhere.push(listener);
}

// -- What is typed ---------------------------------------------------------------------------------

const linesOf = (text) => text.split("\n").filter((line) => line.trim());

function question() {
  return { candidate: field.candidate.value, references: linesOf(field.references.value),
    against: field.against.value, ...chosen() };
}

// Several lines are several sentences, most likely: that is said, and where they belong.
function sayHowMany() {
  const lines = linesOf(field.candidate.value).length;
  const box = part("several");
  if (lines < 2) {
    tell(box, "");
  } else if (box.dataset.lines !== String(lines) || box.hidden) {
    box.replaceChildren(
      element("p", {}, `The candidate has ${lines} lines, which are scored here as one sentence. `
        + "A file has a sentence on each line, and another score."),
      element("button", { type: "button", onclick: scoreLines },
        `Score the ${lines} lines in Files`));
    box.hidden = false;
  }
  box.dataset.lines = lines;
}

// Text without spaces, whose clauses a tokenizer takes for words: that is said, and the cure.
function sayUnsplit(found) {
  const box = part("unsplit");
  box.hidden = !found;
  box.replaceChildren(...(found ? unsplitWithCure(found, remember) : []));
}

export function unsplitWithCure(found, before = () => {}) {
  return [
    element("p", {}, `This looks like ${found.language}, and the tokenizer ${found.now} takes whole `
      + "clauses for words."),
    element("button", { type: "button", onclick: () => {
      before();
      field.tokenizer.value = found.tokenizer;
      field.tokenizer.dispatchEvent(new Event("input"));
      field.tokenizer.focus();
    } }, `Take the tokenizer ${found.tokenizer}`)];
}

function scoreLines() {
  takeOver(field.candidate.value, field.references.value);
  chooseTab("files");
  document.getElementById("pg-tab-files").focus();
}

export function changed() {
  sayHowMany();
  keepInAddress();
  part("link").href = linkTo(readFields());
  const now = JSON.stringify(readFields());
  if (menus === null) {
    showResults(now === shown); // what is there is of another sentence
    return;
  }
  if (chosenTab() !== "sentence") return;
  expect("sentence");
  later("sentence", took > QUICK ? PAUSE : 0, () => {
    const asked = performance.now();
    ask("sentence", question(), (answer) => {
      show(answer, JSON.stringify(readFields()) === now ? now : "");
      took = performance.now() - asked;
    });
  });
}

// -- Examples, and the way back ------------------------------------------------------------------------

function remember() {
  past.push({ state: readFields(), ofFiles });
  part("undo").hidden = false;
}

function undo() {
  const { state, ofFiles: was } = past.pop();
  ofFiles = was;
  sayUnknown([]);
  setFields(state);
  part("about").textContent = "";
  if (!past.length) {
    field.candidate.focus();
    part("undo").hidden = true;
  }
  changed();
}

// Fill the form with another sentence; what was there can be brought back.
function fillIn(state, about) {
  remember();
  ofFiles = false;
  sayUnknown([]);
  setFields(state);
  part("about").textContent = about;
  changed();
}

// A line of files as a sentence, by the same choices. Back leads to the files again.
export function openLine({ line, candidate, references }) {
  step();
  fillIn({ ...readFields(CHOICES), c: candidate, r: references.join("\n") },
    `Line ${line} of the files. The address leaves it out; the link at the end of this page has it.`);
  ofFiles = true;
  chooseTab("sentence");
  field.candidate.focus();
}

function showExamples() {
  part("examples").replaceChildren(...menus.examples.map((example) => {
    const state = Object.fromEntries(Object.entries(FIELDS).map(
      ([letter, name]) => [letter, String(example[name] ?? "")]));
    return element("button", { type: "button", title: example.about, onclick: () => fillIn(
      { ...state, r: example.references.join("\n") }, example.about) }, example.name);
  }));
}

// -- Showing -----------------------------------------------------------------------------------------

function showResults(are) {
  part("results").hidden = !are;
  part("score").hidden = !are;
}

// What the package wrote, if it is one picture; else the picture as the page holds it.
function asFile(markup, svg) {
  return markup.startsWith("<svg") ? markup : new XMLSerializer().serializeToString(svg);
}

export function showPicture(name, result) {
  const figure = part(name);
  const place = figure.querySelector(".pg-picture");
  const save = figure.querySelector("[data-save]");
  const said = figure.querySelector(".pg-none");
  try {
    if (result.error) throw new Error(result.error);
    place.replaceChildren(picture(result));
    oneTabStop([...place.querySelectorAll("[tabindex]")]);
    tell(said, "");
  } catch (error) {
    place.replaceChildren();
    tell(said, `No picture: ${error.message}.`);
  }
  const svg = place.querySelector("svg");
  save.hidden = !svg;
  save.onclick = () => download(`bleu-${name}.svg`, asFile(result.markup, svg));
}

function show(answer, state) {
  const refused = answer.error !== undefined;
  shown = state;
  tell(part("refused"), refused ? `No score: ${answer.error}.` : "");
  showResults(!refused);
  sayUnsplit(answer.unsplit);
  if (!refused) {
    part("value").textContent = inDigits(Number(answer.value), answer.scale > 1 ? 2 : 4);
    part("value").dataset.value = answer.value;
    part("scale").textContent = answer.scale === 1
      ? `of 1, which is ${inDigits(100 * Number(answer.value), 2)} of 100` : `of ${answer.scale}`;
    part("line").replaceChildren(...signed(answer.line));
    for (const name of PICTURES) showPicture(name, answer[name]);
    part("text").textContent = answer.explanation.text ?? "";
    part("in-text").hidden = !answer.explanation.text;
    part("call").textContent = answer.call;
    root.querySelectorAll("#pg-sentence .pg-picture, #pg-sentence pre").forEach(reachable);
  }
  sayAloud(refused ? `No score: ${answer.error}` : answer.words);
}

// -- Wiring --------------------------------------------------------------------------------------------

function ready(found) {
  if (found === null) {
    closeMenus();
    return;
  }
  offer();
  showExamples();
  changed();
}

export function showSentence() {
  shown = JSON.stringify({ c: field.candidate.value, r: field.references.value });
  setFields({ c: field.candidate.value, r: field.references.value });
  shown = JSON.stringify(readFields());
  const keys = Object.keys(FIELDS);
  const open = Object.fromEntries(Object.entries(FIELDS).filter(([key]) => !"cr".includes(key)));
  keep("sentence", { keys, read: () => readFields(ofFiles ? open : FIELDS), write(state) {
    if (hasText(state)) ofFiles = false;
    setFields(state);
    part("about").textContent = "";
    changed();
  } });
  for (const name of ["candidate", "references", "against"]) {
    field[name].addEventListener("input", changed);
  }
  listen(() => {
    changed();
    for (const each of elsewhere) each();
  }, remember);
  whenTab((tab) => { if (tab === "sentence") changed(); });
  whenReady(ready);
  part("undo").addEventListener("click", undo);
  part("form").addEventListener("submit", (event) => event.preventDefault());
  part("copy-link").addEventListener("click", () => copy(part("link").href, part("link")));
  part("copy-call").addEventListener("click", () => copy(part("call").textContent, part("call")));
  for (const name of PICTURES) {
    oneTabStop([...part(name).querySelectorAll(".pg-picture [tabindex]")]);
  }
  sayHowMany();
}

export const choicesState = { keys: Object.keys(CHOICES), read: () => readFields(CHOICES),
  write: (state) => setFields(state, CHOICES) };
