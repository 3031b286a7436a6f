// The tab Check a number: does a signature give a printed score, or where does it come from?

import { ask, menus, stop, whenReady } from "./asking.js";
import { keep, keepInAddress } from "./address.js";
import { places } from "./corpus.js";
import { element, numbered, oneTabStop, part, picture, progress, reachable, root, sayAloud, signed,
  tell } from "./page.js";
import { chosenTab, whenTab } from "./tabs.js";
import { texts, whenTexts } from "./texts.js";

const FIRST = 3; // answers that are shown at once
const NAMES = 4; // settings that are named beside an answer, of those that give the same
const SETTLED = 3000; // milliseconds after which the pace tells how long the rest will take,
const SOME = 0.02; // if so much has been done in them
const reported = root.querySelector('[name="reported"]');
const signature = root.querySelector('[name="signature"]');
let shown = ""; // the sentence on the page: it is read aloud when it becomes another

// -- Asking ----------------------------------------------------------------------------------------------

function missing() {
  const lacking = [];
  if (!reported.value.trim() && !signature.value.trim()) lacking.push("the printed score");
  if (texts() === null) lacking.push("the files that it is of");
  return lacking.join(" and ");
}

function check(all = false) {
  if (menus === null) return;
  const lacking = missing();
  part("check-hint").hidden = true;
  if (lacking) {
    halt();
    refuse(`Nothing to check yet: give ${lacking}.`);
    return;
  }
  refuse("");
  clear();
  const question = { ask: "check", score: reported.value, signature: signature.value, all,
    ...texts() };
  const pace = pacer();
  ask("check", question, (answer) => {
    progress("check-progress");
    const first = part("check-results").hidden;
    show(answer);
    if (first) bringIntoView(part(answer.error === undefined ? "check-results" : "check-refused"));
  }, (done, of, soFar) => {
    progress("check-progress", of > 1 ? numbered("Segments", done, of) : pace(done), done, of);
    const first = part("check-results").hidden;
    if (soFar) show(soFar, true);
    if (soFar && first) bringIntoView(part("check-results"));
  });
}

// How far a search is, in words. What is done of it is weighed by what it takes: the pace since the
// first word of it tells how long the rest will take.
function pacer() {
  let first = null;
  return (share) => {
    first ??= { share, at: performance.now() };
    const spent = performance.now() - first.at;
    const left = spent * (1 - share) / (share - first.share) / 1000;
    if (share >= 1) return "All tried; drawing the way to the answer …";
    const rest = spent < SETTLED || share - first.share < SOME ? "" : left < 10 ? ", a few seconds to go"
      : left < 100 ? `, about ${Math.ceil(left / 10) * 10} seconds to go`
        : `, about ${Math.ceil(left / 60)} minutes to go`;
    return `${Math.floor(100 * share)} % tried${rest}`;
  };
}

// On a phone the answer is below the files.
function bringIntoView(box) {
  const { top } = box.getBoundingClientRect();
  if (top < 0 || top > innerHeight - 100) box.scrollIntoView({ block: "start" });
}

function halt() {
  stop("check");
  progress("check-progress");
}

function clear() {
  shown = "";
  part("check-results").hidden = true;
}

function refuse(text) {
  tell(part("check-refused"), text);
  if (text) sayAloud(text);
}

// What is on the page is of another question.
function changed() {
  if (chosenTab() !== "check") return;
  keepInAddress();
  halt();
  refuse("");
  clear();
  part("check-hint").hidden = false;
}

// -- Showing ---------------------------------------------------------------------------------------------

function bySignature(answer) {
  const digits = answer.scale > 1 ? 4 : 6;
  const here = element("p", {}, `${answer.name} has `,
    element("strong", { class: "pg-exact", "data-value": answer.value },
      places(answer.value, digits)), ` of ${answer.scale} by this signature.`);
  const notes = answer.notes.length ? [element("h2", {}, "What the signature leaves open"),
    element("ul", {}, ...answer.notes.map((each) => element("li", {}, each)))] : [];
  const line = element("code", { class: "pg-line" }, ...signed(answer.line));
  if (answer.agrees === undefined) return ["No score was given to check.", [...inShort(answer), here, line, ...notes,
    ...way(answer)]];
  const after = answer.decimals === 1 ? "1 digit" : `${answer.decimals} digits`;
  const verdict = answer.agrees
    ? `${answer.reported} agrees, to ${after} after the point.`
    : `${answer.reported} does not agree: with ${after} after the point it would be ${answer.here}.`;
  const search = answer.agrees ? [] : [element("p", { class: "pg-buttons" }, element("button", {
    type: "button", onclick: () => check(true) },
  `Where does ${answer.reported} come from?`))];
  return [verdict, [...inShort(answer), here, line, ...notes, ...search, ...way(answer)]];
}

const percent = (share) => share >= 0.995 ? "over 99 %" : share < 0.01 ? "below 1 %"
  : `${Math.round(100 * share)} %`;

// An answer: settings that give one score on these files; the likeliest has its signature.
function row(match) {
  const named = [["The same: ", match.same], ["Or, with the same digits: ", match.beside]];
  const spans = named.filter(([, names]) => names.length).map(([what, names]) => element(
    "span", { class: "pg-same" }, what, names.slice(0, NAMES).join("; "),
    names.length > NAMES ? `; and ${names.length - NAMES} more` : ""));
  return element("tr", {}, element("td", { class: "pg-number" }, places(match.score, 4)),
    ...(match.probability ? [element("td", {}, percent(match.probability))] : []),
    element("th", { scope: "row" }, match.shown ?? match.setting, ...spans,
      element("code", {}, ...signed(match.signature))));
}

function table(matches, caption) {
  const heads = ["Score", ...(matches[0].probability ? ["Probability"] : []), "How it was made"];
  return element("div", { class: "pg-wide", role: "region", "aria-label": caption },
    element("table", { class: "pg-matches" }, element("caption", {}, caption),
      element("thead", {}, element("tr", {},
        ...heads.map((each) => element("th", { scope: "col" }, each)))),
      element("tbody", {}, ...matches.map(row))));
}

function answers({ matches, nearest }, soFar) {
  if (!matches.length) return nearest.length ? [table(nearest, "The nearest of the likely ones")] : [];
  const rest = soFar ? [] : matches.slice(FIRST);
  return [table(matches.slice(0, FIRST), "Possible answers, the likeliest first"),
    ...(rest.length ? [element("details", {}, element("summary", {},
      `${rest.length} less likely`), table(rest, "Less likely answers"))] : [])];
}

// The way from what the files give to the answer, or from a signature to what is usual.
function way({ how, waterfall, explained }) {
  if (!waterfall) return [];
  const title = how === "signature" ? "From this score to the usual one"
    : "From your score to the printed one";
  return [element("section", { class: "pg-part", "aria-labelledby": "pg-way" },
    element("header", {}, element("h2", { id: "pg-way" }, title)),
    element("div", { class: "drawn pg-picture", role: "group", "aria-labelledby": "pg-way" },
      picture(waterfall)),
    element("details", {}, element("summary", {}, "The same in words"),
      element("pre", { role: "region", "aria-label": "The way in words" }, explained)))];
}

function inShort({ verdict }) {
  if (!verdict) return [];
  return [element("section", { class: "pg-part", "aria-labelledby": "pg-check-short" },
    element("header", {}, element("h2", { id: "pg-check-short" }, "In short")),
    element("div", { class: "pg-verdict" }, element("p", {}, verdict.join(" "))))];
}

function bySearch(answer, soFar) {
  if (soFar && !answer.matches.length) {
    const [usual] = answer.default;
    return [`Your files give ${places(usual.score, 2)} (${usual.setting}). Looking for where `
      + `${answer.reported} comes from …`, []];
  }
  const verdict = soFar ? `So far: ${answer.answer}` : answer.answer;
  return [verdict, [...inShort(answer), ...answers(answer, soFar), ...answer.about.map((each) =>
    element("p", { class: "pg-hint" }, each)), ...way(answer)]];
}

function show(answer, soFar = false) {
  if (answer.error !== undefined) {
    clear();
    refuse(`Not checked: ${answer.error}.`);
    return;
  }
  const [verdict, children] = answer.how === "signature" ? bySignature(answer)
    : bySearch(answer, soFar);
  const box = part("check-results");
  box.dataset.agrees = answer.how === "signature" ? answer.agrees
    : answer.matches.length > 0 ? answer.sure || "perhaps" : false;
  box.dataset.soFar = soFar;
  box.replaceChildren(element("p", { class: "pg-verdict" }, verdict), ...children);
  box.hidden = false;
  box.querySelectorAll(".pg-wide, pre").forEach(reachable);
  oneTabStop([...box.querySelectorAll(".pg-picture [tabindex]")]);
  if (verdict !== shown) sayAloud(verdict);
  shown = verdict;
}

// -- Wiring ----------------------------------------------------------------------------------------------

export function showCheck() {
  keep("check", {
    keys: ["score", "signature"],
    read: () => ({ ...(reported.value && { score: reported.value }),
      ...(signature.value && { signature: signature.value }) }),
    write(state) {
      reported.value = state.score ?? "";
      signature.value = state.signature ?? "";
      changed();
      if (texts() !== null) check();
    },
  });
  for (const each of [reported, signature]) each.addEventListener("input", changed);
  whenTexts(changed);
  whenTab(changed);
  whenReady((found) => { if (found === null) progress("check-progress"); });
  part("check-form").addEventListener("submit", (event) => {
    event.preventDefault();
    check();
  });
  part("stop").addEventListener("click", () => {
    halt();
    refuse(shown ? "Stopped: below is what was found so far." : "Stopped.");
    part("check").focus();
  });
}
