// Exercises to type an answer into: checked here as bleu_nb.display.exercises checks them.

import { element } from "./parts.js";

let made = 0;
const NUMBER = /^\s*([-+]?(?:[0-9]+[.,]?[0-9]*|[.,][0-9]+))\s*(?:\/\s*0*([1-9][0-9]*)\s*)?(%\s*)?$/;

function numbers(text) {  // Empty if it is no number, two for a percentage
  const found = NUMBER.exec(text);
  if (!found) return [];
  const value = Number(found[1].replace(",", ".")) / Number(found[2] ?? 1);
  return found[3] ? [value, value / 100] : [value];
}

const words = (text) => text.toLowerCase().split(/\s+/).filter(Boolean).join(" ");

function same(mine, other, within) {
  if (typeof other === "string") return words(mine) === words(other);
  return numbers(mine).some((each) => Math.abs(each - other) <= within);
}

function rescaled(mine, right, within) {  // What is said of the right number on another scale
  if (typeof right === "string" || Math.abs(right) <= within) return undefined;
  const by = [[0.01, "multiply"], [100, "divide"]].find(([by]) => same(mine, right * by, within * by));
  return by && `not yet: ${by[1]} by 100, for your number is the right one on another scale`;
}

export function verdict(mine, { right, within, mistakes }) {
  if (!mine.trim()) return "type an answer first";
  if (same(mine, right, within)) return "right";
  const found = mistakes.find(([wrong]) => same(mine, wrong, within));
  if (found) return `not yet: ${found[1]}`;
  if (typeof right === "number" && !numbers(mine).length) return "not yet: type a number, such as 0.5 or 1/2";
  return rescaled(mine, right, within) ?? "not yet";
}

export function unquoted(text) {  // As a cell of Python takes "no"
  return text.trim().replace(/^(["'])(.*)\1$/, "$2");
}

export function start(places) {
  for (const place of places) {
    const exercise = JSON.parse(place.dataset.exercise);
    const id = `exercise-${++made}`;
    const input = element("input", { id, type: "text", autocomplete: "off", spellcheck: "false", size: 12 });
    const said = element("output", { for: id, "aria-live": "polite" });
    const check = element("button", { type: "button" }, "Check");
    const tell = () => { said.textContent = verdict(unquoted(input.value), exercise); };
    input.addEventListener("change", tell);
    check.addEventListener("click", tell);
    place.replaceChildren(element("label", { for: id }, "Your answer: "), input, " ", check, " ", said);
    place.dataset.ready = "true";
  }
}
