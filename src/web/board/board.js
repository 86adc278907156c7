"use strict";
// Puts in what has changed. All markup comes from the server that gave this page.
const at = (id) => document.getElementById(id);
const [lost, said, pause, fresh, strip] = [at("lost"), at("said"), at("pause"), at("fresh"), at("strip")];
const QUIET = 15000, OFTEN = 1000, SAY = 15000, STILL = 10000, ROWS = 2, WIDE = 60;
const texts = new Map(), changed = new Set(), columns = new Map();
let source, heard = Date.now(), paused = false, lead = at("lead").textContent, spoken = 0;
let last = fresh.dataset.ago ? Date.now() - fresh.dataset.ago : 0, people = 0, before = 0;

const pieces = (html) => html.split(/(?=<)/);

function markup(html) {
  const made = document.createElement("template");
  made.innerHTML = html;
  return made.content;
}

// Makes one tree like another and leaves alone what is the same, so that nothing flickers or loses the focus.
function alike(old, now) {
  const [were, are] = [[...old.childNodes], [...now.childNodes]];
  if (were.length !== are.length) return old.replaceChildren(...are);
  were.forEach((one, n) => {
    const other = are[n];
    if (one.isEqualNode(other)) return;
    if (one.nodeType !== 1 || one.nodeName !== other.nodeName) return one.replaceWith(other);
    for (const { name } of [...one.attributes]) if (!other.hasAttribute(name) && name !== "open") one.removeAttribute(name);
    for (const { name, value } of other.attributes) if (one.getAttribute(name) !== value) one.setAttribute(name, value);
    alike(one, other);
  });
}

function put() {
  if (paused) return paint();
  for (const name of changed) {
    const place = at(name);
    if (place) alike(place, markup(texts.get(name).join("")));
  }
  if (changed.has("lead") || changed.has("stage")) title();
  changed.clear();
  for (const [round, html] of columns) column(round, html);
  columns.clear();
  paint();
  say();
}

// A column in its place: the newest row of them is above.
function column(round, html) {
  const first = round - (round - 1) % WIDE;
  let row = strip.querySelector(`[data-first="${first}"]`);
  if (!row) {
    row = strip.firstElementChild.cloneNode(true);
    row.dataset.first = first;
    row.querySelector("p").textContent = `rounds ${first.toLocaleString("en")}–${(first + WIDE - 1).toLocaleString("en")}`;
    for (const one of row.querySelectorAll("ol li")) one.replaceWith(document.createElement("li"));
    strip.querySelectorAll("li[data-r]").length ? strip.prepend(row) : strip.replaceChildren(row);
    while (strip.children.length > ROWS) strip.lastElementChild.remove();
  }
  row.querySelector("ol").children[round - first]?.replaceWith(markup(html).firstElementChild);
}

// How fresh what is seen is: the last person, and who came since the page was paused.
function paint() {
  const seconds = Math.round((Date.now() - last) / 1000);
  const words = seconds < 120 ? `${seconds} s` : seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
  const now = `Last person ${words} ago.`;
  fresh.hidden = !last || Boolean(at("end").textContent);
  if (fresh.textContent !== now) fresh.textContent = now;
  document.body.classList.toggle("is-quiet", !last || Date.now() - last > STILL);
  const more = people - before;
  const label = !paused ? "Pause" : more > 0 ? `Paused, +${more.toLocaleString("en")} since: go on` : "Paused: go on";
  if (pause.textContent !== label) pause.textContent = label;
}

function title() {
  const card = document.querySelector("[data-title]"), name = document.querySelector("h1");
  if (card && name) document.title = card.dataset.title + " · " + name.textContent;
}

// Who leads is said when it changes, the newest decision now and then: more would be too much to listen to.
function say() {
  const card = document.querySelector("[data-title]"), newest = document.querySelector("[data-said]");
  if (card && card.dataset.title !== lead) {
    lead = card.dataset.title;
    said.textContent = lead;
    spoken = Date.now();
  } else if (newest && Date.now() - spoken >= SAY && said.textContent !== newest.dataset.said) {
    said.textContent = newest.dataset.said;
    spoken = Date.now();
  }
}

function isLost(now) {
  if (now === !lost.hidden) return;
  lost.hidden = !now;
  document.body.classList.toggle("is-lost", now);
  if (now) {
    const when = new Date(heard).toLocaleTimeString();
    lost.textContent = "Connection lost. What you see is as of " + when + "; the page goes on by itself once the server answers.";
    said.textContent = "Connection lost.";
  } else {
    said.textContent = "Connected again.";
  }
  spoken = Date.now();
}

function open() {
  if (source) source.close();
  heard = Math.max(heard, Date.now() - QUIET + 5000);
  source = new EventSource("v1/board");
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
    alive(data);
    people = data.people;
    // Another run may have come to this address.
    if (data.whole) {
      for (const one of strip.querySelectorAll("ol li[data-r]")) one.replaceWith(document.createElement("li"));
      columns.clear();
    }
    for (const [name, html] of Object.entries(data.sections)) {
      texts.set(name, pieces(html));
      changed.add(name);
    }
    for (const [name, patch] of Object.entries(data.pieces)) {
      for (const [n, piece] of patch) texts.get(name)[n] = piece;
      changed.add(name);
    }
    for (const [round, html] of data.columns) columns.set(round, html);
    while (columns.size > ROWS * WIDE) columns.delete(columns.keys().next().value);
    put();
  });
  source.addEventListener("error", () => isLost(true));
}

// A stream that was refused is not opened again by the browser, and one that died unseen not either.
setInterval(() => {
  if (Date.now() - heard > QUIET) isLost(true);
  const isDead = source.readyState === EventSource.CLOSED || Date.now() - heard > QUIET;
  if (isDead) open();
  paint();
}, OFTEN);

// On a phone pictures are next to each other in rows that scroll sideways, by keys too.
if (matchMedia("(max-width: 40rem)").matches) {
  for (const row of document.querySelectorAll(".pictures > div")) {
    row.tabIndex = 0;
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", "pictures, in a row that scrolls sideways");
  }
}
document.body.classList.toggle("kiosk", new URLSearchParams(location.search).has("kiosk"));
pause.hidden = false;
pause.addEventListener("click", () => {
  paused = !paused;
  before = people;
  pause.setAttribute("aria-pressed", paused);
  document.body.classList.toggle("is-paused", paused);
  put();
});
title();
const card = document.querySelector("[data-title]");
lead = card ? card.dataset.title : "";
spoken = Date.now();
open();
