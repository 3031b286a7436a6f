// Python in a thread of its own: loads Pyodide and the package, then answers one question at a time.
// In:  {number, question}   a question is JSON text for `bridge.answer`
// Out: {step}               what is being loaded
//      {ready: answer}      loaded; the answer to "what is there to choose from?"
//      {number, answer}     JSON text
//      {failed: reason}     nothing more will come

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

async function load() {
  say({ step: "the package bleu_nb" });
  const archive = await attempt("The package (bleu_nb.zip)", async () =>
    (await fetched("../bleu_nb.zip")).arrayBuffer());
  const bridge = await attempt("The bridge to the package (bridge.py)", async () =>
    (await fetched("bridge.py")).text());
  say({ step: "Python itself (Pyodide, 13 MB, once)" });
  const pyodide = await attempt("Python (Pyodide)", async () => {
    const { loadPyodide } = await import(here("../pyodide/pyodide.mjs").href);
    return Promise.race([loadPyodide({ indexURL: here("../pyodide/").href }), noWebAssembly]);
  });
  return attempt("The package", async () => {
    pyodide.unpackArchive(archive, "zip");
    pyodide.FS.writeFile("bridge.py", bridge);
    return pyodide.pyimport("bridge").answer;
  });
}

const loaded = load();
loaded.then(
  (answer) => say({ ready: answer(JSON.stringify({ ask: "menus" })) }),
  (error) => say({ failed: error.message }),
);

self.onmessage = async ({ data: { number, question } }) => {
  try {
    say({ number, answer: (await loaded)(question) });
  } catch (error) {
    // What the package refuses is part of an answer; this is a fault.
    say({ failed: `Python stopped: ${lastLine(error)}` });
  }
};
