// The tab Files: asks for the scores of a corpus, then for the test of two systems.

import { ask, menus, stop, whenReady } from "./asking.js";
import { keep, keepInAddress } from "./address.js";
import { chosen, unusual } from "./choices.js";
import { element, later, never, numbered, part, progress, sayAloud, tell } from "./page.js";
import { choicesState, whenChosen } from "./sentence.js";
import { corpusInWords, showCorpus } from "./corpus.js";
import { pairInWords, showPair } from "./pair.js";
import { chosenTab, whenTab } from "./tabs.js";
import { showTexts, takeExample, texts, whenTexts } from "./texts.js";
import { explainFiles, showWhy } from "./why.js";

const SLOW = 250; // milliseconds before it is said how far a question has come
const said = { corpus: [], pair: [], why: [] }; // the sentences of the verdict, by what they are of

function showProgress(what) {
  let late = false;
  later("files-progress", SLOW, () => { late = true; });
  return (done, of) => {
    if (late) progress("files-progress", numbered(what, done, of), done, of);
  };
}

function hideProgress() {
  never("files-progress");
  progress("files-progress");
}

// -- Asking --------------------------------------------------------------------------------------------

function changed() {
  if (chosenTab() !== "files") return;
  keepInAddress();
  if (menus === null) return;
  const given = texts();
  stop("pair");
  hideProgress();
  part("files-hint").hidden = given !== null;
  if (given === null) {
    stop("files");
    show(null);
    return;
  }
  const question = { ...given, ...chosen() };
  ask("files", { ask: "files", ...question }, (answer) => {
    hideProgress();
    show(answer);
    if (answer.error === undefined) explainFiles(question);
    if (answer.error === undefined && given.second) testPair(question, answer);
    else sayAloud(inWords(answer));
  }, showProgress("Segments counted"));
}

function testPair(question, corpus) {
  ask("pair", { ask: "pair", ...question }, (answer) => {
    hideProgress();
    if (answer.error !== undefined) {
      tell(part("files-refused"), `No comparison: ${answer.error}.`);
      return;
    }
    showPair(part("pair-results"), corpus, answer);
    inShort({ pair: answer.verdict });
    sayAloud(`${inWords(corpus)} ${pairInWords(answer)}`);
  }, showProgress("Random swaps"));
}

function inWords(answer) {
  return answer.error === undefined ? corpusInWords(answer) : `No score: ${answer.error}`;
}

// -- Showing -------------------------------------------------------------------------------------------

function show(answer) {
  const refused = answer?.error !== undefined;
  tell(part("files-refused"), refused ? `No score: ${answer.error}.` : "");
  const none = answer === null || refused;
  part("files-results").hidden = part("files-more").hidden = none;
  const other = none ? "" : unusual(); // chosen for a sentence, perhaps, and still there
  part("files-settings").hidden = !other;
  part("files-settings").querySelector("p").textContent =
    `Not scored as sacreBLEU does, but by what is chosen: ${other}.`;
  part("pair-results").hidden = true; // its own answer comes later
  explainFiles(null);
  inShort({ corpus: none ? [] : answer.verdict, pair: [], why: [] });
  tell(part("in-short").querySelector(".pg-hint"), none ? "" : answer.assumed ?? "");
  if (!none) showCorpus(part("files-results"), part("files-more"), answer);
}

// The verdict: what each answer says in a sentence or two, as far as they have come.
function inShort(sentences) {
  Object.assign(said, sentences);
  const words = [[...said.corpus, ...said.pair].join(" "), said.why.join(" ")].filter(Boolean);
  part("in-short").hidden = !words.length;
  part("in-short").querySelector(".pg-verdict").replaceChildren(
    ...words.map((each) => element("p", {}, each)));
}

function wantExample() {
  if (menus === null) return;
  ask("example", { ask: "example" }, takeExample);
}

export function showFiles() {
  showTexts(wantExample);
  showWhy((sentences) => {
    inShort({ why: sentences });
    if (sentences.length) sayAloud(sentences.join(" "));
  });
  keep("files", { ...choicesState, write(state) {
    choicesState.write(state);
    changed();
  } });
  whenTexts(changed);
  whenChosen(changed);
  whenReady((found) => {
    if (found === null) return;
    part("limit").textContent = `Up to ${found.most.lines.toLocaleString("en")} lines and `
      + `${found.most.bytes / 1e6} MB each.`;
    changed();
  });
  whenTab(changed);
}
