// The tab Check a number: does a signature give a printed score, or which settings do?

import { ask, menus, stop, whenReady } from "./asking.js";
import { keep, keepInAddress } from "./address.js";
import { places } from "./corpus.js";
import { progress } from "./files.js";
import { element, part, reachable, root, sayAloud, tell } from "./page.js";
import { chosenTab, whenTab } from "./tabs.js";
import { texts, whenTexts } from "./texts.js";

const FIRST = 8; // settings that are shown at once
const reported = root.querySelector('[name="reported"]');
const signature = root.querySelector('[name="signature"]');

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
  part("check-results").hidden = true;
  const question = { ask: "check", score: reported.value, signature: signature.value, all,
    ...texts() };
  ask("check", question, (answer) => {
    progress("check-progress");
    show(answer);
    bringIntoView(part(answer.error === undefined ? "check-results" : "check-refused"));
  }, (done, of) => progress("check-progress",
    signature.value.trim() && !all ? "Segments" : "Settings tried", done, of));
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
  part("check-results").hidden = true;
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
  const line = element("code", { class: "pg-line" }, answer.line);
  if (answer.agrees === undefined) return ["No score was given to check.", [here, line, ...notes]];
  const after = answer.decimals === 1 ? "1 digit" : `${answer.decimals} digits`;
  const verdict = answer.agrees
    ? `${answer.reported} agrees, to ${after} after the point.`
    : `${answer.reported} does not agree: with ${after} after the point it would be ${answer.here}.`;
  const search = answer.agrees ? [] : [element("p", { class: "pg-buttons" }, element("button", {
    type: "button", onclick: () => check(true) },
  `Which settings print ${answer.reported}?`))];
  return [verdict, [here, line, ...notes, ...search]];
}

function row(match) {
  return element("tr", {}, element("td", { class: "pg-number" }, places(match.value, 4)),
    element("th", { scope: "row" }, match.setting, element("code", {}, match.signature)));
}

function table(matches, caption) {
  return element("div", { class: "pg-wide", role: "region", "aria-label": caption },
    element("table", { class: "pg-matches" }, element("caption", {}, caption),
      element("thead", {}, element("tr", {}, ...["Score", "Setting, and its signature"].map(
        (each) => element("th", { scope: "col" }, each)))),
      element("tbody", {}, ...matches.map(row))));
}

function bySettings(answer) {
  const { number, tried, matches } = answer;
  const verdict = `${number.toLocaleString("en")} of ${tried.toLocaleString("en")} settings print `
    + `${answer.reported}.`;
  const rest = matches.slice(FIRST);
  const found = number ? [table(matches.slice(0, FIRST), "The most usual come first"),
    ...(rest.length ? [element("details", {}, element("summary", {},
      `${rest.length} less usual ones`), table(rest, "Less usual settings"))] : [])]
    : [element("p", {}, "Another tokenizer, other references, or another file?")];
  const without = Object.entries(answer.without).map(([reason, times]) => element("p",
    { class: "pg-hint" }, `${times} without a score: ${reason}`));
  return [verdict, [...found, ...without]];
}

function show(answer) {
  if (answer.error !== undefined) {
    refuse(`Not checked: ${answer.error}.`);
    return;
  }
  const [verdict, children] = answer.how === "signature" ? bySignature(answer)
    : bySettings(answer);
  const box = part("check-results");
  box.replaceChildren(element("p", { class: "pg-verdict", "data-agrees": String(answer.agrees) },
    verdict), ...children);
  box.hidden = false;
  box.querySelectorAll(".pg-wide").forEach(reachable);
  sayAloud(verdict);
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
    refuse("Stopped.");
    part("check").focus();
  });
}
