// The three tabs, as ARIA has them: one stop of the Tab key; arrow keys, Home and End choose.

import { root } from "./page.js";

const tabs = [...root.querySelectorAll('[role="tab"]')];
const panels = tabs.map((tab) => document.getElementById(tab.getAttribute("aria-controls")));
const listeners = [];
let chosen = "sentence";

export const chosenTab = () => chosen;

export function whenTab(listener) {
  listeners.push(listener);
}

// What two tabs share is moved to the one that is shown.
function fillSlots(panel) {
  for (const slot of panel.querySelectorAll("[data-slot]")) {
    const shared = root.querySelector(`[data-part="${slot.dataset.slot}"]`);
    if (!slot.contains(shared)) slot.append(shared);
  }
}

export function chooseTab(name) {
  if (name === chosen) return;
  chosen = name;
  tabs.forEach((tab, index) => {
    const is = panels[index].dataset.tab === name;
    tab.setAttribute("aria-selected", is);
    tab.tabIndex = is ? 0 : -1;
    panels[index].hidden = !is;
    if (is) fillSlots(panels[index]);
  });
  for (const listener of listeners) listener(name);
}

export function showTabs() {
  const steps = { ArrowRight: 1, ArrowLeft: -1 };
  tabs.forEach((tab, index) => {
    tab.addEventListener("click", () => chooseTab(panels[index].dataset.tab));
    tab.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const number = tabs.length;
      const to = event.key in steps ? (index + steps[event.key] + number) % number
        : event.key === "Home" ? 0 : event.key === "End" ? number - 1 : -1;
      if (to < 0) return;
      event.preventDefault();
      chooseTab(panels[to].dataset.tab);
      tabs[to].focus();
    });
  });
}
