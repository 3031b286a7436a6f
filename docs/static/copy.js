// A button on each block of code that copies it, without the prompts of a terminal or of Python.

const PROMPT = /^(?:\$|>>>|\.\.\.)(?: |$)/;
const LONG_ENOUGH = 1600; // milliseconds that "Copied" stays

// Where some lines have a prompt, the others are what a program answered.
export function withoutPrompts(text) {
  const lines = text.replace(/\n$/, "").split("\n");
  const typed = lines.filter((line) => PROMPT.test(line));
  return (typed.length ? typed.map((line) => line.replace(PROMPT, "")) : lines).join("\n");
}

// A page that is not served securely has no clipboard; the old way needs a selection.
async function copy(text) {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  if (!done) throw new Error("the browser refused");
}

export function start(blocks) {
  const told = document.createElement("span");
  told.className = "formula-spoken";
  told.setAttribute("role", "status");
  blocks[0].closest("article").append(told);
  for (const block of blocks) {
    const holder = block.parentElement;
    if (block.closest(".cell_output") || holder.querySelector("button")) continue;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy-code";
    button.textContent = "Copy";
    button.setAttribute("aria-label", "Copy this code");
    button.addEventListener("click", async () => {
      try {
        await copy(withoutPrompts(block.textContent));
        button.textContent = "Copied";
      } catch {
        button.textContent = "Not copied";
      }
      button.removeAttribute("aria-label");
      told.textContent = button.textContent;
      setTimeout(() => {
        button.textContent = "Copy";
        button.setAttribute("aria-label", "Copy this code");
        told.textContent = "";
      }, LONG_ENOUGH);
    });
    holder.classList.add("has-copy");
    holder.prepend(button);
  }
}
