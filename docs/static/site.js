// What every page needs of scripts: tables that sort, and boxes that a keyboard can scroll.

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
      rows.sort((a, b) => sign * value(a, column).localeCompare(
        value(b, column), "en", {numeric: true, sensitivity: "base"}));
      body.append(...rows);
    });
  });
}

function reachable(box) {
  if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  else box.removeAttribute("tabindex");
}

const boxes = document.querySelectorAll(".drawn, .cell_output .output, div.math, .table-wrapper");
const update = () => boxes.forEach(reachable);
document.querySelectorAll("table.sortable").forEach(sortable);
addEventListener("resize", update);
update();
