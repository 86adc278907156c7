"use strict";
// Puts the numbers of one moment into the places that the page has for them. No words of a verdict are made here, and no markup comes.
const at = (id) => document.getElementById(id);
const [lost, said, pause, copy, fresh, strip, chosen, groups] = ["lost", "said", "pause", "copy", "fresh", "strip", "lane", "groups"].map(at);
const QUIET = 15000, AGAIN = 5000, OFTEN = 1000, SAY = 15000, STILL = 10000, GONE = 60000, HELD = 120, TITLE = 40, TURN = 10000;
const rows = new Map(), held = [], names = [...strip.querySelectorAll("ul li")];
let source, tried = 0, heard = Date.now(), paused = false, headline = at("headline").textContent, spoken = Date.now();
let last = fresh.dataset.ago ? Date.now() - fresh.dataset.ago : 0, people = 0, before = 0, lane = null;

// Parts have a bar between them, or are a list where one has a bar of its own.
const parts = (sent) => (typeof sent === "string" ? sent.split("|") : sent);

function child(kind, to, role) {
  const made = document.createElement(kind);
  if (role) made.setAttribute("role", role);
  to.append(made);
  return made;
}

// A text, how it looks, a second line, what is said of it when it is looked at, how long its bar is, the place of a tick on it, and what is drawn or sent by it.
function fill(node, cell) {
  const [words, look = "", below = "", tip = "", ...bars] = parts(cell), of = bars.splice(2)[0];
  const [share = null, tick = null] = bars.map((part) => (part ? Number(part) : null));
  const name = `${node.dataset.own ?? ""} ${look}`.trim();
  if (node.className !== name) node.className = name;
  if (tip) node.dataset.tip = tip;
  else delete node.dataset.tip;
  if (of) node.dataset.of = of;
  else delete node.dataset.of;
  if (share === null && !below) {
    if (node.textContent !== words || node.children.length) node.textContent = words;
    return;
  }
  if (!node.querySelector(":scope > small")) {
    node.replaceChildren();
    child("span", node);
    child("small", node);
  }
  node.querySelector(":scope > span").textContent = words;
  node.querySelector(":scope > small").textContent = below;
  bar(node, share, tick);
}

function bar(node, share, tick) {
  const space = document.querySelector("svg").namespaceURI, old = node.querySelector(":scope > svg");
  if (share === null) return old?.remove();
  const gauge = old ?? document.createElementNS(space, "svg");
  if (!old) {
    gauge.setAttribute("class", "gauge");
    gauge.setAttribute("aria-hidden", "true");
    gauge.append(document.createElementNS(space, "rect"));
    gauge.firstChild.setAttribute("height", "100%");
    node.prepend(gauge);
  }
  gauge.firstElementChild.setAttribute("width", `${100 * share}%`);
  if (tick === null) return gauge.querySelector(".tick")?.remove();
  const line = gauge.querySelector(".tick") ?? gauge.appendChild(document.createElementNS(space, "rect"));
  for (const [name, value] of [["class", "tick"], ["x", `${100 * tick}%`], ["width", 2], ["height", "100%"]]) line.setAttribute(name, value);
}

// The rows of a list or a table as they are; the first of a table is its head.
function known(place) {
  const of = place.tagName === "TABLE" ? place.querySelectorAll("tr") : place.children;
  const all = [...of].filter((row) => row.tagName !== "CAPTION");
  return all.sort((a, b) => (a.dataset.lane ?? -1) - (b.dataset.lane ?? -1));
}

function row(place, number) {
  if (place.tagName === "UL") return child("li", place);
  if (place.tagName === "DL") return child("div", place);
  return child("tr", place.querySelector(number ? "tbody" : "thead"), "row");
}

function cell(place, number, column) {
  const [one, isTable] = [rows.get(place.id)[number], place.tagName === "TABLE"];
  while (one.children.length <= column) {
    const first = !one.children.length;
    if (!isTable) child(place.tagName === "UL" ? "span" : first ? "dt" : "dd", one);
    else if (!number || first) child("th", one, number ? "rowheader" : "columnheader").scope = number ? "row" : "col";
    else child("td", one, "cell").dataset.head = rows.get(place.id)[0].children[one.children.length - 1]?.textContent ?? "";
  }
  const node = one.children[column];
  return node.querySelector(".fill") ?? node;
}

function table(id, [many, ...cells]) {
  const place = at(id);
  if (!place) return;
  if (!rows.has(id)) rows.set(id, known(place));
  const all = rows.get(id);
  while (all.length > many) all.pop().remove();
  while (all.length < many) all.push(row(place, all.length));
  for (let n = 0; n < cells.length; n += 3) {
    const [number, first, words] = cells.slice(n, n + 3);
    words.forEach((one, at) => fill(cell(place, number, first + at), one));
  }
}

// A column moves from the front to the end; the newest is the last.
function column(sent) {
  const [round, who, groups, letters, isLit] = parts(sent);
  const list = strip.querySelector("ol");
  if (list.querySelector(`[data-r="${round}"]`)) return;
  const one = list.firstElementChild;
  one.dataset.r = round;
  delete one.dataset.w;
  one.dataset.who = who;
  one.className = isLit ? "x" : "";
  [...one.querySelectorAll("i")].forEach((cell, n) => {
    const letter = letters[n], colour = names[n].dataset.c;
    cell.className = { 1: `y ${colour}`, u: `y u ${colour}`, 0: "" }[letter] ?? letter;
    delete cell.dataset.y;
  });
  one.querySelector("small").textContent = groups;
  list.append(one);
}

// All that a page of another connection, or of a run that was resumed, may have is taken away.
function clear() {
  for (const place of document.querySelectorAll("[data-rows]:not(#lanes)")) table(place.id, [0]);
  for (const one of strip.querySelectorAll("ol li")) {
    delete one.dataset.r;
    one.className = one.querySelector("small").textContent = "";
    for (const cell of one.querySelectorAll("i")) cell.className = "";
  }
  kept.clear();
}

// Everything in an event is of one moment, and is put in at once.
function put(data) {
  const focused = document.activeElement;
  if (data.whole) clear();
  for (const [id, words] of Object.entries(data.texts ?? {})) if (at(id)) fill(at(id), words);
  for (const [id, sent] of Object.entries(data.tables ?? {})) table(id, sent);
  for (const [id, sent] of Object.entries(data.charts ?? {})) takeChart(id, sent);
  if (data.order) {
    const all = rows.get("lanes") ?? known(at("lanes"));
    at("lanes").querySelector("tbody").append(...data.order.map((place) => all[place + 1]));
  }
  if (data.lane !== undefined && lane === null) chosen.value = data.lane;
  for (const one of data.columns ?? []) column(one);
  if (data.whole) groups.classList.remove("waits");
  document.body.dataset.n = data.n;
  coloured();
  drawCharts();
  window.drawHiring?.(focused);
}

function coloured() {
  const name = `bullets c-${names[chosen.value]?.dataset.c}`;
  if (at("committee").className !== name) at("committee").className = name;
}

function show() {
  if (paused) return paint();
  while (held.length) put(held.shift());
  const lead = at("headline").textContent.replace(/\.$/, "");
  document.title = `${lead.length > TITLE ? lead.slice(0, TITLE - 1) + "…" : lead} · ${document.querySelector("h1").textContent}`;
  paint();
  say();
}

// How fresh what is seen is: the last person, and who came since the page was paused.
function paint() {
  const seconds = Math.round((Date.now() - last) / 1000);
  const words = seconds < 120 ? `${seconds} s` : seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
  const now = !last || at("end").textContent ? "" : `last person ${words} ago`;
  if (fresh.textContent !== now) fresh.textContent = now;
  document.body.classList.toggle("is-quiet", !last || Date.now() - last > STILL);
  const more = people - before;
  const label = !paused ? "Pause" : more > 0 ? `Paused, +${more.toLocaleString("en")} since: go on` : "Paused: go on";
  if (pause.textContent !== label) pause.textContent = label;
}

// Who leads is said when it changes, the newest decision now and then: more would be too much to listen to.
function say() {
  const [lead, newest] = [at("headline").textContent, at("newest").textContent];
  const isNews = lead !== headline;
  if (!isNews && (Date.now() - spoken < SAY || said.textContent === newest)) return;
  if (isNews) headline = lead;
  said.textContent = isNews ? lead : newest;
  spoken = Date.now();
}

// What can't be known without the server is not said any more; a run that was stopped may never answer again.
function isLost(now) {
  const is = !lost.hidden, isOver = at("stage").classList.contains("over");
  if (now) {
    const since = new Date(heard).toLocaleTimeString();
    lost.textContent = isOver ? "The run is over, and its server has ended: this page stays as it is. The report is in the run's folder."
      : Date.now() - heard < GONE ? `Connection lost at ${since}. The page goes on by itself once the server answers.`
      : `No answer since ${since}. If the run was stopped, nothing more comes here: what it found is in its folder. A run that is resumed goes on here.`;
  }
  if (now === is) return;
  lost.hidden = !now;
  document.body.classList.toggle("is-lost", now);
  said.textContent = now ? "Connection lost." : "Connected again.";
  if (now && !isOver) for (const id of ["rate", "progress"]) fill(at(id), "");
  if (now && !isOver) at("stage").textContent = "Not connected";
  drawCharts();
  spoken = Date.now();
}

function open() {
  source?.close();
  tried = Date.now();
  const wants = new URLSearchParams();
  if (lane !== null) wants.set("lane", lane);
  if (groups.open) wants.set("groups", 1);
  source = new EventSource(wants.size ? `v1/board?${wants}` : "v1/board");
  const alive = (data) => {
    heard = Date.now();
    if (data.ago !== null) last = heard - data.ago;
    isLost(false);
  };
  source.addEventListener("pulse", (event) => {
    alive(JSON.parse(event.data));
    paint();
  });
  source.addEventListener("board", (event) => {
    const data = JSON.parse(event.data);
    // Another run may have come to this address: its page is another.
    if (data.run && data.run !== document.body.dataset.run) return location.reload();
    alive(data);
    people = data.people;
    if (data.whole) held.length = 0;
    held.push(data);
    show();
  });
  source.addEventListener("error", () => isLost(true));
}

// A stream that was refused is not opened again by the browser, and one that died unseen not either.
setInterval(() => {
  const isSilent = Date.now() - heard > QUIET;
  if (isSilent || document.body.classList.contains("is-lost")) isLost(true);
  if (source.readyState === EventSource.CLOSED || (isSilent && Date.now() - tried > AGAIN)) open();
  paint();
}, OFTEN);

// Who looks at a column is told why each policy decided so.
strip.addEventListener("wanted", async ({ detail: one }) => {
  const round = one.dataset.r;
  const answer = await fetch(`v1/board/rounds/${round}`).catch(() => null);
  const words = answer?.ok ? await answer.json() : null;
  if (one.dataset.r !== round) return;
  one.dataset.w = words?.who ?? `Round ${Number(round).toLocaleString("en")}, ${one.dataset.who}; its reasons are not known any more`;
  [...one.querySelectorAll("i")].forEach((cell, n) => (cell.dataset.y = words?.lanes[n] ?? ""));
  strip.dispatchEvent(new CustomEvent("given", { detail: one }));
});

// A pair of the matrix is read under the pointer or by the arrow keys.
for (const matrix of document.querySelectorAll(".matrix[tabindex]")) {
  const tell = (pair) => {
    matrix.querySelector("[data-at]")?.removeAttribute("data-at");
    pair.dataset.at = "";
    const who = pair.parentNode.firstElementChild.textContent, within = pair.dataset.tip ? ` (${pair.dataset.tip})` : "";
    const head = matrix.querySelector("thead tr").children[pair.cellIndex].textContent;
    const [number, stands] = [...pair.querySelectorAll("span, small")].map((one) => one.textContent);
    matrix.nextElementSibling.textContent = `${who} against ${head}: ${number}${within}, ${stands}`;
  };
  const pairs = () => [...matrix.querySelectorAll("td")].filter((pair) => pair.textContent);
  matrix.addEventListener("pointerover", ({ target }) => target.closest("td")?.textContent && tell(target.closest("td")));
  matrix.addEventListener("keydown", (event) => {
    const all = pairs(), now = all.findIndex((pair) => pair.dataset.at !== undefined);
    const to = { ArrowLeft: now - 1, ArrowUp: now - 1, ArrowRight: now + 1, ArrowDown: now + 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (all[to]) tell(all[to]);
  });
}

document.body.classList.toggle("kiosk", new URLSearchParams(location.search).has("kiosk"));
// On a wall, policies that have no room next to the difference take turns with it.
if (document.body.classList.contains("kiosk")) {
  setInterval(() => {
    const list = document.querySelector(".policies"), { classList } = document.body;
    if (classList.contains("lists")) classList.remove("lists");
    else if (classList.contains("turns") || list.scrollHeight > list.clientHeight + 1) classList.add("turns", "lists");
    drawCharts();
  }, TURN);
}
for (const button of [pause, copy]) button.hidden = false;
// Only pages of https or of this computer may write to the clipboard.
copy.addEventListener("click", async () => {
  getSelection().selectAllChildren(at("step"));
  const isCopied = await navigator.clipboard?.writeText(at("step").textContent).then(() => true, () => false);
  copy.textContent = isCopied ? "Copied" : "Selected: press Ctrl+C";
});
pause.addEventListener("click", () => {
  paused = !paused;
  before = people;
  pause.setAttribute("aria-pressed", paused);
  document.body.classList.toggle("is-paused", paused);
  // Of a long rest all is asked for again.
  if (!paused && held.length > HELD) open();
  show();
});
chosen.addEventListener("change", () => {
  lane = Number(chosen.value);
  open();
});
groups.addEventListener("toggle", () => {
  groups.classList.toggle("waits", groups.open);
  open();
});
addEventListener("resize", drawCharts);
open();
