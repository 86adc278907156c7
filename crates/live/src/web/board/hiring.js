"use strict";
// Draws what is known of each applicant, and takes the mark of an interview, or the reply to an offer, that is waited for. A form stays with its applicant
// when rows change their places, and nothing that was typed is lost.
{
  const table = document.getElementById("applicants"), by = document.getElementById("by"), head = document.getElementById("hiring-head");
  const forms = new Map();
  let goesOn = false;

  const made = (kind, of, names = {}, text = "") => {
    const one = document.createElement(kind);
    for (const [name, value] of Object.entries(names)) one.setAttribute(name, value);
    one.textContent = text;
    of?.append(one);
    return one;
  };

  const line = (of, look, x1, x2, y1 = 0.5, y2 = y1) => {
    const one = of.appendChild(document.createElementNS(of.namespaceURI, "line"));
    const ends = Object.entries({ x1, x2, y1, y2 }).map(([name, share]) => [name, `${100 * share}%`]);
    for (const [name, value] of [["class", look], ...ends]) one.setAttribute(name, value);
  };

  // The interval, the marks above and below it, the estimate, and the line between those who are in and those who are out.
  function drawn(cell) {
    const { range, mean, cut, is_in, marks } = JSON.parse(cell.dataset.of);
    const space = document.querySelector("svg").namespaceURI, picture = document.createElementNS(space, "svg");
    picture.setAttribute("class", "known");
    picture.setAttribute("aria-hidden", "true");
    line(picture, "scale", 0, 1);
    if (cut !== null) line(picture, "cut", cut, cut, 0, 1);
    if (range) line(picture, "range", ...range);
    for (const [kind, mark] of marks) line(picture, "mark", mark, mark, kind ? 0.75 : 0, kind ? 1 : 0.25);
    const dot = picture.appendChild(document.createElementNS(space, "circle"));
    for (const [name, value] of [["class", is_in ? "in" : "out"], ["cx", `${100 * mean}%`], ["cy", "50%"], ["r", 5]]) dot.setAttribute(name, value);
    cell.replaceChildren(picture);
    picture.dataset.of = cell.dataset.of;
  }

  // The words of the server's answer are shown as they are: it says what is wrong and what helps.
  async function send(form, look, value) {
    const output = form.querySelector("output"), name = by.querySelector("input").value.trim();
    const { candidate, kind, nth } = look, record = { candidate, kind, nth, value, ...(name && { by: name }) };
    output.className = "";
    output.textContent = "Sending \u2026";
    const head = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(record) };
    const answer = await fetch("v1/looks", head).catch(() => null);
    const says = await answer?.json().catch(() => null);
    goesOn = Boolean(answer?.ok);
    if (goesOn) output.textContent = "Saved";
    else {
      const why = says?.places?.[0]?.error ?? says?.error;
      output.className = "no";
      output.textContent = why ? `Not saved: ${why}${says.help ? ` (${says.help})` : ""}.` : "Not saved: no answer from the server. Try again: nothing is lost.";
    }
  }

  function give(look) {
    const form = made("form", null, { class: "give", autocomplete: "off" }), ends = look.range ? `${look.range[0]} to ${look.range[1]}` : "";
    let input;
    if (look.is_offer) for (const [value, words] of [["true", "Takes the place"], ["false", "Declines"]]) made("button", form, { value }, words);
    else {
      const label = made("label", form);
      made("span", label, { class: "unseen" }, `Mark of ${look.candidate}, ${look.kind}${ends && `, from ${ends}`} `);
      input = made("input", label, { inputmode: "decimal", autocomplete: "off", placeholder: ends || "mark" });
      made("button", form, {}, "Save");
    }
    const output = made("output", form, { role: "status" });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const value = look.is_offer ? event.submitter.value === "true" : Number(input.value.replace(",", ".").replace("\u2212", "-"));
      if (input && (!input.value.trim() || !Number.isFinite(value))) {
        output.className = "no";
        output.textContent = `Not sent: a mark is a number${ends && ` from ${ends}`}.`;
        return input.focus();
      }
      send(form, look, value);
    });
    return form;
  }

  // After each change of the page; `focused` had the focus before it. Who has just given a mark by the keyboard goes on with the next. Whoever was still typing
  // when another gave it does not, or the digits would go to the wrong person.
  globalThis.drawHiring = (focused) => {
    for (const cell of table.querySelectorAll("td:nth-child(2)[data-of]")) if (cell.firstChild?.dataset?.of !== cell.dataset.of) drawn(cell);
    const was = focused.closest(".give"), open = new Set();
    for (const cell of table.querySelectorAll("td:last-child[data-of]")) {
      const key = cell.dataset.of;
      open.add(key);
      if (!forms.has(key)) forms.set(key, give(JSON.parse(key)));
      if (forms.get(key).parentNode !== cell) cell.append(forms.get(key));
    }
    for (const [key, form] of forms) if (!open.has(key) && forms.delete(key)) form.remove();
    by.hidden = ![...forms.values()].some((form) => form.querySelector("input"));
    if (was?.isConnected && document.activeElement !== focused) return focused.focus();
    const first = goesOn && table.querySelector(".give :is(input,button)");
    if ((was && !was.isConnected) || (first && [document.body, head].includes(document.activeElement))) (first || head).focus();
    if (first) goesOn = false;
  };
  globalThis.drawHiring(document.activeElement);
}
