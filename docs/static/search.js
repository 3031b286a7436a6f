// Sphinx's search, whose hits lead to a section, and show what a reader would read of it.

const ASIDE = ".headerlink, script, style, svg, .run, .try, .install, .cell_input, .copy-code";
const AROUND = 120; // characters before the first word that is found, and after it

const plain = (element) => element.textContent.replace(/\s+/g, " ").trim();

// What a section says itself, without the sections in it, and what else is left out.
function own(section, left = "section") {
  const copy = section.cloneNode(true);
  copy.querySelectorAll(left).forEach((each) => each.remove());
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
    if (chosen === top || link.textContent.includes(plain(title))) return;
    link.setAttribute("href", `${link.getAttribute("href").split("#")[0]}#${chosen.section.id}`);
    link.append(` › ${plain(title)}`);
    const same = [...Search.output.querySelectorAll("a")].filter(({ href }) => href === link.href);
    if (same.length > 1) link.parentElement.remove(); // An entry of the index leads there already
  });
  return told;
};
