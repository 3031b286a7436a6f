// The front page: a score as one types, one in five steps, and a form that fills the playground.

import { digits } from "./arithmetic.js";
import { sentence, unsplit } from "./live.js";

const still = matchMedia("(prefers-reduced-motion: reduce)");

function stepped(figure) {
  const strip = figure.querySelector(".fs-strip");
  const steps = [...strip.children];
  const stage = figure.querySelector(".fs-moving");
  const buttons = [...figure.querySelectorAll("[data-to]")];
  const next = figure.querySelector(".fs-next");
  let current = 0;
  let sliding = 0; // a timer while the texts slide to where a key or a button sent them

  function show(index) {
    current = index;
    stage.dataset.step = index + 1;
    steps.forEach((step, place) => { step.tabIndex = place === index ? 0 : -1; });
    buttons.forEach((button, place) => {
      if (place === index) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    next.disabled = index === steps.length - 1;
  }

  function go(index) {
    if (index < 0 || index >= steps.length) return;
    show(index);
    clearTimeout(sliding);
    sliding = setTimeout(() => { sliding = 0; }, 900);
    strip.scrollTo({left: index * strip.clientWidth, behavior: still.matches ? "instant" : "smooth"});
  }

  strip.addEventListener("scroll", () => {
    const index = Math.round(strip.scrollLeft / strip.clientWidth);
    if (!sliding && index !== current) show(index);
  }, {passive: true});
  figure.addEventListener("keydown", (event) => {
    const keys = {ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: steps.length - 1};
    steps.forEach((step, place) => { keys[place + 1] = place; });
    const to = keys[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(to);
    steps[current].focus({preventScroll: true});
  });
  buttons.forEach((button, index) => button.addEventListener("click", () => go(index)));
  next.addEventListener("click", () => go(current + 1));
  // The drawing follows a finger, or a wheel that turns sideways, as the texts do.
  let start = null;
  stage.addEventListener("pointerdown", (event) => { start = event.clientX; });
  stage.addEventListener("pointerup", (event) => {
    const moved = start === null ? 0 : event.clientX - start;
    start = null;
    if (Math.abs(moved) > 40) go(current - Math.sign(moved));
  });
  stage.addEventListener("wheel", (event) => {
    if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) strip.scrollBy({left: event.deltaX});
  }, {passive: true});
  addEventListener("resize", () => {
    strip.scrollTo({left: current * strip.clientWidth, behavior: "instant"});
  });
  show(0);
}

// After "#", which browsers do not send. A whole line that was printed needs no score beside it.
function leadsToPlayground(form) {
  const {score, signature} = form.elements;
  signature.addEventListener("input", () => { score.required = !signature.value.trim(); });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const told = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, value.trim()]));
    location.href = `${form.action}#${told}`;
  });
}

function scoresAsTyped(box) {
  const rules = JSON.parse(box.dataset.rules);
  const [candidate, reference] = box.querySelectorAll("input");
  const rows = [...box.querySelectorAll(".fl-row")];
  const output = box.querySelector("output");
  const note = box.querySelector(".fl-note");
  const hint = box.querySelector(".fl-hint");

  // Without spaces between words a clause is one word; the playground has another tokenizer.
  function sayUnsplit(found) {
    hint.hidden = found === null;
    if (found === null) return;
    const link = document.createElement("a");
    const state = {c: candidate.value, r: reference.value, t: found.tokenizer};
    link.href = `playground.html#${new URLSearchParams(state)}`;
    link.textContent = `score it with the tokenizer ${found.tokenizer}`;
    hint.replaceChildren(`This looks like ${found.language}, and whole clauses are taken for words here: `,
      link, ".");
  }

  box.addEventListener("input", () => {
    const found = sentence(candidate.value, reference.value, rules);
    rows.forEach((row, n) => {
      const [matched, total] = [found.matches[n], found.totals[n]];
      row.querySelector("i i").style.setProperty("--share", total ? matched / total : 0);
      row.querySelector("b").textContent = `${matched} of ${total}`;
    });
    sayUnsplit(unsplit(candidate.value, rules));
    note.hidden = !found.matches[0] || found.matches.every((matched, n) => matched || !found.totals[n]);
    output.querySelector("strong").textContent = digits(100 * found.value, 1);
    output.querySelector("span").textContent = `= mean ${digits(100 * found.mean, 1)} × brevity penalty ${
      digits(found.penalty, 3)}`;
  });
}

document.querySelectorAll(".fl").forEach(scoresAsTyped);
document.querySelectorAll(".fs-live").forEach(stepped);
document.querySelectorAll("form.ff").forEach(leadsToPlayground);
