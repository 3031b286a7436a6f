// The choices of a BLEU: menus that the package fills, what an empty choice means, and the way back.

import { menus } from "./asking.js";
import { element, part, root, tell } from "./page.js";

// Letters in a link, and the fields that they stand for.
export const CHOICES = { d: "dialect", t: "tokenizer", o: "max_order", s: "smoothing",
  v: "smoothing_value", l: "lowercase" };
export const FIELDS = { c: "candidate", r: "references", ...CHOICES, x: "against" };
const OFFERED = ["dialect", "tokenizer", "max_order", "smoothing", "lowercase", "against"];
let unknown = []; // what a link asks for that is not known here
const OWN = ["tokenizer", "max_order", "smoothing", "smoothing_value", "lowercase"];
export const field = Object.fromEntries(Object.values(FIELDS).map(
  (name) => [name, root.querySelector(`[name="${name}"]`)]));

function fill(select, options) {
  const kept = select.dataset.wanted ?? select.value;
  select.replaceChildren(...options.map(
    ([value, text]) => new Option(text, value, false, value === kept)));
  select.disabled = false;
  delete select.dataset.wanted;
  const found = options.some(([value]) => value === kept);
  if (!found) select.value = select.dataset.usual ?? options[0][0];
  return found ? [] : [asked(select, kept)];
}

const asked = (input, value) => `${input.labels[0].textContent.trim()} “${value}”`;

function rowOf(name) {
  return menus.dialects.find((row) => row.name === name);
}

function smoother() {
  const name = field.smoothing.value || rowOf(field.dialect.value).smoothing;
  return menus.smoothings.find((each) => each.name === name);
}

// What an empty choice means depends on the dialect, and is said in its place. A number that the
// smoother does not take is given back.
function sayWhatIsMeant() {
  const row = rowOf(field.dialect.value);
  const meant = { tokenizer: row.tokenizer, max_order: row.max_order, smoothing: row.smoothing,
    lowercase: row.lowercase ? "lower-cased" : "as typed" };
  for (const [name, value] of Object.entries(meant)) {
    field[name].options[0].textContent = `${value} (the dialect’s)`;
  }
  const number = smoother().value;
  const idle = number === null && field.smoothing_value.value;
  if (idle) field.smoothing_value.value = "";
  field.smoothing_value.disabled = number === null;
  field.smoothing_value.placeholder = number === null ? "none" : String(number);
  const source = element("a", { href: row.source.split(",")[0] }, row.source); // before the comma
  part("source").replaceChildren(`${row.name} is version ${row.version}: `, source, ".");
  return idle ? [asked(field.smoothing_value, idle)] : [];
}

// What a link asks for is all of it, or `more` than was found before.
export function sayUnknown(names, more = false) {
  unknown = more ? [...unknown, ...names] : names;
  tell(part("notice"), unknown.length ? `The link asks for ${unknown.join(" and ")}, not known here. `
    + "What is usual is shown instead." : "");
}

export function offer() {
  const rows = menus.dialects.map((row) => [row.name, `${row.name} ${row.version}`]);
  const lists = {
    dialect: rows,
    against: rows,
    tokenizer: [["", ""], ...menus.tokenizers.map((name) => [name, name])],
    max_order: [["", ""], ...menus.orders.map((order) => [String(order), String(order)])],
    smoothing: [["", ""], ...menus.smoothings.map(
      (each) => [each.name, `${each.name}: ${each.source}`])],
    lowercase: [["", ""], ["true", "lower-cased"], ["false", "as typed"]],
  };
  const missed = OFFERED.flatMap((name) => fill(field[name], lists[name]));
  part("left-out").textContent =
    `Tokenizers that need another package are not here: ${menus.left_out.join(", ")}.`;
  sayUnknown([...missed, ...sayWhatIsMeant()], true);
}

// Without Python the menus are empty: what was chosen is remembered.
export function closeMenus() {
  for (const name of OFFERED) {
    if (!field[name].disabled) field[name].dataset.wanted = field[name].value;
    field[name].disabled = true;
  }
}

// Whether a state has a text; without one, the text that is there stays.
export const hasText = (state) => "c" in state || "r" in state;

// Fill fields from a state, whose keys are letters of a link.
export function setFields(state, letters = FIELDS) {
  const missed = [];
  for (const [letter, name] of Object.entries(letters)) {
    const value = state[letter] ?? field[name].dataset.usual ?? "";
    if ("cr".includes(letter)) {
      if (hasText(state)) field[name].value = value;
    } else if (menus === null && OFFERED.includes(name)) {
      field[name].dataset.wanted = value;
    } else {
      field[name].value = value;
      if (field[name].value !== value) {
        missed.push(asked(field[name], value));
        field[name].value = field[name].dataset.usual ?? "";
      }
    }
  }
  sayUnknown([...missed, ...(menus === null ? [] : sayWhatIsMeant())], true);
}

export function readFields(letters = FIELDS) {
  const state = {};
  for (const [letter, name] of Object.entries(letters)) {
    const value = menus === null ? field[name].dataset.wanted ?? field[name].value
      : field[name].disabled ? "" : field[name].value;
    if (value !== "" || "cr".includes(letter)) state[letter] = value;
  }
  return state;
}

// Nothing: the smoother's own. What is no number is passed on, for the package to refuse.
function numberIn(input) {
  if (input.validity.badInput) return "what is typed";
  return input.disabled || input.value === "" ? null : Number(input.value);
}

// The choices as the package takes them.
export function chosen() {
  return {
    dialect: field.dialect.value,
    tokenizer: field.tokenizer.value,
    max_order: field.max_order.value && Number(field.max_order.value),
    smoothing: field.smoothing.value,
    smoothing_value: numberIn(field.smoothing_value),
    lowercase: field.lowercase.value && field.lowercase.value === "true",
  };
}

// What is chosen other than sacreBLEU's own settings, in words; empty if nothing is.
export function unusual() {
  const other = ["dialect", ...OWN].filter((name) => !field[name].disabled && field[name].value
    && field[name].value !== field[name].dataset.usual);
  return other.map((name) => asked(field[name], field[name].value)).join(", ");
}

function backToOwn() {
  for (const name of OWN) field[name].value = "";
  if (menus !== null) sayWhatIsMeant();
}

// `changed` is called after each change, `before` before a reset.
export function listen(changed, before) {
  for (const name of Object.values(CHOICES)) {
    field[name].addEventListener("input", () => {
      if (name === "dialect") backToOwn();
      else if (menus !== null) sayWhatIsMeant();
      changed();
    });
  }
  part("reset").addEventListener("click", () => {
    before();
    backToOwn();
    changed();
  });
  part("as-usual").addEventListener("click", () => {
    before();
    field.dialect.value = field.dialect.dataset.usual;
    backToOwn();
    changed();
    field.dialect.focus();
  });
}
