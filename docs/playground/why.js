// The tab Files, below the scores: why another tool or setting would print another number.

import { ask, menus, stop, whenReady } from "./asking.js";
import { element, later, never, numbered, part, progress, reachable, tell } from "./page.js";
import { showPicture } from "./sentence.js";

const SLOW = 250; // milliseconds before it is said how far a question has come
const other = document.getElementById("pg-other");
let files = null; // what is scored above, as a question
let told = () => {}; // called with the sentences of an answer, or with none

function group(label, entries) {
  return element("optgroup", { label }, ...entries.map(([value, text]) => new Option(text, value)));
}

function offer() {
  const kept = other.value;
  other.replaceChildren(new Option("choose one …", ""),
    group("Tools", menus.dialects.map((row) => [row.name, `${row.name} ${row.version}`])),
    group("What is chosen, with one change", menus.changes.map((each) => [each, each])));
  other.value = kept;
  other.disabled = false;
}

function hideProgress() {
  never("why-progress");
  progress("why-progress");
}

function show(answer) {
  const none = answer === null || answer.error !== undefined;
  tell(part("why-refused"), answer?.error === undefined ? "" : `No explanation: ${answer.error}.`);
  part("why-drawn").hidden = none;
  told(none ? [] : answer.verdict);
  if (none) return;
  tell(part("why-of"), files.second ? `This is of ${answer.name}, the first system.` : "");
  showPicture("why", answer);
  tell(part("why-notes"), answer.notes.map((each) => `${each}.`).join(" "));
  part("why-text").textContent = answer.text;
  part("why").querySelectorAll("pre").forEach(reachable);
}

// What is asked of one corpus is no answer to another.
function update() {
  stop("why");
  hideProgress();
  show(null);
  if (files === null || !other.value || menus === null) return;
  let late = false;
  later("why-progress", SLOW, () => { late = true; });
  ask("why", { ask: "why", ...files, against: other.value }, (answer) => {
    hideProgress();
    show(answer);
  }, (done, of) => {
    if (late) progress("why-progress", numbered("Settings tried", done, of), done, of);
  });
}

// Files that are scored, as a question; null: none are.
export function explainFiles(question) {
  files = question;
  part("why").hidden = files === null;
  update();
}

export function showWhy(listener) {
  told = listener;
  other.addEventListener("input", update);
  whenReady((found) => {
    if (found === null) {
      hideProgress();
      other.disabled = true;
    } else {
      offer();
    }
  });
}
