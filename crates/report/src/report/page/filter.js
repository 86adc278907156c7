"use strict";
// Filters the studies by verdict, paper and words; what is asked is in the address, so that it can be sent.
const form = document.querySelector(".filter"), said = form.querySelector("[role=status]");
const studies = [...document.querySelectorAll(".study")].map((study) => ({
  study,
  fold: study.querySelector("details"),
  head: study.querySelector("h3").textContent + " " + study.querySelector("p").textContent,
  rows: [...study.querySelectorAll("tbody tr")].map((row) => ({ row, text: row.textContent.toLowerCase() })),
}));
const all = studies.reduce((sum, { rows }) => sum + rows.length, 0);
const apply = () => {
  const asked = new FormData(form), verdicts = asked.getAll("verdict");
  const paper = asked.get("paper"), words = asked.get("q").trim().toLowerCase();
  const isOpen = verdicts.length > 0 || words !== "";
  let count = 0, shown = 0;
  for (const { study, fold, head, rows } of studies) {
    const isHead = head.toLowerCase().includes(words);
    let some = 0;
    for (const { row, text } of rows) {
      const fits = (!verdicts.length || verdicts.includes(row.dataset.verdict)) && (isHead || text.includes(words));
      row.hidden = !fits;
      some += fits;
    }
    study.hidden = some === 0 || (paper !== "" && paper !== study.dataset.paper);
    fold.open = isOpen && !study.hidden;
    if (!study.hidden) [count, shown] = [count + some, shown + 1];
  }
  said.textContent = `${count} of ${all} sentences, in ${shown} of ${studies.length} studies`;
  const state = new URLSearchParams();
  if (verdicts.length) state.set("verdict", verdicts.join());
  if (paper) state.set("paper", paper);
  if (words) state.set("q", words);
  if (state.size || location.hash.includes("=")) history.replaceState(null, "", "#" + state);
};
const read = () => {
  const hash = location.hash.slice(1);
  const state = new URLSearchParams(hash.includes("=") ? hash : "");
  const verdicts = (state.get("verdict") ?? "").split(",");
  for (const box of form.querySelectorAll("[name=verdict]")) box.checked = verdicts.includes(box.value);
  form.elements.paper.value = state.get("paper") ?? "";
  form.elements.q.value = state.get("q") ?? "";
  apply();
};
form.hidden = false;
form.addEventListener("input", apply);
form.addEventListener("submit", (event) => event.preventDefault());
window.addEventListener("hashchange", () => location.hash.includes("=") && read());
read();
