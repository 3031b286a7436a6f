// Starts the playground. A classic script: a module would not even be loaded from a file's address,
// and nobody would say why.
"use strict";
(() => {
  const root = document.getElementById("pg");
  const base = document.currentScript.src;

  function failed(reason) {
    root.dataset.state = "failed";
    root.dataset.busy = "false";
    root.querySelector('[data-part="reason"]').textContent = reason;
    root.querySelector('[data-part="failure"]').hidden = false;
    const retry = root.querySelector('[data-part="retry"]');
    retry.onclick = () => location.reload();
  }

  if (location.protocol === "file:") {
    failed("this page was opened as a file, and browsers let a file load nothing. Serve the site's"
      + " folder, for example with: python -m http.server.");
    return;
  }
  import(new URL("main.js", base).href).catch(
    (error) => failed(`A part of the page could not be loaded (${error.message}).`));
})();
