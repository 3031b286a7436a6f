// What every page needs of scripts: tables that sort, and what a keyboard needs beyond HTML.

// Numbers by their size, everything else as a reader sorts it: 3.9 before 3.10.4, a before B.
function compare(a, b) {
  const [x, y] = [a, b].map((text) => text === "" ? NaN
    : Number(text.replace("−", "-").replace(/,(?=\d{3}(?!\d))/g, "")));
  if (!Number.isNaN(x) && !Number.isNaN(y)) return x - y;
  return a.localeCompare(b, "en", {numeric: true, sensitivity: "base"});
}

function sortable(table) {
  const body = table.tBodies[0];
  if (body.rows.length < 5) return; // Seen at a glance
  const heads = [...table.tHead.rows[0].cells];
  const value = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.sort ?? cell.textContent.trim();
  };
  heads.forEach((head, column) => {
    if (!head.textContent.trim()) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const order = head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
      const sign = order === "ascending" ? 1 : -1;
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", order);
      const rows = [...body.rows];
      rows.sort((a, b) => sign * compare(value(a, column), value(b, column)));
      body.append(...rows);
    });
  });
}

// A figure is one stop of the Tab key; arrow keys, Home and End move within it.
const STEPS = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity};

function oneStop(figure) {
  const stops = [...figure.querySelectorAll("[tabindex]")];
  stops.forEach((stop, index) => { stop.tabIndex = index ? -1 : 0; });
  figure.addEventListener("focusin", (event) => {
    stops.forEach((stop) => { stop.tabIndex = stop === event.target ? 0 : -1; });
  });
  figure.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    const from = stops.indexOf(event.target);
    if (!step || from < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    stops[Math.min(stops.length - 1, Math.max(0, from + step))].focus();
  });
}

// What is too wide can be scrolled by keyboard; a figure with stops of its own scrolls by them.
function reachable(box) {
  if (box.scrollWidth > box.clientWidth && !box.querySelector("[tabindex]")) box.tabIndex = 0;
  else box.removeAttribute("tabindex");
}

// The theme opens its drawers with labels, which no keyboard reaches: the icon in one is a button.
function drawer(label) {
  const icon = label.querySelector(".icon");
  icon.tabIndex = 0;
  icon.setAttribute("role", "button");
  icon.setAttribute("aria-label", label.control.getAttribute("aria-label"));
  icon.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    label.click();
  });
}

// What pip is told where a script runs: this site's own address of the wheel, with its sum.
function installed(box) {
  const [told] = box.children;
  box.querySelector("pre").textContent =
    `pip install "bleu_nb${box.dataset.extra} @ ${told.querySelector("a").href}"`;
  told.hidden = true;
}

const boxes = document.querySelectorAll(
  ".drawn, .bn-wide, .cell_output .output, div.math, .table-wrapper, pre");
const update = () => boxes.forEach(reachable);
document.querySelectorAll("table.sortable").forEach(sortable);
document.querySelectorAll(".install").forEach(installed);
document.querySelectorAll("article svg.bn-fig").forEach(oneStop);
document.querySelectorAll("label.nav-overlay-icon, label.toc-overlay-icon").forEach(drawer);
addEventListener("resize", update);
document.addEventListener("toggle", update, true); // What was folded had no width
update();
