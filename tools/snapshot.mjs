// Start Python once while the site is built, with the playground's modules imported, and keep its
// memory: a browser that takes it up need not start Python itself, which is most of the waiting.
// Usage: node snapshot.mjs PYODIDE_FOLDER STATIC_FOLDER WHEEL

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const [from, to, wheel] = process.argv.slice(2).map((path) => resolve(path));
const { loadPyodide } = await import(pathToFileURL(join(from, "pyodide.mjs")).href);
const python = await loadPyodide({ _makeSnapshot: true });
python.unpackArchive(new Uint8Array(readFileSync(wheel)), "wheel");
const folder = join(to, "playground");
for (const name of readdirSync(folder).filter((each) => each.endsWith(".py"))) {
  python.FS.writeFile(name, readFileSync(join(folder, name), "utf8"));
}
python.runPython("import bridge; bridge.respond(bridge.EXAMPLES[0])");
writeFileSync(join(to, "pyodide", "started.bin"), gzipSync(python.makeMemorySnapshot(), { level: 9 }));
