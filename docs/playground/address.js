// The state of the page in its address, after "#": of the tab Sentence the text and the choices, of
// Files the choices, of Check a number the score and its signature. Files are never in it, nor is a
// line of them that is shown as a sentence. Of what an address asks, what is not known here is said.

import { sayUnknown } from "./choices.js";
import { chosenTab, chooseTab, whenTab } from "./tabs.js";

const keepers = {}; // tab -> {keys, read(): state, write(state)}

// Each tab says what its state consists of, how it is read and written; values are strings.
export function keep(tab, keeper) {
  keepers[tab] = keeper;
}

export function stateOf(address) {
  const hash = new URL(address).hash.slice(1);
  return hash.includes("=") ? Object.fromEntries(new URLSearchParams(hash)) : null;
}

export function linkTo(state) {
  return `${location.href.split("#")[0]}#${new URLSearchParams(state)}`;
}

function present() {
  const tab = chosenTab();
  return linkTo({ ...(tab === "sentence" ? {} : { tab }), ...keepers[tab].read() });
}

export function keepInAddress() {
  const link = present();
  try {
    if (link !== location.href) history.replaceState(null, "", link);
  } catch {
    // A browser may refuse many changes in a short time; the page itself is right.
  }
}

// What is shown from here on is a step that the browser's Back takes back.
export function step() {
  try {
    history.pushState(null, "", location.href);
  } catch {
    // As above.
  }
}

function obey(state) {
  const { tab = "sentence", ...rest } = state;
  const known = Object.hasOwn(keepers, tab) ? tab : "sentence";
  const { keys, write } = keepers[known];
  const strange = Object.entries(rest).filter(([key]) => !keys.includes(key));
  sayUnknown([...(known === tab ? [] : [["tab", tab]]), ...strange]
    .map(([key, value]) => `“${key}=${value}”`));
  chooseTab(known);
  write(Object.fromEntries(Object.entries(rest).filter(([key]) => keys.includes(key))));
}

export function follow() {
  const state = stateOf(location.href);
  if (state) obey(state);
  keepInAddress();
  whenTab(keepInAddress);
  addEventListener("hashchange", () => {
    const wanted = stateOf(location.href);
    if (wanted !== null && present() !== location.href) obey(wanted);
  });
}
