// A part of the formula lights the lines of this page's functions that compute it, under the pointer
// and in focus. It leads to them; where the page has none of them, to the chapter of that part.

// How these lines begin: tests/derivation/test_program.py compares them with the chapters.
const LINES = {
  "precisions": ["matches = ", "total = ngram_total(", "return Fraction(", "precisions = [scale",
    "matches[n - 1] +=", "totals[n - 1] +="],
  "penalty": ["return min(reference_lengths", "return 1 - reference_length /",
    "return math.exp(log_brevity_penalty(", "penalty = ", "c +=", "r +="],
  "mean": ["logs = ", "return math.exp(math.fsum(", "return math.exp(total", "value = penalty *",
    "return 100 *"],
  "zeros": ["return [(matches or value", "if not any(stats.matches)", "raised = ", "credit = (1",
    "if 0 in matches:"]
};
const FUNCTIONS = new RegExp("^def (" + ["bleu", "naive_precision", "clipped_precision",
  "closest_length", "(log_)?brevity_penalty", "geometric_mean", "score_stats", "floor",
  "smooth_matched", "add_k", "exponential"].join("|") + ")\\(", "m");
const SVG = "http://www.w3.org/2000/svg";

// Every line of the functions, and of their changes.
function programLines() {
  const blocks = [...document.querySelectorAll("article .highlight pre")].filter((pre) =>
    pre.closest(".highlight-diff") || FUNCTIONS.test(pre.textContent));
  return blocks.flatMap((pre) => {
    pre.innerHTML = pre.innerHTML.replace(/^.+$/gm, '<span class="line">$&</span>');
    return [...pre.querySelectorAll(".line")];
  });
}

// What a change takes away begins with a minus, and computes nothing any more.
const code = (line) => line.textContent.replace(/^\+?\s*/, "");
const isShown = (line) => !line.closest("details:not([open])");

// Of the last place that is not folded: where a part leads to.
function placeOf(lines) {
  const block = (lines.findLast(isShown) ?? lines.at(-1))?.closest("pre");
  return lines.filter((line) => line.closest("pre") === block);
}

export function start(texts) {
  const lines = programLines();
  const of = {};
  const links = [];
  for (const [part, begins] of Object.entries(LINES)) {
    of[part] = lines.filter((line) => begins.some((begin) => code(line).startsWith(begin)));
    const [first] = placeOf(of[part]);
    if (first) first.id = `line-${part}`;
  }

  const light = (link) => {
    lines.forEach((line) => line.classList.toggle("lit", !!link && of[link.dataset.part].includes(line)));
  };
  const rest = () => light(links.find((link) => link === document.activeElement)
    ?? links.find((link) => link.getAttribute("href") === location.hash));

  function linkTo(href, part, name) {
    const link = document.createElementNS(SVG, "a");
    link.setAttribute("href", href);
    link.dataset.part = part;
    const here = placeOf(of[part]);
    if (href.startsWith("#")) {
      const title = document.createElementNS(SVG, "title");
      title.textContent = [name, ...here.map(code)].join("\n");
      link.append(title);
      link.addEventListener("click", () => here[0].closest("details")?.setAttribute("open", ""));
    }
    for (const event of ["pointerenter", "focus"]) link.addEventListener(event, () => light(link));
    for (const event of ["pointerleave", "blur"]) link.addEventListener(event, rest);
    links.push(link);
    return link;
  }

  for (const svg of new Set([...texts].map((text) => text.ownerSVGElement))) {
    svg.setAttribute("role", "group");
    const inside = [...svg.querySelectorAll("[data-part]")];
    const named = inside.filter((text) => /^\d\.\d /.test(text.textContent));
    const made = {};
    for (const text of inside) {
      const {part} = text.dataset;
      const name = named.find((label) => label.dataset.part === part).textContent;
      const chapter = [...document.querySelectorAll(".sidebar-tree a")]
        .find((link) => link.textContent.startsWith(name.slice(0, 4)))?.getAttribute("href") ?? "#";
      const stays = of[part].length && (chapter === "#" || text.textContent !== name);
      const href = stays ? `#line-${part}` : chapter;
      made[href] ??= svg.appendChild(linkTo(href, part, name));
      made[href].append(text);
    }
  }
  addEventListener("hashchange", rest);
  rest();
}
