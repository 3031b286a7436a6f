// BLEU of two sentences, by the rules that the page holds; the tests compare it with the package.
// Nothing here knows of a page.

import { exponential, geometricMean, penalty, split, stats } from "./arithmetic.js";

export function tokenize(text, { markup, rules }) {
  const plain = markup.reduce((line, [marked, put]) => line.replaceAll(marked, () => put), text);
  return split(rules.reduce((line, [pattern, put]) =>
    line.replace(new RegExp(pattern, "g"), put), ` ${plain} `));
}

const times = (text, characters) => text.match(new RegExp(characters, "gu"))?.length ?? 0;

// The language of text without spaces that is hardly split, and a tokenizer for it; or null.
export function unsplit(text, { languages, ...rules }) {
  const unspaced = `[${languages.map(([characters]) => characters.slice(1, -1)).join("")}]`;
  if (2 * times(text, unspaced) <= times(text, "[\\p{L}\\p{N}_]")) return null;
  const found = languages.find(([characters]) => times(text, characters));
  if (!found) return null;
  const [, language, longest, tokenizer] = found;
  const tokens = tokenize(text, rules).filter((token) => times(token, unspaced));
  return times(tokens.join(""), unspaced) > longest * tokens.length ? { language, tokenizer } : null;
}

export function sentence(candidate, reference, rules) {
  const counted = stats(tokenize(candidate, rules), [tokenize(reference, rules)]);
  // Effective order: only orders that the candidate has n-grams of are averaged.
  const shares = exponential(counted).map(([matches, total]) => matches / total);
  const mean = counted.matches.some((each) => each) ? geometricMean(shares) : 0;
  const factor = penalty(counted.candidate, counted.reference);
  return { ...counted, mean, penalty: factor, value: factor * mean };
}
