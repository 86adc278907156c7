"use strict";
// Says of the column under the pointer, at a tap or by the arrow keys who it was, and why each policy decided so.
for (const strip of document.querySelectorAll(".k-strip")) {
  const said = strip.nextElementSibling;
  let round = 0;
  const columns = () => [...strip.querySelectorAll("li[data-r]")].sort((a, b) => a.dataset.r - b.dataset.r);
  const line = (kind, words, within) => {
    const made = document.createElement(kind);
    made.textContent = words;
    within.append(made);
  };
  const tell = (column) => {
    // Where the words come later, who has them gives them and tells again.
    if (!column.dataset.w) strip.dispatchEvent(new CustomEvent("wanted", { detail: column }));
    strip.querySelector(".at")?.classList.remove("at");
    column.classList.add("at");
    round = column.dataset.r;
    const names = [...strip.querySelectorAll("ul")[0].children].map((name) => name.textContent);
    const list = document.createElement("ul");
    if (column.dataset.w) [...column.querySelectorAll("i")].forEach((cell, lane) => line("li", names[lane] + " – " + cell.dataset.y, list));
    said.replaceChildren();
    const about = column.dataset.w ?? "Round " + Number(round).toLocaleString("en");
    line("b", about, said);
    said.append(list);
    strip.setAttribute("aria-valuenow", round);
    strip.setAttribute("aria-valuetext", about + ". " + [...list.children].map((one) => one.textContent).join(". "));
  };
  const under = (event) => {
    const column = event.target.closest("li[data-r]");
    if (column && column.dataset.r !== round) tell(column);
  };
  strip.addEventListener("pointermove", under);
  strip.addEventListener("given", (event) => event.detail.dataset.r === round && tell(event.detail));
  strip.addEventListener("pointerdown", under);
  strip.addEventListener("keydown", (event) => {
    const all = columns();
    if (!all.length) return;
    const at = all.findIndex((one) => one.dataset.r === round);
    const lit = (from, step) => {
      for (let n = from; n >= 0 && n < all.length; n += step) if (all[n].classList.contains("x")) return n;
      return at;
    };
    const back = at < 0 ? all.length : at;
    const to = { ArrowLeft: back - 1, ArrowRight: at + 1, ArrowUp: lit(back - 1, -1), ArrowDown: lit(at + 1, 1), Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (all[to]) tell(all[to]);
  });
  strip.setAttribute("role", "slider");
  strip.setAttribute("aria-valuenow", 0);
  strip.setAttribute("aria-valuetext", "no column chosen");
  strip.tabIndex = 0;
}
