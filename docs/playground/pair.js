// Shows two systems side by side: their difference, what chance would do, and where they differ.

import { count, opener, places, section } from "./corpus.js";
import { element } from "./page.js";

const signed = (text, digits) => `${Number(text) < 0 ? "−" : "+"}${places(Math.abs(Number(text)), digits)}`;

function verdict(answer) {
  if (answer.none !== undefined) return `No test: ${answer.none}.`;
  const reached = answer.reached.toLocaleString("en");
  return `${reached} of ${answer.trials.toLocaleString("en")} random swaps set the two at least as far `
    + "apart as they are, in either direction. Counting them as they are as one swap more, p = "
    + `${(answer.reached + 1).toLocaleString("en")} / ${(answer.trials + 1).toLocaleString("en")} = `
    + `${answer.shown}.`;
}

// Bars of the differences that chance gave; those as large as the one found are filled.
function chance(answer) {
  const { bars, beyond, reach } = answer.chance;
  const most = Math.max(...bars);
  const { digits } = answer.gap;
  const words = `Differences after ${answer.trials.toLocaleString("en")} random swaps, from `
    + `${signed(-reach, digits)} to ${signed(reach, digits)}; filled: at least as large as the `
    + `${signed(answer.gap.value, digits)} found.`;
  return element("figure", { class: "pg-chance" },
    element("div", { class: "pg-columns", role: "img", "aria-label": words },
      ...bars.map((found, place) => element("span", { style: `--share: ${found / most}; --filled: `
        + `${found ? beyond[place] / found : 0}` }))),
    element("div", { class: "pg-axis", "aria-hidden": "true" },
      ...[-reach, 0, reach].map((each) => element("span", {}, each ? signed(each, digits) : "0"))),
    element("figcaption", { class: "pg-hint" }, words));
}

function moved(answer, names) {
  const { segments, gap } = answer;
  if (segments.none !== undefined) {
    return [element("p", { class: "pg-hint" }, `Single segments: ${segments.none}.`)];
  }
  const list = (id, title, some) => some.length ? [element("h3", { id }, title),
    element("ul", { class: "pg-segments", "aria-labelledby": id }, ...some.map(
      (each) => opener(each, gap.digits, signed(each.moved, gap.digits))))] : [];
  return [
    element("p", {}, `${names[1]} is better on ${count(segments.wins, "segment")}, as good on `
      + `${segments.ties.toLocaleString("en")}, and worse on ${segments.losses.toLocaleString("en")}.`),
    ...list("pg-gains", `Where ${names[1]} gains most`, segments.gains),
    ...list("pg-drops", `Where ${names[1]} loses most`, segments.drops)];
}

export function pairInWords(answer) {
  return `The second less the first: ${signed(answer.gap.value, answer.gap.digits)}. `
    + verdict(answer);
}

export function showPair(box, corpus, answer) {
  const names = corpus.systems.map((each) => each.name);
  const { gap } = answer;
  const ends = gap.none === undefined
    ? `95 % interval: ${signed(gap.low, gap.digits)} to ${signed(gap.high, gap.digits)}`
      + (gap.warning ? ` (${gap.warning})` : "")
    : `no interval: ${gap.none}`;
  box.replaceChildren(section("pg-pair", "Is the difference real?",
    element("div", { class: "pg-score pg-system" },
      element("strong", { class: "pg-label" }, `${names[1]} less ${names[0]}`),
      element("span", { class: "pg-value", "data-value": gap.value, "data-p": answer.p ?? "" },
        signed(gap.value, gap.digits)),
      element("span", { class: "pg-scale" },
        gap.none === undefined ? `± ${places(gap.half, gap.digits)}` : ""),
      element("p", { class: "pg-hint" }, `${ends}.`)),
    element("p", { class: "pg-verdict" }, verdict(answer)),
    ...(answer.none === undefined ? [chance(answer), element("p", { class: "pg-hint" },
      `The paired randomisation test of chapter 5.3, seed ${answer.seed}: the same swaps, and the `
      + "same p, as bleu-nb compare.")] : []),
    ...moved(answer, names)));
  box.hidden = false;
}
