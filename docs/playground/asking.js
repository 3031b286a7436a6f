// The worker, and questions to it. A lane is a place for one question: a newer one takes the place
// of an older one, whose answer never comes.

import { later, never, part, root, status, tell } from "./page.js";

const SLOW = 600; // milliseconds without an answer before that is said
const PATIENCE = 30000; // milliseconds of loading before that is called long
const lanes = new Map(); // name -> {number, answered, progressed}
const listeners = []; // called with what there is to choose from, or null when Python is gone
let worker = null;
let asked = 0; // number of the newest question

export let menus = null; // what there is to choose from, once the package is there

export function whenReady(listener) {
  listeners.push(listener);
}

function showBusy() {
  const busy = lanes.size > 0 || root.dataset.state === "loading";
  root.dataset.busy = busy;
  part("results").setAttribute("aria-busy", busy);
}

// -- Questions -----------------------------------------------------------------------------------

// `progressed` is told how much is done of how much and, where there is one, the answer so far.
export function ask(lane, question, answered, progressed = () => {}) {
  if (!worker || menus === null) return;
  asked += 1;
  lanes.set(lane, { number: asked, answered, progressed });
  showBusy();
  if (lane === "sentence") later("slow", SLOW, () => status("Scoring … this text takes a while."));
  worker.postMessage({ lane, number: asked, question });
}

// A question will be asked in a moment: what is on the page is old already.
export function expect(lane) {
  if (!worker || menus === null) return;
  lanes.set(lane, { number: -1 });
  showBusy();
}

// Forget a question.
export function stop(lane) {
  if (!lanes.delete(lane)) return;
  worker?.postMessage({ lane, number: 0 });
  showBusy();
}

function heard({ lane, number, done, of, soFar, answer }) {
  const waiting = lanes.get(lane);
  if (waiting?.number !== number) return; // a newer question has been asked since
  if (answer === undefined) {
    waiting.progressed(done, of, soFar);
    return;
  }
  lanes.delete(lane);
  if (lane === "sentence") {
    never("slow");
    status("");
  }
  waiting.answered(answer);
  showBusy();
}

// -- Loading, and what may go wrong ----------------------------------------------------------------

function failed(reason) {
  worker?.terminate();
  worker = null;
  menus = null;
  lanes.clear();
  never("slow", "patience", "aloud");
  for (const listener of listeners) listener(null);
  root.dataset.state = "failed";
  showBusy();
  status("");
  part("reason").textContent = reason;
  part("failure").hidden = false;
}

function whyNot() {
  if (typeof WebAssembly !== "object") return "this browser has no WebAssembly, or it is off";
  if (typeof Worker !== "function") return "this browser has no Web Workers, or they are off";
  return "";
}

function ready(found) {
  never("patience");
  if (found.error) {
    failed(`The package could not say what there is to choose from (${found.error}).`);
    return;
  }
  menus = found;
  root.dataset.state = "ready";
  status("");
  for (const listener of listeners) listener(found);
  showBusy();
}

export function start() {
  part("failure").hidden = true;
  const reason = whyNot();
  if (reason) {
    failed(`${reason}.`);
    return;
  }
  root.dataset.state = "loading";
  showBusy();
  tell(part("status"), "Loading …");
  later("patience", PATIENCE, () => status(`${part("status").textContent} This takes longer than`
    + " usual; the connection may be slow."));
  try {
    const address = new URL("worker.js", import.meta.url);
    address.searchParams.set("wheel", new URL(root.dataset.wheel, document.baseURI));
    worker = new Worker(address, { type: "module" });
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
      else if (data.ready) ready(JSON.parse(data.ready).answer);
      else heard({ ...data, ...JSON.parse(data.said) });
    } catch (error) {
      failed(`The page could not show the answer (${error.message}).`);
    }
  };
}
