// Choices of a chapter that a reader can move, by pointer or by keys; what follows is computed here.

import { RULES, addK, digits, exponential, floor, method4, penalty, score, sum, weightedMean } from "./arithmetic.js";
import { bar, frame, results, said, slider, strong, table } from "./parts.js";

const SVG = "http://www.w3.org/2000/svg";
const tokens = (number) => `${number} token${number === 1 ? "" : "s"}`;

// Sliders, and what `show` makes of their values. `stay` may bend one slider to another.
function movable(name, told, show, stay = () => {}) {
  const result = results();
  const update = () => {
    stay(sliders);
    result.show(...show(...sliders.map((each) => each.value)));
  };
  const sliders = told.map((each) => slider(each, update));
  const again = () => {
    sliders.forEach((each, n) => { each.value = told[n].value; });
    update();
    sliders.forEach((each, n) => { each.value = told[n].value; }); // within the limits that are now right
    update();
  };
  update();
  return [frame(name, sliders.map((each) => each.row), result.all, again)];
}

// -- The penalty's curve -------------------------------------------------------------------------

// The figures of the cell above a place, and the points of the one line in each that is a curve.
function curvesAbove(place) {
  let cell = place.previousElementSibling;
  while (cell && !cell.querySelector("svg.bn-fig")) cell = cell.previousElementSibling;
  const lines = cell ? [...cell.querySelectorAll("svg.bn-fig polyline")] : [];
  return lines.filter((each) => each.points.numberOfItems > 50)
    .map((each) => ({ svg: each.ownerSVGElement, points: [...each.points] }));
}

// A ring on the curve, with a guide down to the axis that it stands on.
function marker({ svg, points }) {
  const ring = document.createElementNS(SVG, "g");
  const circle = document.createElementNS(SVG, "circle");
  const guide = document.createElementNS(SVG, "path");
  for (const [name, value] of Object.entries({ class: "bn-red moved", fill: "none", stroke: "currentColor", "stroke-width": 2.5 })) {
    ring.setAttribute(name, value);
  }
  circle.setAttribute("r", 8);
  guide.setAttribute("stroke-dasharray", "2 3");
  guide.setAttribute("stroke-width", 1.5);
  ring.append(guide, circle);
  svg.append(ring);
  const [first, last] = [points[0], points.at(-1)];
  return (share) => {
    const x = first.x + (last.x - first.x) * share;
    const after = points.findIndex((point) => point.x >= x - 1e-6);
    const [a, b] = [points[Math.max(0, after - 1)], points[after]];
    const y = a.x === b.x ? b.y : a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x);
    circle.setAttribute("cx", x);
    circle.setAttribute("cy", y);
    guide.setAttribute("d", `M${x} ${y + 8}V${first.y}`);
  };
}

function curve({ candidate, reference, end }, place) {
  const markers = curvesAbove(place).map(marker);
  const show = (c, r) => {
    const factor = penalty(c, r);
    markers.forEach((move) => move(Math.min(1, c / r / end)));
    const ratio = `c/r = ${c}/${r} = ${digits(c / r, 3)}`;
    return [said(c >= r ? `${ratio}: long enough, nothing is lost. Penalty ` : `${ratio}: penalty e^(1 − r/c) = `,
      strong(digits(factor, 4)))];
  };
  return movable("Move along the curve", [
    { label: "Tokens said, c", min: 1, max: 12, value: candidate, words: tokens },
    { label: "Tokens needed, r", min: 1, max: 12, value: reference, words: tokens },
  ], show);
}

function rules({ candidate, references }) {
  const most = Math.max(...references) + 3;
  const show = (c) => [table(["rule", "compares with", "penalty"], Object.entries(RULES).map(([name, rule]) => {
    const r = rule(c, references);
    const factor = penalty(c, r);
    return [name, Number.isInteger(r) ? String(r) : digits(r, 2), bar(factor, digits(factor, 4))];
  }), "What each rule compares with, and the penalty")];
  return movable(`Another length, references of ${references.join(", ").replace(/, (\d+)$/, " and $1")} tokens`,
    [{ label: "Tokens said, c", min: 0, max: most, value: candidate, words: tokens }], show);
}

// -- Orders and weights --------------------------------------------------------------------------

const shares = (precisions, counts = () => true) =>
  precisions.map((each, n) => bar(each, digits(each, 3), counts(n)));

const HEADS = ["p₁", "p₂", "p₃", "p₄"];

function orders({ texts }) {
  const show = (highest) => [table(["system", "BLEU", ...HEADS, "penalty"], Object.entries(texts).map(([name, counted]) => {
    const cut = { ...counted, matches: counted.matches.slice(0, highest), totals: counted.totals.slice(0, highest) };
    const { precisions } = score(counted);
    const made = score(cut);
    return [name, strong(digits(100 * made.value, 2)), ...shares(precisions, (n) => n < highest), digits(made.penalty, 3)];
  }), `Scores with the orders 1 to ${highest}`)];
  return movable("Stop at another order", [
    { label: "Highest order N", min: 1, max: 4, value: 4, words: (n) => n === 1 ? "single words" : `1 to ${n}` }], show);
}

// Four sliders say how much each order counts against the others; weights sum to 1.
function weights({ texts: { Heron: counted } }) {
  const show = (...parts) => {
    const whole = sum(parts);
    const { precisions } = score(counted);
    if (!whole) return [said("No order counts: move one of them up.")];
    const each = parts.map((part) => part / whole);
    return [
      table(["of Heron", ...HEADS], [
        ["precision", ...shares(precisions, (n) => each[n] > 0)],
        ["weight", ...each.map((weight) => digits(weight, 3))],
      ], "Precisions and weights"),
      said("Weighted mean: ", strong(digits(weightedMean(precisions, each), 4)),
        `; with equal weights it is ${digits(score(counted).mean, 4)}.`),
    ];
  };
  return movable("Weigh the orders of Heron otherwise", [4, 3, 2, 1].map((value, n) => (
    { label: `Order ${n + 1}`, min: 0, max: 10, value, words: (part) => `${part} part${part === 1 ? "" : "s"}` })), show);
}

// -- Smoothing -----------------------------------------------------------------------------------

// One row for each sentence and smoother: what every order is worth, and the score.
function smoothed(texts, smoothers, bleu = (value) => digits(100 * value, 2)) {
  const one = Object.keys(smoothers).length === 1;
  const rows = Object.entries(smoothers).flatMap(([name, smoother]) =>
    Object.entries(texts).map(([text, counted]) => {
      const made = score(counted, smoother(counted));
      return [one ? text : `${name}, ${text}`, strong(bleu(made.value)), ...shares(made.precisions)];
    }));
  return table([one ? "sentence" : "smoother", "BLEU", ...HEADS], rows, "Precisions and scores, smoothed");
}

function smoothing({ texts }) {
  const show = (epsilon, k) => [smoothed(texts, {
    floor: (counted) => floor(counted, epsilon),
    "add k": (counted) => addK(counted, k),
    exponential,
  })];
  return movable("Move what a zero is worth", [
    { label: "Floor: ε, in n-grams", min: 0, max: 1, step: 0.01, value: 0.1, words: (each) => digits(each, 2) },
    { label: "Add k: k", min: 0, max: 3, step: 0.1, value: 1, words: (each) => digits(each, 1) },
  ], show);
}

function fourth({ texts }) {
  return movable("Move the constant of method 4", [
    { label: "K", min: 1, max: 20, step: 0.5, value: 5, words: (each) => digits(each, 1) },
  ], (value) => [smoothed(texts, { "method 4": (counted) => method4(counted, value) }, (share) => digits(share, 4))]);
}

export const MOVABLE = { curve, rules, orders, weights, smoothing, method4: fourth };
