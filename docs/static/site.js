// What every page needs of scripts: tables that sort, and boxes that a keyboard can scroll.

// Numbers by their size, everything else as a reader sorts it: 3.9 before 3.10.4, a before B.
function compare(a, b) {
  const [x, y] = [a, b].map((text) => text === "" ? NaN : Number(text.replace("−", "-")));
  if (!Number.isNaN(x) && !Number.isNaN(y)) return x - y;
  return a.localeCompare(b, "en", {numeric: true, sensitivity: "base"});
}

function sortable(table) {
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const value = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.sort ?? cell.textContent.trim();
  };
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const order = head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
      const sign = order === "ascending" ? 1 : -1;
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", order);
      const rows = [...body.rows];
      rows.sort((a, b) => sign * compare(value(a, column), value(b, column)));
      body.append(...rows);
    });
  });
}

function reachable(box) {
  if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  else box.removeAttribute("tabindex");
}

const boxes = document.querySelectorAll(
  ".drawn, .bn-wide, .cell_output .output, div.math, .table-wrapper, pre");
const update = () => boxes.forEach(reachable);
document.querySelectorAll("table.sortable").forEach(sortable);
addEventListener("resize", update);
update();
