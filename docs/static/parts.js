// The parts that the controls of a chapter are made of. Text is only ever put in as text.

let made = 0;

export function element(tag, attributes = {}, ...inside) {
  const it = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) it.setAttribute(name, "");
    else if (value !== false && value !== undefined) it.setAttribute(name, value);
  }
  it.append(...inside);
  return it;
}

// A labelled range whose value is said in words; returns its row and what reads and sets it.
export function slider({ label, min, max, step = 1, value, words = String }, changed) {
  const id = `hands-on-${++made}`;
  const input = element("input", { type: "range", id, min, max, step });
  input.value = value; // after its limits, which would bend it otherwise
  const said = element("output", { for: id, "aria-live": "off" });
  const tell = () => {
    said.textContent = words(Number(input.value));
    input.setAttribute("aria-valuetext", said.textContent);
  };
  input.addEventListener("input", () => { tell(); changed(); });
  tell();
  const row = element("div", { class: "hands-on-slider" },
    element("label", { for: id }, label), input, said);
  return {
    row,
    get value() { return Number(input.value); },
    set value(number) { input.value = number; tell(); },
    set max(number) { input.max = number; tell(); },
  };
}

// A labelled field for text of some lines.
export function field({ label, value, rows }, changed) {
  const id = `hands-on-${++made}`;
  const area = element("textarea", { id, rows, spellcheck: "false", autocomplete: "off", dir: "auto" });
  area.value = value;
  area.addEventListener("input", changed);
  return { row: element("div", { class: "hands-on-field" }, element("label", { for: id }, label), area), area };
}

export function table(heads, rows, caption) {
  return element("div", { class: "hands-on-table", role: "group", "aria-label": caption }, element("table", {},
    element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
    element("tbody", {}, ...rows.map(([name, ...cells]) => element("tr", {},
      element("th", { scope: "row" }, name), ...cells.map((cell) => element("td", {}, cell)))))));
}

// A share of 1 as a bar with its number beside it; what does not count is pale.
export function bar(share, text, counts = true) {
  const fill = element("span", { class: "hands-on-fill" });
  fill.style.width = `${100 * Math.max(0, Math.min(1, share))}%`;
  return element("span", { class: counts ? "hands-on-bar" : "hands-on-bar pale" },
    element("span", { class: "hands-on-track", "aria-hidden": "true" }, fill),
    element("span", {}, text));
}

const PAUSE = 700; // milliseconds without a change before what follows from it is read aloud

// The gist of a result: what it says itself, or the score of each row.
function gist(result) {
  const said = result.querySelector(".hands-on-said");
  const rows = [...result.querySelectorAll("tbody tr")];
  return said?.textContent ?? rows.map((row) =>
    `${row.cells[0].textContent}: ${row.querySelector("strong, .hands-on-bar").textContent}`).join(", ");
}

// The one line that says what follows.
export const said = (...text) => element("p", { class: "hands-on-said" }, ...text);
export const strong = (text) => element("strong", {}, text);

// A box that holds more than it shows can be scrolled by keys.
export function reachable(box) {
  const more = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
  if (more) box.tabIndex = 0;
  else box.removeAttribute("tabindex");
}

// Where results are shown; the first is there to be read, each other is read aloud after a pause.
export function results() {
  const place = element("div");
  const aloud = element("p", { class: "formula-spoken", role: "status" });
  let timer = 0;
  const show = (...nodes) => {
    const first = !place.hasChildNodes();
    place.replaceChildren(...nodes);
    place.querySelectorAll(".hands-on-table").forEach(reachable);
    clearTimeout(timer);
    if (!first) timer = setTimeout(() => { aloud.textContent = gist(place); }, PAUSE);
  };
  return { show, all: element("div", { class: "hands-on-result" }, place, aloud) };
}

// The frame of such a place: a name, the controls, what follows from them, and a way back.
export function frame(name, controls, result, again) {
  const id = `hands-on-${++made}`;
  const reset = element("button", { type: "button" }, "Reset");
  reset.addEventListener("click", again);
  return element("div", { class: "hands-on-frame", role: "group", "aria-labelledby": id },
    element("p", { class: "hands-on-name", id }, name), ...controls, result,
    element("p", { class: "hands-on-foot" }, reset));
}
