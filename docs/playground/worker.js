// Python in a thread of its own: loads Pyodide and the package, then answers one question at a time.
// In:  {number, question}   a question is JSON text for `bridge.answer`
// Out: {step}               what is being loaded
//      {ready: answer}      loaded; the answer to "what is there to choose from?"
//      {number, answer}     JSON text
//      {failed: reason}     nothing more will come

const here = (path) => new URL(path, self.location.href);
const say = (message) => self.postMessage(message);

async function fetched(path) {
  const response = await fetch(here(path), { cache: "no-cache" });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`.trim());
  return response;
}

// `what` is named in the message if `doing` fails.
async function attempt(what, doing) {
  try {
    return await doing();
  } catch (error) {
    throw new Error(`${what} could not be loaded (${error?.message ?? error})`);
  }
}

async function load() {
  say({ step: "Python itself (Pyodide, 13 MB, once)" });
  const pyodide = await attempt("Python (Pyodide)", async () => {
    const { loadPyodide } = await import(here("../pyodide/pyodide.mjs").href);
    return loadPyodide({ indexURL: here("../pyodide/").href });
  });
  say({ step: "the package bleu_nb" });
  await attempt("The package (bleu_nb.zip)", async () => {
    pyodide.unpackArchive(await (await fetched("../bleu_nb.zip")).arrayBuffer(), "zip");
    pyodide.FS.stat("bleu_nb/__init__.py");
  });
  await attempt("The bridge to the package (bridge.py)", async () =>
    pyodide.FS.writeFile("bridge.py", await (await fetched("bridge.py")).text()));
  say({ step: "its modules" });
  return attempt("The package", async () => pyodide.pyimport("bridge").answer);
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
    const lines = String(error?.message ?? error).trim().split("\n");
    say({ failed: `Python stopped: ${lines[lines.length - 1]}` });
  }
};
