// What the search leads with: an answer before a derivation, and both before an entry of the API.
// Sphinx's own scores: an entry of the index up to 100, an object 26, a title 15, a word 5.
var Scorer = {
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
  score: ([page, , , , score]) => score + (
    /^(use_|install|coming_from|command_line|playground)/.test(page) ? 9
      : /^(api\/|changelog|contributing)/.test(page) ? -20 : 0),
};
