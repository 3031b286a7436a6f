// The state of the page in its address, after "#": of the tab Sentence the text and the choices, of
// Files the choices, of Check a number the score and its signature. Files are never in it.

import { part } from "./page.js";
import { chosenTab, chooseTab, whenTab } from "./tabs.js";

const keepers = {}; // tab -> {read(): state, write(state)}

// Each tab says how its state is read and written; values are strings.
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
  if (chosenTab() === "sentence") part("link").href = link;
  try {
    if (link !== location.href) history.replaceState(null, "", link);
  } catch {
    // A browser may refuse many changes in a short time; the link itself is right.
  }
}

function obey(state) {
  const { tab = "sentence", ...rest } = state;
  const known = Object.hasOwn(keepers, tab) ? tab : "sentence";
  chooseTab(known);
  keepers[known].write(rest);
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
