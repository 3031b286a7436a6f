// A word of the glossary shows its definition: under the pointer, in focus, or by a first tap.
// It stays while the pointer is on it, and goes with Escape (WCAG 1.4.13).

const WAIT = 120; // milliseconds for the pointer to reach the definition
const EDGE = 8; // pixels between a definition and the window's edge

const box = document.createElement("div");
box.id = "term-says";
box.className = "term-says";
box.setAttribute("role", "tooltip");
box.hidden = true;

let shown = null; // the word whose definition is shown
let timer = 0;

function show(term) {
  clearTimeout(timer);
  if (shown === term) return;
  hide();
  shown = term;
  box.textContent = term.dataset.says;
  box.hidden = false;
  term.setAttribute("aria-describedby", box.id);
  place(term);
}

function hide() {
  clearTimeout(timer);
  shown?.removeAttribute("aria-describedby");
  shown = null;
  box.hidden = true;
}

// Below the word's last line, or above its first where the window ends.
function place(term) {
  const lines = [...term.getClientRects()];
  const [first, last] = [lines[0], lines.at(-1)];
  box.style.left = box.style.top = "0";
  const { left: x, top: y, width, height } = box.getBoundingClientRect();
  const left = Math.max(EDGE, Math.min(last.left, document.documentElement.clientWidth - width - EDGE));
  const below = last.bottom + height + EDGE <= innerHeight || first.top < height + EDGE;
  box.style.left = `${left - x}px`;
  box.style.top = `${(below ? last.bottom : first.top - height) - y}px`;
}

const hideSoon = () => {
  clearTimeout(timer);
  timer = setTimeout(() => shown === document.activeElement || hide(), WAIT);
};

export function start(terms) {
  terms[0].closest("article").append(box); // inside of a landmark
  for (const term of terms) {
    let tapped = false; // is the click to come the one that only shows?
    term.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && show(term));
    term.addEventListener("pointerleave", hideSoon);
    term.addEventListener("focus", () => show(term));
    term.addEventListener("blur", hide);
    term.addEventListener("pointerdown", (event) => {
      tapped = event.pointerType !== "mouse" && shown !== term;
    });
    term.addEventListener("click", (event) => {
      if (!tapped) return;
      event.preventDefault();
      tapped = false;
      show(term);
    });
  }
  box.addEventListener("pointerenter", () => clearTimeout(timer));
  box.addEventListener("pointerleave", hideSoon);
  addEventListener("keydown", (event) => event.key === "Escape" && hide());
  addEventListener("pointerdown", (event) => {
    if (shown && !box.contains(event.target) && !shown.contains(event.target)) hide();
  });
  addEventListener("resize", hide);
}
