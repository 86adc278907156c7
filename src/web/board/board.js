"use strict";
// Puts in what has changed. All markup comes from the server that gave this page.
const at = (id) => document.getElementById(id);
const [lost, said, pause] = [at("lost"), at("said"), at("pause")];
const QUIET = 15000, OFTEN = 1000, SAY = 15000;
const waiting = new Map();
let source, heard = Date.now(), paused = false, lead = at("lead").textContent, spoken = 0;

function put() {
  if (paused) return;
  for (const [name, html] of waiting) {
    const place = at(name);
    if (place) place.innerHTML = html;
  }
  if (waiting.has("lead") || waiting.has("stage")) title();
  waiting.clear();
  say();
}

function title() {
  const card = document.querySelector("[data-title]"), name = document.querySelector("h1");
  if (card && name) document.title = card.dataset.title + " · " + name.textContent;
}

// Who leads is said when it changes, the newest decision now and then: more nobody could listen to.
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
  const alive = () => {
    heard = Date.now();
    isLost(false);
  };
  source.addEventListener("pulse", alive);
  source.addEventListener("board", (event) => {
    alive();
    for (const [name, html] of Object.entries(JSON.parse(event.data).sections)) waiting.set(name, html);
    put();
  });
  source.addEventListener("error", () => isLost(true));
}

// A stream that was refused is not opened again by the browser, and one that died unseen not either.
setInterval(() => {
  if (Date.now() - heard > QUIET) isLost(true);
  const isDead = source.readyState === EventSource.CLOSED || Date.now() - heard > QUIET;
  if (isDead) open();
}, OFTEN);

pause.hidden = false;
pause.addEventListener("click", () => {
  paused = !paused;
  pause.setAttribute("aria-pressed", paused);
  pause.textContent = paused ? "Paused: go on" : "Pause";
  document.body.classList.toggle("is-paused", paused);
  put();
});
title();
const card = document.querySelector("[data-title]");
lead = card ? card.dataset.title : "";
spoken = Date.now();
open();
