// The places of a chapter where a reader can type over a sentence, or move a choice.

import { EDITORS } from "./editors.js";
import { MOVABLE } from "./movable.js";
import { reachable } from "./parts.js";

export function start(places) {
  for (const place of places) {
    const make = EDITORS[place.dataset.kind] ?? MOVABLE[place.dataset.kind];
    place.append(...make(JSON.parse(place.dataset.start), place));
    place.querySelectorAll(".hands-on-table").forEach(reachable);
    place.dataset.ready = "true";
  }
  addEventListener("resize", () => document.querySelectorAll(".hands-on-table").forEach(reachable));
}
