// Exercises to type an answer into: checked here as bleu_nb.display.exercises checks them.

import { element } from "./parts.js";

let made = 0;
const number = (text) => (/^\s*[-+]?(\d+\.?\d*|\.\d+)\s*$/.test(text) ? Number(text)
  : /^\s*\d+\s*\/\s*\d+\s*$/.test(text) ? text.split("/").map(Number).reduce((a, b) => a / b) : null);
const words = (text) => text.toLowerCase().split(/\s+/).filter(Boolean).join(" ");

function same(mine, other, within) {
  if (typeof other === "string") return words(mine) === words(other);
  const typed = number(mine);
  return typed !== null && Math.abs(typed - other) <= within;
}

export function verdict(mine, { right, within, mistakes }) {
  if (!mine.trim()) return "your turn";
  if (same(mine, right, within)) return "right";
  const found = mistakes.find(([wrong]) => same(mine, wrong, within));
  if (found) return `not yet: ${found[1]}`;
  return typeof right === "number" && number(mine) === null ? "not yet: type a number, such as 0.5 or 1/2" : "not yet";
}

export function unquoted(text) {  // As a cell of Python takes "no"
  return text.trim().replace(/^(["'])(.*)\1$/, "$2");
}

export function start(places) {
  for (const place of places) {
    const exercise = JSON.parse(place.dataset.exercise);
    const id = `exercise-${++made}`;
    const input = element("input", { id, type: "text", autocomplete: "off", spellcheck: "false", size: 12 });
    const said = element("output", { for: id, "aria-live": "polite" }, "your turn");
    input.addEventListener("change", () => { said.textContent = verdict(unquoted(input.value), exercise); });
    place.replaceChildren(element("label", { for: id }, "Your answer: "), input, " ", said);
    place.dataset.ready = "true";
  }
}
