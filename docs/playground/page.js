// What all parts of the playground's page share: finding elements, timers, messages, pictures.

export const root = document.getElementById("pg");
export const part = (name) => root.querySelector(`[data-part="${name}"]`);
const QUIET = 900; // milliseconds before a result is read aloud
const timers = {};

export function later(name, wait, doing) {
  clearTimeout(timers[name]);
  timers[name] = setTimeout(doing, wait);
}

export function never(...names) {
  for (const name of names) clearTimeout(timers[name]);
}

// An element with attributes and children; text is put in as text.
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

// A line with a signature, which may break after each of its fields, and inside none.
export function signed(line) {
  const [signature, ...score] = line.split(" = ");
  const fields = signature.split("|");
  const last = fields.pop();
  return [...fields.flatMap((each) => [element("span", { class: "whole" }, `${each}|`),
    element("wbr")]), [last, ...score].join(" = ")];
}

// -- Messages --------------------------------------------------------------------------------------

export function status(text) {
  part("status").textContent = text;
  part("status").hidden = !text;
}

// Text in a box that is there only while it says something.
export function tell(box, text) {
  box.textContent = text;
  box.hidden = !text;
}

export function sayAloud(text) {
  later("aloud", QUIET, () => { part("aloud").textContent = text; });
}

// How far it has come, in a bar and in words; without numbers the bar goes.
export function progress(name, words, done, of) {
  const box = part(name);
  box.hidden = done === undefined;
  if (box.hidden) return;
  box.querySelector("progress").max = of;
  box.querySelector("progress").value = done;
  box.querySelector("span").textContent = words;
}

export const numbered = (what, done, of) =>
  `${what}: ${done.toLocaleString("en")} of ${of.toLocaleString("en")}`;

// -- Pictures and boxes ----------------------------------------------------------------------------

// The package makes the markup and escapes what was typed. As XML it is parsed whole or not at all.
export function parsed(markup) {
  if (!markup.startsWith("<svg")) {
    const template = document.createElement("template");
    template.innerHTML = markup;
    return template.content;
  }
  const found = new DOMParser().parseFromString(markup, "image/svg+xml");
  if (found.querySelector("parsererror")) throw new Error("the picture is not well-formed");
  return document.importNode(found.documentElement, true);
}

// A picture as the package draws it, for a page and for a phone.
export const picture = ({ markup, narrow }) => element("div", { class: "bn-wide bn-both" },
  ...[markup, narrow].filter(Boolean).map(parsed));

// A picture is one stop of the Tab key; arrow keys, Home and End move within it.
export function oneTabStop(stops) {
  const keys = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity,
    End: Infinity };
  stops.forEach((stop, index) => {
    stop.setAttribute("tabindex", index ? "-1" : "0");
    stop.addEventListener("focus", () => {
      for (const each of stops) each.setAttribute("tabindex", each === stop ? "0" : "-1");
    });
    stop.addEventListener("keydown", (event) => {
      const step = keys[event.key];
      if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      stops[Math.min(stops.length - 1, Math.max(0, index + step))].focus();
    });
  });
}

// What is too wide can be scrolled by keyboard.
export function reachable(box) {
  if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  else box.removeAttribute("tabindex");
}

// -- Leaving the page: files and the clipboard ---------------------------------------------------------

export function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  const link = element("a", { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

export async function copy(text, source) {
  try {
    await navigator.clipboard.writeText(text);
    part("copied").textContent = "Copied.";
  } catch {
    getSelection().selectAllChildren(source);
    part("copied").textContent = "The browser does not allow this page to copy; it is selected"
      + " instead.";
  }
  later("copied", 4000, () => { part("copied").textContent = ""; });
}
