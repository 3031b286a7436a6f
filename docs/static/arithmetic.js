// The arithmetic of chapters 1.1 to 1.5 for tokens split at white space, as the package does it:
// the tests compare it with the package. Nothing here knows of a page.

// What Python's str.split() takes for white space; JavaScript's \s is another set.
const SPACE = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/u;

export const split = (text) => text.split(SPACE).filter((token) => token);

export const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

// Tokens hold no space, so that a run is told by its tokens with spaces between them.
export function ngrams(tokens, order) {
  return tokens.slice(0, Math.max(0, tokens.length - order + 1))
    .map((_, start) => tokens.slice(start, start + order).join(" "));
}

export function count(runs) {
  const counts = new Map();
  for (const run of runs) counts.set(run, (counts.get(run) ?? 0) + 1);
  return counts;
}

// How often the most generous reference has each run.
export function allowance(references, order) {
  const most = new Map();
  for (const reference of references) {
    for (const [run, times] of count(ngrams(reference, order))) {
      most.set(run, Math.max(times, most.get(run) ?? 0));
    }
  }
  return most;
}

// One row for each run of the candidate: how often it is said, allowed and credited.
export function clip(candidate, references, order) {
  const allowed = allowance(references, order);
  return [...count(ngrams(candidate, order))].map(([run, said]) => {
    const limit = allowed.get(run) ?? 0;
    return { run, said, allowed: limit, credited: Math.min(said, limit) };
  });
}

// Of two lengths equally near the shorter one.
export function closestLength(length, lengths) {
  return [...lengths].sort((a, b) => Math.abs(a - length) - Math.abs(b - length) || a - b)[0];
}

// Of two lengths equally near the one listed first.
export function firstLength(length, lengths) {
  return [...lengths].sort((a, b) => Math.abs(a - length) - Math.abs(b - length))[0];
}

// The closest, unless 9999 is closer to a distance of 9999.
export function nearLength(length, lengths) {
  const closest = closestLength(length, lengths);
  const distance = Math.abs(closest - length);
  return distance < 9999 || (distance === 9999 && closest < 9999) ? closest : 9999;
}

export const RULES = {
  closest: closestLength,
  first: firstLength,
  shortest: (_, lengths) => Math.min(...lengths),
  "closest-9999": nearLength,
};

export function penalty(length, reference) {
  if (length >= reference) return 1;
  return length === 0 ? 0 : Math.exp(1 - reference / length);
}

export function geometricMean(precisions) {
  if (!precisions.length || precisions.some((each) => each === 0)) return 0;
  return Math.exp(sum(precisions.map(Math.log)) / precisions.length);
}

// Weights sum to 1; an order of weight 0 is left out.
export function weightedMean(precisions, weights) {
  const pairs = precisions.map((p, n) => [p, weights[n]]).filter(([, weight]) => weight);
  if (!pairs.length || pairs.some(([p]) => p === 0)) return 0;
  return Math.exp(sum(pairs.map(([p, weight]) => weight * Math.log(p))));
}

export function stats(candidate, references, orders = 4) {
  const rows = Array.from({ length: orders }, (_, n) => clip(candidate, references, n + 1));
  return {
    matches: rows.map((row) => sum(row.map((each) => each.credited))),
    totals: rows.map((row) => sum(row.map((each) => each.said))),
    candidate: candidate.length,
    reference: closestLength(candidate.length, references.map((each) => each.length)),
  };
}

// What each order with n-grams earned, out of what total.
export function credits({ matches, totals }) {
  return totals.map((total, n) => [matches[n], total]).filter(([, total]) => total);
}

export function floor(counted, value) {
  return credits(counted).map(([matches, total]) => [matches || value, total]);
}

export function addK({ matches, totals }, value) {
  if (!totals[0]) return [];
  const rest = totals.slice(1).map((total, n) => [matches[n + 1] + value, total + value]);
  return [[matches[0], totals[0]], ...rest.filter(([, total]) => total)];
}

export function exponential(counted) {
  let divisor = 1;
  return credits(counted).map(([matches, total]) => {
    if (matches) return [matches, total];
    divisor *= 2;
    return [1, divisor * total];
  });
}

// Chen and Cherry's method 4 as nltk has it; every order has n-grams.
export function method4(counted, value) {
  const logLength = Math.log(Math.max(1, counted.candidate));
  let divisor = 1;
  return credits(counted).map(([matches, total]) => {
    if (matches) return [matches, total];
    if (!logLength) return [1, 1];
    divisor *= 2;
    return [1 / (divisor * value / logLength), total];
  });
}

// A score of what was counted; a smoother may have put other credits in the place of the matches.
export function score(counted, earned = credits(counted)) {
  const pairs = counted.matches.some((each) => each) ? earned : credits(counted);
  const orders = counted.matches.length;
  const precisions = Array.from({ length: orders }, (_, n) =>
    n < pairs.length ? pairs[n][0] / pairs[n][1] : 0);
  const factor = penalty(counted.candidate, counted.reference);
  const mean = geometricMean(precisions);
  return { value: factor * mean, mean, precisions, penalty: factor };
}

// A number with so many digits after the point, halves to the even digit, as Python prints it.
export function digits(number, places) {
  const shown = number.toFixed(places);
  const exact = number.toFixed(100).split(".")[1].slice(places);
  if (!/^50*$/.test(exact) || Number(shown.at(-1)) % 2 === 0) return shown;
  const step = 10 ** -places;
  return (number - step / 2).toFixed(places);
}

// The line that the package prints of a score that is not smoothed, times 100.
export function line(counted, { value, penalty: factor }) {
  const { candidate: c, reference: r, matches, totals } = counted;
  const shares = totals.map((total, n) => digits(100 * matches[n] / Math.max(1, total), 1)).join("/");
  return `BLEU = ${digits(100 * value, 2)} ${shares} (BP = ${digits(factor, 3)} `
    + `ratio = ${digits(r ? c / r : 0, 3)} hyp_len = ${c} ref_len = ${r})`;
}
