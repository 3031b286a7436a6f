// The playground's page: three tabs over one Python. Nothing typed, dropped or pasted is sent or
// stored; the address holds a sentence, or a printed score, after "#", which browsers keep to
// themselves.

import { start } from "./asking.js";
import { follow } from "./address.js";
import { part } from "./page.js";
import { showCheck } from "./check.js";
import { showFiles } from "./files.js";
import { showSentence } from "./sentence.js";
import { showTabs } from "./tabs.js";

// The keyboard of a phone covers what stands at the lower end of the window.
function stayAboveTheKeyboard() {
  const seen = window.visualViewport;
  const update = () => document.documentElement.style.setProperty("--pg-covered",
    `${Math.max(0, innerHeight - seen.height - seen.offsetTop)}px`);
  seen?.addEventListener("resize", update);
  seen?.addEventListener("scroll", update);
}

showTabs();
showSentence();
showFiles();
showCheck();
follow();
stayAboveTheKeyboard();
part("retry").addEventListener("click", start);
start();
