// Shows the scores of a corpus: each system's with its interval, how those of single segments are
// distributed, and the best and the worst of them.

import { digits as inDigits } from "../arithmetic.js";
import { element, reachable, signed } from "./page.js";
import { openLine, unsplitWithCure } from "./sentence.js";

export const places = (text, digits) => inDigits(Number(text), digits);
export const count = (number, what) =>
  `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;

export function section(id, title, ...children) {
  return element("section", { class: "pg-part", "aria-labelledby": id },
    element("header", {}, element("h2", { id }, title)), ...children);
}

// -- Scores ---------------------------------------------------------------------------------------------

function scoreOf(system) {
  const { interval } = system;
  const ends = interval.none === undefined
    ? `95 % interval: ${places(interval.low, system.digits)} to ${places(interval.high, system.digits)}`
    : `no interval: ${interval.none}`;
  const half = interval.none === undefined
    ? ` ± ${places(interval.half, system.digits)}` : "";
  return element("div", { class: "pg-score pg-system" },
    element("strong", { class: "pg-label" }, system.name),
    element("span", { class: "pg-value", "data-value": system.value,
      "data-half": interval.half ?? "" }, places(system.value, system.digits)),
    element("span", { class: "pg-scale" }, `${half} of ${system.scale}`),
    element("p", { class: "pg-hint" },
      ends + (interval.warning ? ` (${interval.warning})` : "")));
}

// -- Distribution -----------------------------------------------------------------------------------------

function distribution(answer) {
  const told = answer.systems.filter((each) => each.segments.none === undefined);
  if (!told.length) {
    return element("p", { class: "pg-hint" }, `Single segments: ${answer.systems[0].segments.none}.`);
  }
  const { scale } = told[0];
  const number = told[0].segments.bars.length;
  const most = Math.max(...told.flatMap((each) => each.segments.bars));
  const edge = (place) => scale === 1 ? (place / number).toFixed(1) : `${place * scale / number}`;
  const bar = (system, place, index) => {
    const found = system.segments.bars[place];
    return element("td", {}, element("span", { class: `pg-bar pg-bar-${index}`,
      style: `--share: ${found / most}` }), element("span", {}, found.toLocaleString("en")));
  };
  const rows = Array.from({ length: number }, (_, place) => element("tr", {},
    element("th", { scope: "row" }, `${edge(place)}–${edge(place + 1)}`),
    ...told.map((system, index) => bar(system, place, index))));
  const zeros = told.map((each) => `${each.segments.zeros.toLocaleString("en")} of ${each.name}`);
  return section("pg-distribution", "How the scores of single segments are distributed",
    element("div", { class: "pg-wide" }, element("table", { class: "pg-bars" },
      element("caption", {}, `Segments by their sentence BLEU. Without any credit: ${zeros.join(", ")}.`),
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "BLEU"),
        ...told.map((system) => element("th", { scope: "col" }, system.name)))),
      element("tbody", {}, ...rows))));
}

// -- Best and worst -----------------------------------------------------------------------------------------

export function opener(segment, digits, before = "") {
  const text = segment.candidate || "(an empty line)";
  return element("li", {}, element("button", { type: "button", class: "pg-segment",
    onclick: () => openLine(segment) },
    element("span", { class: "pg-number" }, before || places(segment.value, digits)), " ",
    element("span", { class: "pg-where" }, `line ${segment.line}`), " ",
    element("span", { class: "pg-words", dir: "auto" }, text)));
}

function lists(system, index) {
  const { segments, digits } = system;
  if (segments.none !== undefined) return [];
  const list = (id, title, some) => element("div", {},
    element("h3", { id }, title),
    element("ul", { class: "pg-segments", "aria-labelledby": id },
      ...some.map((each) => opener(each, digits))));
  return [section(`pg-ends-${index}`, `Best and worst segments of ${system.name}`,
    element("p", { class: "pg-hint" }, "Each opens in the tab Sentence, where its score is explained."),
    list(`pg-best-${index}`, "Best", segments.best),
    list(`pg-worst-${index}`, "Worst", segments.worst))];
}

// -- All of it ------------------------------------------------------------------------------------------------

export function corpusInWords(answer) {
  const scores = answer.systems.map((each) => each.interval.none === undefined
    ? `${each.name}: BLEU ${places(each.value, each.digits)}, plus or minus ${places(each.interval.half, each.digits)}.`
    : `${each.name}: BLEU ${places(each.value, each.digits)}.`);
  return `${scores.join(" ")} ${count(answer.lines, "line")}.`;
}

// The scores in one box, what is behind them in another: between them the comparison has its place.
export function showCorpus(box, more, answer) {
  box.replaceChildren(
    element("div", { class: "pg-systems" }, ...answer.systems.map(scoreOf)),
    element("p", { class: "pg-hint" }, `${count(answer.lines, "line")}, `
      + `${count(answer.references, "reference")} each. The number behind ± is half of a 95 % `
      + "interval by the delta method."),
    ...answer.unsplit
      ? [element("div", { class: "pg-notice" }, ...unsplitWithCure(answer.unsplit))] : [],
    ...answer.notes.map((each) => element("p", { class: "pg-notice" }, `${each}.`)),
    element("div", { class: "pg-lines" }, ...answer.systems.map(
      (system) => element("code", { class: "pg-line" }, ...signed(system.line)))));
  more.replaceChildren(distribution(answer), ...answer.systems.flatMap(lists));
  box.hidden = more.hidden = false;
  more.querySelectorAll(".pg-wide").forEach(reachable);
}
