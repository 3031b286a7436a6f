// Sentences to type over, in the chapter itself: counted and scored here, without Python.

import { clip, closestLength, count, digits, line, ngrams, penalty, score, split, stats,
  sum } from "./arithmetic.js";
import { element, field, frame, results, said, slider, strong, table } from "./parts.js";

const MOST = 60; // runs that a table shows
const times = (number, thing) => `${number} ${thing}${number === 1 ? "" : "s"}`;

// Fields for a candidate and its references, and what `show` makes of their tokens.
function editor(name, start, show, { orders = false } = {}) {
  const result = results();
  const there = element("a", { href: "playground.html" }, "Open in the playground");
  const rows = (text) => Math.min(4, Math.max(1, text.split("\n").length));
  const references = start.references?.join("\n");
  const again = () => {
    candidate.area.value = start.candidate;
    if (reference) reference.area.value = references;
    if (order) order.value = 1;
    update();
  };
  const update = () => {
    const typed = candidate.area.value.replace(/\n/g, " ");
    const lines = reference ? reference.area.value.split("\n").filter((each) => split(each).length) : [];
    const told = { c: typed, r: reference ? lines.join("\n") : typed, d: "papineni" };
    there.href = `playground.html#${new URLSearchParams(told)}`;
    if (reference && !lines.length) result.show(said("Type a reference: without one there is no score."));
    else result.show(...show(split(typed), lines.map(split), order?.value));
  };
  const candidate = field({ label: references === undefined ? "A sentence" : "Candidate", value: start.candidate, rows: start.candidate.length > 70 ? 2 : 1 }, update);
  const reference = references === undefined ? null
    : field({ label: "References, one a line", value: references, rows: rows(references) }, update);
  const order = orders ? slider({ label: "Order n", min: 1, max: 4, value: 1 }, update) : null;
  const controls = [candidate, reference, order].filter((each) => each).map((each) => each.row);
  const all = frame(name, controls, result.all, again);
  all.lastElementChild.append(" ", there);
  update();
  return [all];
}



// A table of runs, cut where it would be endless; the rest is said.
function runs(heads, rows, caption) {
  const shown = [table(heads, rows.slice(0, MOST), caption)];
  if (rows.length > MOST) shown.push(element("p", {}, `… and ${times(rows.length - MOST, "other run")}.`));
  return shown;
}

function counts(tokens, _, order) {
  const found = count(ngrams(tokens, order));
  const total = sum([...found.values()]);
  return [
    said(`${times(tokens.length, "token")} hold max(0, ${tokens.length} − ${order} + 1) = `, strong(String(total)),
      ` of order ${order}, ${found.size} of them different.`),
    ...runs(["run", "times"], [...found].map(([run, number]) => [run, String(number)]), "How often each run occurs"),
  ];
}

function clipped(tokens, references, order) {
  const rows = clip(tokens, references, order);
  const [credited, total] = [sum(rows.map((each) => each.credited)), sum(rows.map((each) => each.said))];
  return [
    said(...(total ? ["Clipped precision: ", strong(`${credited}/${total}`), ` = ${digits(credited / total, 4)}`]
      : [`The candidate holds no run of ${times(order, "token")}: its precision counts as `, strong("0"), "."])),
    ...runs(["run", "said", "allowed", "credited"],
      rows.map((each) => [each.run, each.said, each.allowed, each.credited].map(String)),
      "How often each run is said, allowed and credited"),
  ];
}

function brevity(tokens, references) {
  const c = tokens.length;
  const lengths = references.map((each) => each.length);
  const r = closestLength(c, lengths);
  const factor = penalty(c, r);
  const why = c >= r ? `c = ${c} is not less than r = ${r}: nothing is lost`
    : c === 0 ? "nothing is said: nothing is kept"
      : `e to the power of 1 − ${r}/${c} = ${digits(1 - r / c, 4).replace("-", "−")}`;
  return [
    said("Brevity penalty: ", strong(digits(factor, 4)), ` (${why})`),
    table(["whose", "tokens"], [["candidate, c", String(c)],
      ...lengths.map((each, n) => [`reference ${n + 1}`, String(each)]), ["closest length, r", String(r)]], "The lengths"),
  ];
}

function whole(tokens, references) {
  const counted = stats(tokens, references);
  const made = score(counted);
  return [
    said(strong(line(counted, made))),
    table(["order", "credited", "total", "precision"], counted.totals.map((total, n) =>
      [String(n + 1), String(counted.matches[n]), String(total), digits(made.precisions[n], 4)]),
    "What each order earned"),
    element("p", {}, `Geometric mean ${digits(made.mean, 4)}, times the brevity penalty `
      + `${digits(made.penalty, 4)}, is ${digits(made.value, 4)}; times 100, ${digits(100 * made.value, 2)}.`),
  ];
}

export const EDITORS = {
  counts: (start) => editor("Change this sentence: what runs does it hold?", start, counts, { orders: true }),
  clipped: (start) => editor("Change this sentence: what is clipped?", start, clipped, { orders: true }),
  penalty: (start) => editor("Change this sentence: what does its length cost?", start, brevity),
  score: (start) => editor("Change this sentence: what does it score?", start, whole),
};
