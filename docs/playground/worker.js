// Python in a thread of its own: loads Pyodide and the package, then answers questions, a moment of
// work at a time, so that a newer question of a lane can take the place of an older one.
// In:  {lane, number, question}  a question for `bridge.begin`; its files hold their bytes
//      {lane, number: 0}         forget the question of this lane
// Out: {step}                    what is being loaded
//      {ready: said}             loaded; the answer to "what is there to choose from?"
//      {lane, number, said}      JSON: {answer}, or {done, of} while it is under way, with {soFar}
//                                where there is more to show of the answer than before
//      {failed: reason}          nothing more will come

const MODULES = ["bridge", "bridge_check", "bridge_examples", "bridge_files", "bridge_menus",
  "bridge_pair", "bridge_sentence", "bridge_swaps", "bridge_verdict", "bridge_why"];
const here = (path) => new URL(path, self.location.href);
const say = (message) => self.postMessage(message);

function checked(response) {
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`.trim());
  return response;
}

async function fetched(path) {
  return checked(await fetch(here(path), { cache: "no-cache" }));
}

// Pyodide waits for ever if its WebAssembly does not come; this promise fails instead. It also takes
// a file that the server has not labelled as WebAssembly.
const noWebAssembly = new Promise((_, reject) => {
  const streaming = WebAssembly.instantiateStreaming.bind(WebAssembly);
  WebAssembly.instantiateStreaming = async (source, imports) => {
    try {
      const response = checked(await source);
      return response.headers.get("Content-Type")?.startsWith("application/wasm")
        ? await streaming(response, imports)
        : await WebAssembly.instantiate(await response.arrayBuffer(), imports);
    } catch (error) {
      reject(error);
      throw error;
    }
  };
});
noWebAssembly.catch(() => {}); // it may fail after something else has, when nobody listens

// What went wrong; of Python's tracebacks that is the last line.
function lastLine(error) {
  return String(error?.message ?? error).trim().split("\n").at(-1);
}

// `what` is named in the message if `doing` fails.
async function attempt(what, doing) {
  try {
    return await doing();
  } catch (error) {
    throw new Error(`${what} could not be loaded (${lastLine(error)})`);
  }
}

// -- Loading ---------------------------------------------------------------------------------------

// Python's memory after it has started and imported everything, as `tools/snapshot.mjs` kept it.
// Nothing, where it is not there or cannot be unpacked: Python then starts by itself, which takes
// some seconds longer.
async function started() {
  try {
    const packed = (await fetched("../pyodide/started.bin")).body;
    const unpacked = new Response(packed.pipeThrough(new DecompressionStream("gzip")));
    return new Uint8Array(await unpacked.arrayBuffer());
  } catch {
    return null;
  }
}

// Python's own library must be there even where its memory has most of it.
const HAS_LIBRARY = `
import os, sys
any(path.endswith(".zip") and os.path.isfile(path) for path in sys.path)
`;

async function startPython() {
  const { loadPyodide } = await import(here("../pyodide/pyodide.mjs").href);
  const options = { indexURL: here("../pyodide/").href };
  const snapshot = await started();
  if (snapshot) {
    try {
      return await loadPyodide({ ...options, _loadSnapshot: snapshot });
    } catch {
      // A snapshot of another build: start without.
    }
  }
  return loadPyodide(options);
}

async function load() {
  say({ step: "Python itself (Pyodide), once" });
  const pyodide = attempt("Python (Pyodide)", async () => {
    const python = await Promise.race([startPython(), noWebAssembly]);
    if (!python.runPython(HAS_LIBRARY)) throw new Error("python_stdlib.zip is missing");
    return python;
  });
  const address = new URL(self.location.href).searchParams.get("wheel");
  const archive = attempt(`The package (${address.split("/").at(-1)})`, async () =>
    (await fetched(address)).arrayBuffer());
  const bridge = Promise.all(MODULES.map((name) =>
    attempt(`The bridge to the package (${name}.py)`, async () =>
      [`${name}.py`, await (await fetched(`${name}.py`)).text()])));
  const [python, wheel, modules] = await Promise.all([pyodide, archive, bridge]);
  return attempt("The package", async () => {
    say({ step: "the package bleu_nb" });
    for (const [name, text] of modules) python.FS.writeFile(name, text);
    python.unpackArchive(wheel, "wheel");
    // The page shows the package's notes itself; Python would write them into the console as well.
    python.pyimport("warnings").simplefilter("ignore");
    const { begin } = python.pyimport("bridge");
    return (question, blobs) => begin(question, python.toPy(blobs));
  });
}

// -- Answering -------------------------------------------------------------------------------------

const jobs = new Map(); // lane -> {number, question, step}
const turn = new MessageChannel(); // a message to ourselves comes after those that have arrived

// Bytes do not go through JSON: they are set apart, and their places noted.
function setApart(question) {
  const blobs = [];
  const text = JSON.stringify(question, (_, value) => {
    if (!(value instanceof ArrayBuffer)) return value;
    blobs.push(new Uint8Array(value));
    return blobs.length - 1;
  });
  return [text, blobs];
}

function forget(lane) {
  jobs.get(lane)?.step?.destroy();
  jobs.delete(lane);
}

loaded().then((begin) => {
  turn.port1.onmessage = () => {
    const [lane, job] = jobs.entries().next().value ?? [];
    if (!job) return;
    try {
      job.step ??= begin(...setApart(job.question));
      const said = job.step();
      say({ lane, number: job.number, said });
      if (said.startsWith('{"answer"')) {
        forget(lane);
      } else {
        jobs.delete(lane);
        jobs.set(lane, job); // behind the other lanes
      }
      if (jobs.size) turn.port2.postMessage(null);
    } catch (error) {
      // What the package refuses is part of an answer; this is a fault.
      say({ failed: `Python stopped: ${lastLine(error)}` });
    }
  };
  if (jobs.size) turn.port2.postMessage(null);
});

async function loaded() {
  try {
    const begin = await load();
    say({ ready: begin('{"ask": "menus"}', [])() });
    return begin;
  } catch (error) {
    say({ failed: error.message });
    return new Promise(() => {});
  }
}

self.onmessage = ({ data: { lane, number, question } }) => {
  const idle = jobs.size === 0;
  forget(lane);
  if (number) jobs.set(lane, { number, question });
  if (idle) turn.port2.postMessage(null);
};
