"use strict";
// A matrix of pairs: the arrow keys go from cell to cell, and a line below reads the cell out. On a phone one row is seen, which is chosen.
for (const matrix of document.querySelectorAll(".k-matrix")) {
  const rows = [...matrix.querySelectorAll("tbody tr")], read = matrix.querySelector(".k-read"), select = matrix.querySelector("select");
  const isSeen = (one) => one.checkVisibility();
  const seen = () => rows.filter(isSeen).map((row) => [...row.querySelectorAll("td")].filter(isSeen)).filter((cells) => cells.length);
  const say = (cell) => (read.textContent = cell.dataset.said);
  matrix.addEventListener("focusin", ({ target }) => {
    if (!target.matches("td")) return;
    for (const other of matrix.querySelectorAll("td[tabindex='0']")) other.tabIndex = -1;
    target.tabIndex = 0;
    say(target);
  });
  matrix.addEventListener("pointerover", ({ target }) => {
    const cell = target.closest("td[data-said]");
    if (cell) say(cell);
  });
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], Home: [0, -Infinity], End: [0, Infinity] };
  matrix.addEventListener("keydown", (event) => {
    const cells = seen(), at = cells.findIndex((row) => row.includes(event.target));
    if (at < 0 || !(event.key in steps)) return;
    event.preventDefault();
    // Where one row is seen, its cells are below each other.
    const [down, right] = cells.length > 1 ? steps[event.key] : [0, steps[event.key][0] + steps[event.key][1]];
    const within = (place, all) => Math.max(0, Math.min(all.length - 1, place));
    const row = cells[within(at + down, cells)];
    row[within(cells[at].indexOf(event.target) + right, row)].focus();
  });
  select.parentElement.hidden = false;
  select.addEventListener("change", () => {
    rows.forEach((row, at) => row.classList.toggle("k-at", at === select.selectedIndex));
    const first = seen()[0]?.[0];
    if (first) first.tabIndex = 0;
  });
}
