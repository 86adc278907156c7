"use strict";
// A button in each head of a column sorts the rows by it: up, then down; aria-sort says which.
for (const table of document.querySelectorAll(".sortable table")) {
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
  const shown = (row, at) => row.cells[at].textContent.trim();
  const number = (text) => parseFloat(text.replace("\u2212", "-").replaceAll(/[,_]/g, ""));
  heads.forEach((head, at) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const isNumber = head.classList.contains("n");
      const rows = [...body.rows].map((row) => ({ row, text: shown(row, at) }));
      // What has no value comes last, whichever way the others go.
      const rank = ({ text }) => (text === "" || (isNumber && Number.isNaN(number(text))) ? 1 : 0);
      const order = (a, b) => (isNumber ? number(a.text) - number(b.text) : a.text.localeCompare(b.text, "en", { numeric: true }));
      rows.sort((a, b) => rank(a) - rank(b) || (rank(a) ? 0 : down ? order(b, a) : order(a, b)));
      body.append(...rows.map(({ row }) => row));
    });
  });
}
// What a box cuts off is said above it, for as long as it does.
const cut = new ResizeObserver((boxes) => {
  for (const { target } of boxes) target.previousElementSibling.hidden = target.scrollWidth <= target.clientWidth;
});
for (const box of document.querySelectorAll(".sortable")) cut.observe(box);
