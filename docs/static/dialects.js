// The table of dialects: filter it as one types, and say what differs between two of its rows.

const table = document.querySelector("table.dialects");
const rows = [...table.tBodies[0].rows];
const panel = document.querySelector(".dl-against");
const base = JSON.parse(panel.dataset.default);
const [from, to] = panel.querySelectorAll("select");
const rowOf = (name) => document.getElementById(name).closest("tr");
const choicesOf = (name) => ({...base, ...JSON.parse(rowOf(name).dataset.choices)});

// The name in the row that the address asks for
const asked = () => table.querySelector("tbody th:target");

function made(tag, className, ...parts) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...parts);
  return element;
}

// -- Filter ----------------------------------------------------------------------------------

function addFilter() {
  const input = made("input");
  input.type = "search";
  input.autocomplete = "off";
  input.spellcheck = false;
  const found = made("output", "dl-found");
  const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  const update = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const row of rows) row.hidden = !words.every((word) => texts.get(row).includes(word));
    const left = rows.filter((row) => !row.hidden).length;
    found.textContent = `${left} of ${rows.length} rows`;
  };
  input.addEventListener("input", update);
  addEventListener("hashchange", () => { // A row that is asked for is shown
    if (asked()?.closest("tr").hidden) {
      input.value = "";
      update();
      asked().scrollIntoView();
    }
  });
  const label = made("label", "", "Filter ", input);
  table.closest(".table-wrapper").before(made("div", "dl-filter", label, found));
  update();
}

// -- One row against another -----------------------------------------------------------------

function note(choice, one, other) {
  if (choice === "casing" && one.lowercase === "no" && other.lowercase === "no") {
    return "nothing here: neither of them lower-cases";
  }
  const orders = [one.effective_order, other.effective_order];
  if (choice === "reading") return "only where files are read";
  if (choice === "effective_order" && !orders.includes("always")) return "only where single sentences are scored";
  return "";
}

function differences(one, other) {
  const names = Object.keys(base).filter((name) => one[name] !== other[name]);
  const head = made("tr", "", ...["choice", from.value, to.value].map((text) => {
    const cell = made("th", "", text);
    cell.scope = "col";
    return cell;
  }));
  const body = names.map((name) => {
    const said = note(name, one, other);
    const first = made("th", "", name.replaceAll("_", " "), ...said ? [made("div", "dl-note", said)] : []);
    first.scope = "row";
    return made("tr", "", first, ...[one, other].map((row) => made("td", "", made("code", "", row[name]))));
  });
  return [names.length, made("div", "dl-scroll", made("table", "", made("thead", "", head), made("tbody", "", ...body)))];
}

function say() {
  const [number, differ] = differences(choicesOf(from.value), choicesOf(to.value));
  const told = number === 0 ? "They differ in no choice: every score is the same."
    : number === 1 ? "They differ in one choice:" : `They differ in ${number} choices:`;
  const command = `bleu-nb explain --from ${from.value} --to ${to.value} output.txt reference.txt`;
  const copy = made("button", "dl-copy", "Copy");
  copy.type = "button";
  copy.setAttribute("aria-label", "Copy the command");
  const code = made("code", "dl-command", command);
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(command);
      copy.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(code);
      copy.textContent = "Selected";
    }
  });
  const link = made("a", "", "Explain it on a sentence, in the playground");
  const state = {...JSON.parse(panel.dataset.example), d: from.value, x: to.value};
  link.href = `playground.html#${new URLSearchParams(state)}`;
  const result = panel.querySelector(".dl-differs");
  result.replaceChildren(made("p", "", told), ...number ? [differ] : [], made("p", "", code, copy), made("p", "", link));
  return number;
}

// Two rows can be ticked; a third takes the place of the one ticked first.
function addPicks() {
  const picked = [];
  const bar = made("p", "dl-bar");
  bar.hidden = true;
  bar.setAttribute("role", "status");
  const boxes = new Map(rows.map((row) => {
    const box = made("input", "dl-pick");
    box.type = "checkbox";
    box.setAttribute("aria-label", `Explain ${row.dataset.name} against another`);
    row.cells[0].prepend(box);
    box.addEventListener("change", () => {
      if (box.checked) picked.push(row.dataset.name);
      else picked.splice(picked.indexOf(row.dataset.name), 1);
      if (picked.length > 2) boxes.get(picked.shift()).checked = false;
      update();
    });
    return [row.dataset.name, box];
  }));
  const update = () => {
    bar.hidden = picked.length === 0;
    if (picked.length === 1) bar.replaceChildren(`${picked[0]} against …: tick another row.`);
    if (picked.length !== 2) return;
    [from.value, to.value] = picked;
    const number = say();
    const link = made("a", "", "See which");
    link.href = "#explain-one-against-another";
    bar.replaceChildren(`${picked[0]} against ${picked[1]}: ${number === 1 ? "1 choice differs" : `${number} choices differ`}. `,
      ...number ? [link] : []);
  };
  const chosen = () => {
    for (const [name, box] of boxes) box.checked = name === from.value || name === to.value;
    picked.splice(0, 2, ...new Set([from.value, to.value]));
    bar.hidden = true;
    say();
  };
  [from, to].forEach((select) => select.addEventListener("change", chosen));
  table.closest(".table-wrapper").after(bar);
}

panel.hidden = false;
document.querySelector(".dl-static").remove(); // Said below, with the rows that are chosen
addFilter();
addPicks();
say();
asked()?.scrollIntoView({behavior: "instant"}); // What was added above it has moved it
