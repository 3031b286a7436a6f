// What the chapters need of scripts. Each part is loaded only by a page that has a place for it.

const parts = [
  [".hands-on", () => import("./hands_on.js")],
  [".exercise", () => import("./exercises.js")],
  ["a.term", () => import("./terms.js")],
  ["svg [data-part]", () => import("./formula.js")],
  [".tab-row, details.fold", () => import("./screens.js")],
  ["div.highlight pre", () => import("./copy.js")],
];

for (const [places, load] of parts) {
  const found = document.querySelectorAll(places);
  if (found.length) load().then((part) => part.start(found));
}
