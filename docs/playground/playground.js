// The playground's page: reads the form, asks the worker, shows the answer.
// Nothing typed is sent or stored; the address holds it after "#", which browsers keep to themselves.
"use strict";
(() => {
  const base = document.currentScript.src;
  const root = document.getElementById("pg");
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const WAIT = 90; // milliseconds without a key before a question is asked
  const SLOW = 600; // milliseconds without an answer before that is said
  const QUIET = 900; // milliseconds before a score is read aloud

  // Letters in a link, and the fields of the form that they stand for.
  const FIELDS = { c: "candidate", r: "references", d: "dialect", t: "tokenizer", o: "max_order",
    s: "smoothing", v: "smoothing_value", l: "lowercase", x: "against" };
  const OFFERED = ["dialect", "tokenizer", "max_order", "smoothing", "lowercase", "against"];
  const field = Object.fromEntries(Object.values(FIELDS).map(
    (name) => [name, root.querySelector(`[name="${name}"]`)]));

  let menus = null; // what there is to choose from, once the package is there
  let worker = null;
  let asked = 0; // number of the newest question
  let underWay = 0; // number of the question that the worker has, 0 if none
  let again = false; // has the form changed since?
  const timers = {};

  function later(name, wait, doing) {
    clearTimeout(timers[name]);
    timers[name] = setTimeout(doing, wait);
  }

  function never(...names) {
    for (const name of names) clearTimeout(timers[name]);
  }

  // -- The form ------------------------------------------------------------------------------

  function fill(select, options) {
    const kept = select.dataset.wanted ?? select.value;
    select.replaceChildren(...options.map(([value, text]) => new Option(text, value, false, value === kept)));
    select.disabled = false;
    delete select.dataset.wanted;
    const found = options.some(([value]) => value === kept);
    if (!found) select.value = select.dataset.usual ?? options[0][0];
    return found ? [] : [`${select.labels[0].textContent.trim()} “${kept}”`];
  }

  function rowOf(name) {
    return menus.dialects.find((row) => row.name === name);
  }

  function smoother() {
    const name = field.smoothing.value || rowOf(field.dialect.value).smoothing;
    return menus.smoothings.find((each) => each.name === name);
  }

  // What an empty choice means depends on the dialect, and is said in its place.
  function sayWhatIsMeant() {
    const row = rowOf(field.dialect.value);
    const meant = { tokenizer: row.tokenizer, max_order: row.max_order, smoothing: row.smoothing,
      lowercase: row.lowercase ? "lower-cased" : "as typed" };
    for (const [name, value] of Object.entries(meant)) {
      field[name].options[0].textContent = `${value} (the dialect’s)`;
    }
    const number = smoother().value;
    field.smoothing_value.disabled = number === null;
    field.smoothing_value.placeholder = number === null ? "none" : String(number);
    const source = document.createElement("a");
    source.textContent = row.source;
    source.href = row.source.split(",")[0]; // a comma sets a function apart
    part("source").replaceChildren(`${row.name} is version ${row.version}: `, source, ".");
  }

  function offer() {
    const rows = menus.dialects.map((row) => [row.name, `${row.name} ${row.version}`]);
    const lists = {
      dialect: rows,
      against: rows,
      tokenizer: [["", ""], ...menus.tokenizers.map((name) => [name, name])],
      max_order: [["", ""], ...menus.orders.map((order) => [String(order), String(order)])],
      smoothing: [["", ""], ...menus.smoothings.map(
        (each) => [each.name, `${each.name}: ${each.source}`])],
      lowercase: [["", ""], ["true", "lower-cased"], ["false", "as typed"]],
    };
    const unknown = OFFERED.flatMap((name) => fill(field[name], lists[name]));
    part("left-out").textContent =
      `Tokenizers that sacreBLEU downloads are not here: ${menus.left_out.join(", ")}.`;
    sayWhatIsMeant();
    sayWhatIsUnknown(unknown);
  }

  function sayWhatIsUnknown(names) {
    part("notice").textContent = `The link asks for ${names.join(" and ")}, which is not known here.`
      + " The usual choice is shown instead.";
    part("notice").hidden = !names.length;
  }

  function showExamples() {
    part("examples").replaceChildren(...menus.examples.map((example) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = example.name;
      button.title = example.about;
      button.addEventListener("click", () => {
        const state = Object.fromEntries(Object.entries(FIELDS).map(
          ([letter, name]) => [letter, String(example[name] ?? "")]));
        setForm({ ...state, r: example.references.join("\n") });
        part("about").textContent = example.about;
        changed();
      });
      return button;
    }));
  }

  // -- The state, and a link that holds it ------------------------------------------------------

  function setForm(state) {
    const unknown = [];
    for (const [letter, name] of Object.entries(FIELDS)) {
      const value = state[letter] ?? field[name].dataset.usual ?? "";
      if (menus === null && OFFERED.includes(name)) {
        field[name].dataset.wanted = value;
      } else {
        field[name].value = value;
        if (field[name].selectedIndex === -1) {
          unknown.push(`${field[name].labels[0].textContent.trim()} “${value}”`);
          field[name].value = field[name].dataset.usual ?? "";
        }
      }
    }
    part("about").textContent = "";
    if (menus === null) return;
    sayWhatIsMeant();
    sayWhatIsUnknown(unknown);
  }

  function formState() {
    const state = {};
    for (const [letter, name] of Object.entries(FIELDS)) {
      const element = field[name];
      const value = menus === null ? element.dataset.wanted ?? element.value
        : element.disabled ? "" : element.value;
      if (value !== "" || "cr".includes(letter)) state[letter] = value;
    }
    return state;
  }

  function stateOf(address) {
    const hash = new URL(address).hash.slice(1);
    return hash.includes("=") ? Object.fromEntries(new URLSearchParams(hash)) : null;
  }

  function linkTo(state) {
    return `${location.href.split("#")[0]}#${new URLSearchParams(state)}`;
  }

  function keepInAddress() {
    const link = linkTo(formState());
    part("link").href = link;
    try {
      if (link !== location.href) history.replaceState(null, "", link);
    } catch {
      // A browser may refuse many changes in a short time; the link itself is right.
    }
  }

  // Nothing: the smoother's own. What is no number is passed on, for the package to refuse.
  function numberIn(element) {
    if (element.validity.badInput) return "what is typed";
    return element.disabled || element.value === "" ? null : Number(element.value);
  }

  function question() {
    const typed = field.references.value.split("\n").filter((line) => line.trim());
    return JSON.stringify({
      candidate: field.candidate.value,
      references: typed,
      dialect: field.dialect.value,
      against: field.against.value,
      tokenizer: field.tokenizer.value,
      max_order: field.max_order.value && Number(field.max_order.value),
      smoothing: field.smoothing.value,
      smoothing_value: numberIn(field.smoothing_value),
      lowercase: field.lowercase.value && field.lowercase.value === "true",
    });
  }

  // -- Asking ----------------------------------------------------------------------------------

  function changed() {
    if (menus === null) {
      keepInAddress();
      return;
    }
    busy(true);
    again = true;
    later("ask", WAIT, ask);
  }

  function ask() {
    if (underWay || menus === null) return; // asked as soon as the answer under way is there
    again = false;
    keepInAddress();
    underWay = ++asked;
    later("slow", SLOW, () => status("Scoring … this text takes a while."));
    worker.postMessage({ number: underWay, question: question() });
  }

  function answered(number, text) {
    if (number !== underWay) return;
    underWay = 0;
    never("slow");
    if (again) {
      later("ask", 0, ask); // what has come is stale
      return;
    }
    show(JSON.parse(text));
    status("");
    busy(false);
  }

  // -- Showing ---------------------------------------------------------------------------------

  // The package makes the markup and escapes what was typed. As XML it is parsed whole or not at all.
  function parsed(markup) {
    if (!markup.startsWith("<svg")) {
      const template = document.createElement("template");
      template.innerHTML = markup;
      return template.content;
    }
    const found = new DOMParser().parseFromString(markup, "image/svg+xml");
    if (found.querySelector("parsererror")) throw new Error("the picture is not well-formed");
    return document.importNode(found.documentElement, true);
  }

  function showPicture(name, result) {
    const figure = part(name);
    const place = figure.querySelector(".pg-picture");
    const save = figure.querySelector("[data-save]");
    const said = figure.querySelector(".pg-none");
    try {
      if (result.error) throw new Error(result.error);
      place.replaceChildren(parsed(result.markup));
      oneTabStop([...place.querySelectorAll("[tabindex]")]);
      said.textContent = "";
    } catch (error) {
      place.replaceChildren();
      said.textContent = `No picture: ${error.message}.`;
    }
    said.hidden = !said.textContent;
    const svg = place.querySelector("svg");
    save.hidden = !svg;
    save.onclick = () => download(`bleu-${name}.svg`, asFile(result.markup, svg));
  }

  // A picture is one stop of the Tab key; arrow keys, Home and End move within it.
  function oneTabStop(stops) {
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
  function reachable(box) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }

  // What the package wrote, if it is one picture; else the picture as the page holds it.
  function asFile(markup, svg) {
    return markup.startsWith("<svg") ? markup : new XMLSerializer().serializeToString(svg);
  }

  function download(name, text) {
    const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    const link = document.createElement("a");
    link.href = address;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }

  function show(answer) {
    const refused = answer.error !== undefined;
    part("refused").hidden = !refused;
    part("refused").textContent = refused ? `No score: ${answer.error}.` : "";
    part("results").hidden = refused;
    if (!refused) {
      const scale = answer.scale;
      part("value").textContent = Number(answer.value).toFixed(scale > 1 ? 2 : 4);
      part("value").dataset.value = answer.value;
      part("scale").textContent = `of ${scale}`;
      part("line").textContent = answer.line;
      for (const name of ["alignment", "anatomy", "explanation"]) {
        showPicture(name, answer[name]);
      }
      part("text").textContent = answer.explanation.text ?? "";
      part("in-text").hidden = !answer.explanation.text;
      part("call").textContent = answer.call;
      root.querySelectorAll(".pg-picture, pre").forEach(reachable);
    }
    later("aloud", QUIET, () => {
      part("aloud").textContent = refused ? `No score: ${answer.error}` : answer.words;
    });
  }

  function busy(is) {
    root.dataset.busy = is;
    part("results").setAttribute("aria-busy", is);
  }

  function status(text) {
    part("status").textContent = text;
    part("status").hidden = !text;
  }

  // -- Copying ---------------------------------------------------------------------------------

  async function copy(text, source) {
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

  // -- Loading, and what may go wrong -----------------------------------------------------------

  function failed(reason) {
    worker?.terminate();
    worker = null;
    for (const name of menus === null ? [] : OFFERED) {
      field[name].dataset.wanted = field[name].value;
      field[name].disabled = true;
    }
    menus = null;
    underWay = 0;
    never("ask", "slow", "patience", "aloud");
    root.dataset.state = "failed";
    busy(false);
    status("");
    part("reason").textContent = reason;
    part("failure").hidden = false;
  }

  function whyNot() {
    if (location.protocol === "file:") {
      return "this page was opened as a file, and browsers let a file load nothing. Serve the site's"
        + " folder, for example with: python -m http.server";
    }
    if (typeof WebAssembly !== "object") return "this browser has no WebAssembly, or it is off";
    if (typeof Worker !== "function") return "this browser has no Web Workers, or they are off";
    return "";
  }

  function start() {
    part("failure").hidden = true;
    const reason = whyNot();
    if (reason) {
      failed(`${reason}.`);
      return;
    }
    root.dataset.state = "loading";
    busy(true);
    status("Loading …");
    later("patience", 30000, () => status(`${part("status").textContent} This takes longer than`
      + " usual; the connection may be slow."));
    try {
      worker = new Worker(new URL("worker.js", base), { type: "module" });
    } catch (error) {
      failed(`The worker could not be started (${error.message}).`);
      return;
    }
    const mine = worker;
    worker.onerror = (event) => {
      if (mine === worker) {
        failed(`The worker could not be loaded (${event.message || "worker.js is missing"}).`);
      }
    };
    worker.onmessage = ({ data }) => {
      if (mine !== worker) return;
      try {
        if (data.step) status(`Loading ${data.step} …`);
        else if (data.failed) failed(`${data.failed}.`);
        else if (data.ready) ready(JSON.parse(data.ready));
        else answered(data.number, data.answer);
      } catch (error) {
        failed(`The page could not show the answer (${error.message}).`);
      }
    };
  }

  function ready(found) {
    never("patience");
    if (found.error) {
      failed(`The package could not say what there is to choose from (${found.error}).`);
      return;
    }
    menus = found;
    offer();
    showExamples();
    root.dataset.state = "ready";
    status("");
    changed();
  }

  // -- Wiring ----------------------------------------------------------------------------------

  root.hidden = false;
  for (const element of Object.values(field)) {
    element.addEventListener("input", () => {
      if (menus !== null && OFFERED.includes(element.name)) sayWhatIsMeant();
      changed();
    });
  }
  part("form").addEventListener("submit", (event) => event.preventDefault());
  part("retry").addEventListener("click", start);
  part("copy-link").addEventListener("click", () => {
    keepInAddress();
    copy(part("link").href, part("link"));
  });
  part("copy-call").addEventListener("click", () => copy(part("call").textContent, part("call")));
  addEventListener("hashchange", () => {
    const state = stateOf(location.href);
    if (state === null || linkTo(formState()) === location.href) return;
    setForm(state);
    changed();
  });
  setForm(stateOf(location.href) ?? { c: field.candidate.value, r: field.references.value });
  start();
})();
