// Sphinx's search, whose hits lead to a section, and show what a reader would read of it.

const ASIDE = ".headerlink, script, style, svg, .run, .try, .install, .cell_input, .copy-code, details.hide > summary";
const AROUND = 120; // characters before the first word that is found, and after it

const plain = (element) => element.textContent.replace(/\s+/g, " ").trim();

// What a section says itself, without the sections in it, and what else is left out.
function own(section, left = "section") {
  const copy = section.cloneNode(true);
  copy.querySelectorAll(left).forEach((each) => each.remove());
  copy.querySelectorAll("td, th, li, dt, dd").forEach((each) => each.append(" "));
  return plain(copy);
}

function excerpt(text, words) {
  const low = text.toLowerCase();
  const found = words.map((word) => low.indexOf(word)).filter((place) => place >= 0);
  const start = Math.max(0, (found.length ? Math.min(...found) : 0) - AROUND);
  const end = start + 2 * AROUND;
  const cut = text.slice(start, end);
  return (start ? cut.replace(/^\S*/, "…") : cut).replace(/\S*$/, end < text.length ? "…" : "$&");
}

// Words that one says for another; those of a row are one word to the search.
const stem = ((stemmer) => (word) => stemmer.stemWord(word.toLowerCase()))(new Stemmer());
const stems = (text) => splitQuery(text).map(stem);
const SAME = [
  "system model engine checkpoint", "several multiple many multi few",
  "line segment sentence string row",
  "parallel core thread process worker multiprocessing", "gpu ddp distributed device",
  "low bad small", "wrong mistake bug error fault", "differ difference different mismatch disagree",
  "language lang multilingual", "reference gold target", "hypothesis candidate prediction output",
  "significance significant", "limit minimum threshold", "confidence uncertainty margin",
  "lowercase uncased case-insensitive insensitive", "download get obtain", "quick fast speed slow",
].map(stems);
const alike = (word) => SAME.find((each) => each.includes(word)) ?? [word];

// Sphinx leaves numbers out of a search. Here each is a word; a score of 0 is the word "zero", and
// any other score is the one that the entries have: 27.3.
const ZERO = /(?<![\w.,/])0(?:[.,]0+)?(?![\w.,/])/g;
const SCORE = /(?<![\w.,/])(?:\d\d[.,]\d+|0?[.,]\d\d+)(?![\w.,/])/g;
const parsed = Search._parseQuery;
Search._parseQuery = (query) => {
  const words = query.replace(ZERO, "zero").replace(SCORE, "27.3");
  const [, terms, ...others] = parsed(words);
  splitQuery(words).filter((word) => /^\d+$/.test(word)).forEach((word) => terms.add(word));
  return [words, terms, ...others];
};

// Where an answer may be: each page, and each section that has a title or entries of the index.
function places({ docnames, titles, alltitles, indexentries }) {
  const found = new Map(titles.map((title, file) => [`${file}#`, { file, id: "", title }]));
  const at = (file, id, title) => {
    const key = `${file}#${id ?? ""}`;
    if (!found.has(key)) found.set(key, { file, id, title: title ?? titles[file] });
    return found.get(key);
  };
  Object.entries(alltitles).forEach(([title, all]) => all.forEach(([file, id]) => {
    if (id) at(file, id, `${titles[file]} › ${title}`).own = stems(title);
  }));
  Object.entries(indexentries).forEach(([entry, all]) => all.forEach(([file, id, main]) => {
    if (main) (at(file, id).entries ??= []).push(...stems(entry));
  }));
  return [...found.values()].filter(({ file }) => !docnames[file].startsWith("api/"));
}

// The text is searched by what each word tells: a rare word more, one in an entry or a title most.
Search.performTermsSearch = (asked) => {
  const { docnames, filenames, titles, terms } = Search._index;
  const inText = (word) => [terms[word] ?? []].flat();
  const all = places(Search._index);
  const rare = (some, of) => Math.log(1 + of / (1 + some));
  const words = [...asked].map((word) => {
    const forms = alike(word);
    const files = new Set(forms.flatMap(inText));
    const has = (list = []) => list.some((each) => forms.some((one) => each === one
      || (one.length > 3 && each.startsWith(one))));
    const known = all.filter(({ own, entries }) => has(own) || has(entries)).length;
    return { has, files, weight: rare(files.size, docnames.length) + rare(known, all.length) };
  });
  const most = words.reduce((sum, { weight }) => sum + weight, 0);
  const hits = all.map(({ file, id, title: name, own, entries }) => {
    const page = stems(titles[file]);
    const share = (score) => words.reduce((sum, word) => sum + word.weight * score(word), 0) / most;
    const here = share(({ has }) => Math.max(has(entries) && 1, has(id ? own : page) && 0.9));
    const around = share(({ has, files }) => (files.has(file) ? 0.25 : 0) + (has(page) ? 0.15 : 0));
    const title = (id ? own : page) ?? [];
    const said = title.filter((each) => words.some(({ has }) => has([each]))).length;
    const score = id && !here ? 0 : 60 * here + 40 * around + 9 * said / (title.length || 1);
    return [docnames[file], name, id && `#${id}`, null, score, filenames[file], "text"];
  });
  const best = Math.max(...hits.map(([, , , , score]) => score));
  return hits.filter(([, , , , score]) => score > best / 3);
};

const MOST_HITS = 30; // Nobody reads more, and each is a page to load
Documentation.ngettext = (one, several, number) => (number === MOST_HITS
  ? `The search found many places. These are the first ${MOST_HITS}.`
  : `The search found ${number} place${number === 1 ? "" : "s"}.`);
Documentation.gettext = () => "Nothing was found. Check the spelling, or use other words.";
const found = Search._performSearch;
const place = ([page, , anchor]) => `${page}${anchor || ""}`;
// The best are the last, and a place is told once: where it is best.
Search._performSearch = (...asked) => found(...asked)
  .filter((hit, at, all) => all.findLastIndex((each) => place(each) === place(hit)) === at)
  .slice(-MOST_HITS);

Search.makeSearchSummary = (html, terms, anchor) => {
  const article = new DOMParser().parseFromString(html, "text/html").querySelector("[role=main]");
  article.querySelectorAll(ASIDE).forEach((each) => each.remove());
  const words = [...terms];
  const sections = [...article.querySelectorAll("section[id]")]
    .map((section) => ({ section, text: own(section) })); // Code is searched, but not shown
  const has = ({ text }) => words.filter((word) => text.toLowerCase().includes(word)).length;
  const [top] = sections;
  const chosen = anchor
    ? sections.find(({ section }) => `#${section.id}` === anchor)
    : sections.reduce((best, each) => (has(each) > has(best) ? each : best), top);
  const told = document.createElement("p");
  told.className = "context";
  if (!chosen) return told; // An entry of the API
  const title = chosen.section.querySelector("h1, h2, h3");
  told.textContent = excerpt(own(chosen.section, "section, h1, h2, h3, .highlight"), words);
  queueMicrotask(() => {
    const link = told.parentElement.querySelector("a");
    if (chosen !== top && !link.textContent.includes(plain(title))) {
      link.setAttribute("href", `${link.getAttribute("href").split("#")[0]}#${chosen.section.id}`);
      link.append(` › ${plain(title)}`);
    }
    const same = [...Search.output.querySelectorAll("a")].filter(({ href }) => href === link.href);
    same.slice(1).forEach((each) => each.parentElement.remove()); // The first leads there already
  });
  return told;
};
