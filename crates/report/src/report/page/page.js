"use strict";
const all = (query, of = document) => [...of.querySelectorAll(query)];
const made = (name, of = {}, ...inner) => {
  const one = document.createElement(name);
  for (const key in of) key in one ? (one[key] = of[key]) : one.setAttribute(key, of[key]);
  one.append(...inner);
  return one;
};
const drawn = (name, of) => {
  const one = document.createElementNS(document.querySelector("svg").namespaceURI, name);
  for (const key in of) one.setAttribute(key, of[key]);
  return one;
};
const hidden = new Set();
const boxes = all(".show input[type=checkbox]");
const measure = document.querySelector("#measure");

// A panel is read at its stops: under the pointer, and by the arrow keys of a slider that is seen
// while it has the focus. Panels that share an x axis show the same place.
const panels = all(".k-panel[data-stops]").map((panel) => {
  const svg = panel.querySelector("svg"), view = svg.viewBox.baseVal, { by, from, x, rows, row } = panel.dataset;
  const names = JSON.parse(panel.dataset.names);
  const stops = JSON.parse(panel.dataset.stops).map(([name, at, points]) => ({ name, at, points }));
  const read = { panel, svg, by, x, stops, rows: rows ? rows.split(" ") : [], row: +row, high: view.height };
  const cursor = drawn("g", { class: "k-cursor" });
  svg.append(cursor);
  const tip = made("div", { className: "k-tip", hidden: true, "aria-hidden": "true" });
  const slide = made("input", { type: "range", className: "k-slide", min: 0, max: stops.length - 1 });
  slide.setAttribute("aria-label", "Read the values of " + svg.querySelector("title").textContent);
  panel.append(tip, slide);
  const seen = (stop) => stop.points.filter(([look]) => !hidden.has("" + look));
  const gap = (look) => {
    const at = read.rows.indexOf("" + look);
    return at < 0 ? 0 : read.rows.slice(0, at).filter((other) => hidden.has(other)).length * read.row;
  };
  read.mark = (stop) => {
    cursor.replaceChildren();
    if (!stop) return;
    const points = seen(stop);
    const ends = (of) => [Math.min(...of) - 10, Math.max(...of) + 10];
    if (points.length > 1 || by === "x") {
      const [from, to] = ends(points.map((point) => point[by === "y" ? 1 : 2]));
      const up = by === "y" ? gap(points[0]?.[0]) : 0;
      if (points.length) cursor.append(drawn("line", by === "y" ? { x1: from, x2: to, y1: stop.at - up, y2: stop.at - up } : { x1: stop.at, x2: stop.at, y1: from, y2: to }));
    }
    for (const [look, cx, cy] of points) cursor.append(drawn("circle", { cx, cy: cy - gap(look), r: 6 }));
  };
  read.say = (stop, { tipped = false, near } = {}) => {
    slide.value = stops.indexOf(stop);
    const points = seen(stop);
    const named = ([look, , , said]) => (names[look] && names[look] !== stop.name ? names[look] + ": " + said : said);
    slide.setAttribute("aria-valuetext", stop.name + ": " + points.map(named).join("; "));
    tip.hidden = !tipped;
    if (!tipped) return;
    const order = by === "x" ? [...points].sort((a, b) => a[2] - b[2]) : points;
    tip.replaceChildren(made("b", {}, stop.name), ...order.map((point) => {
      const sample = document.querySelector(`#show-${point[0]} + svg`);
      return made("span", {}, ...(sample ? [sample.cloneNode(true)] : []), named(point));
    }));
    // Below the panel the values hide no line; where that would scroll, or the panel is wide, they are within it. Those of a row are below it,
    // or above it where a strip of panels ends.
    const scale = svg.clientWidth / view.width, room = panel.clientWidth - tip.offsetWidth, outer = panel.parentElement;
    const at = near ?? (by === "x" ? stop.at * scale : svg.clientWidth);
    const isWide = room > tip.offsetWidth, isStrip = getComputedStyle(outer).overflowX !== "visible";
    const places = points.map((point) => (point[2] - gap(point[0])) * scale), most = isStrip ? outer.clientHeight - tip.offsetHeight - 8 : Infinity;
    const below = Math.max(...places, 0) + 12, row = below > most ? Math.min(...places) - tip.offsetHeight - 12 : below;
    const top = by === "y" ? row : isWide ? 40 * scale : svg.clientHeight;
    tip.style.left = Math.max(0, Math.min(room, at + 14 > room ? at - tip.offsetWidth - 14 : at + 14)) + "px";
    tip.style.top = Math.max(0, Math.min(top, most)) + "px";
  };
  read.hush = () => (tip.hidden = true);
  read.go = (stop, how) => {
    read.mark(stop);
    read.say(stop, how);
    for (const other of panels) {
      if (other === read) continue;
      other.hush();
      const place = by === "x" && other.by === "x" && other.x === x && (other.stops.find((one) => one.name === stop.name) ?? nearest(other, stop));
      other.mark(place || null);
    }
  };
  read.rest = () => panels.forEach((other) => (other.mark(null), other.hush()));
  svg.addEventListener("pointermove", (event) => {
    const box = svg.getBoundingClientRect();
    const near = event.clientX - box.left;
    const to = by === "y" ? (event.clientY - box.top) / box.height * view.height : near / box.width * view.width;
    const open = stops.filter((stop) => seen(stop).length);
    const far = (stop) => Math.abs(stop.at - (by === "y" ? gap(stop.points[0][0]) : 0) - to);
    if (open.length) read.go(open.reduce((best, stop) => (far(stop) < far(best) ? stop : best)), { tipped: true, near });
  });
  // A scroll moves the panel away from a pointer at rest: what the keys show stays.
  svg.addEventListener("pointerleave", () => document.activeElement?.matches(".k-slide:focus-visible") || read.rest());
  const here = (tipped) => read.go(stops[slide.value], { tipped });
  slide.addEventListener("input", () => here(true));
  slide.addEventListener("focus", () => slide.matches(":focus-visible") && here(true));
  slide.addEventListener("blur", read.rest);
  slide.addEventListener("keydown", (event) => event.key === "Escape" && read.hush());
  slide.value = from === "start" ? 0 : stops.length - 1;
  read.say(stops[slide.value]);
  return read;
});

// Where two panels were not read at the same places: the nearest by number.
function nearest(other, stop) {
  const number = (one) => parseFloat(one.name.slice(other.x.replace(/ \(.*/, "").length).replaceAll("\u2212", "-"));
  const far = (one) => Math.abs(number(one) - number(stop));
  return other.stops.reduce((best, one) => (far(one) < far(best) ? one : best));
}

// Hidden policies leave no row, no entry of a legend and no value.
function show() {
  hidden.clear();
  for (const box of boxes) {
    const look = box.id.slice(5);
    if (!box.checked) hidden.add(look);
    for (const one of all(`.k-panel .n-${look}, .k-legend .n-${look}, tr.n-${look}`)) one.classList.toggle("k-off", !box.checked);
  }
  for (const { panel, svg, rows, row, high } of panels) {
    if (!rows.length) continue;
    let gone = 0;
    for (const look of rows) {
      for (const one of all(`.n-${look}`, panel)) one.style.transform = gone ? `translateY(${-gone}px)` : "";
      if (hidden.has(look)) gone += row;
    }
    for (const one of all(".k-below", panel)) one.style.transform = gone ? `translateY(${-gone}px)` : "";
    svg.setAttribute("viewBox", `0 0 ${svg.viewBox.baseVal.width} ${high - gone}`);
  }
  for (const read of panels) {
    read.mark(null);
    read.say(read.stops[read.panel.querySelector(".k-slide").value]);
  }
  // A panel whose policies are all hidden goes with them, and so do the panels and tables of other measures.
  for (const figure of all("figure")) {
    const titles = all(".k-panel", figure).map((panel) => [panel, panel.dataset.panel?.split(" (")[0]]);
    const isOf = measure?.value && titles.some(([, title]) => title === measure.value);
    for (const [panel, title] of titles) {
      const looks = Object.keys(JSON.parse(panel.dataset.names ?? "{}"));
      panel.hidden = (isOf && title !== measure.value) || (looks.length > 0 && looks.every((look) => hidden.has(look)));
    }
  }
  const tables = all("[data-measure]").map((one) => [one, one.dataset.measure.split(" (")[0] === measure?.value]);
  const isJudged = tables.some(([, isIt]) => isIt);
  for (const [one, isIt] of tables) one.hidden = isJudged && !isIt;
}

// The measures that several figures show can be chosen.
if (measure) {
  const titles = all("figure").flatMap((figure) => [...new Set(all(".k-panel", figure).map((panel) => panel.dataset.panel?.split(" (")[0]))]);
  const several = [...new Set(titles)].filter((title) => title && titles.indexOf(title) !== titles.lastIndexOf(title));
  measure.append(...several.map((title) => made("option", { value: title }, title)));
  measure.closest("label").hidden = several.length < 2;
}

// What is chosen is in the address, so that a link shows the same.
const themes = all("[name=theme]");
const name = (box) => box.closest("label").textContent.trim();
function keep() {
  const chosen = new URLSearchParams();
  const theme = themes.find((one) => one.checked)?.id.slice(6);
  if (theme && theme !== "auto") chosen.set("theme", theme);
  for (const box of boxes) if (!box.checked) chosen.append("hide", name(box));
  if (measure?.value) chosen.set("measure", measure.value);
  const query = chosen.toString();
  history.replaceState(null, "", location.pathname + (query && "?" + query) + location.hash);
}
const asked = new URLSearchParams(location.search);
for (const one of themes) if (one.id === "theme-" + asked.get("theme")) one.checked = true;
for (const box of boxes) if (asked.getAll("hide").includes(name(box))) box.checked = false;
if (measure) measure.value = [...measure.options].some((one) => one.value === asked.get("measure")) ? asked.get("measure") : "";
document.addEventListener("change", (event) => {
  if (event.target.closest(".show, .theme")) (show(), keep());
});
show();

// Each figure as a picture, and its numbers as CSV.
const save = (name, href) => made("a", { href, download: name }).click();
const cell = (one) => {
  const text = one.textContent.trim().replace(/^\u2212/, "-");
  return /[",\n]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
};
for (const figure of all("figure[id]")) {
  const stem = figure.id.replace("figure-", ""), foot = figure.querySelector(".foot"), table = figure.querySelector("table");
  const title = figure.querySelector("figcaption b").textContent;
  const button = (word, work) => foot?.append(made("button", { type: "button", className: "save", "aria-label": `${word} of ${title}` , onclick: work }, word));
  if (figure.querySelector(".k-panels svg")) button("PNG", () => picture(figure, stem));
  if (table) button("CSV", () => save(stem + ".csv", "data:text/csv;charset=utf-8," + encodeURIComponent(all("tr", table).map((row) => [...row.cells].map(cell).join(",")).join("\n") + "\n")));
}

// A copy of a drawing in the colours in which it is seen.
function dressed(drawing) {
  const copy = drawing.cloneNode(true), shapes = all("*", drawing);
  all("*", copy).forEach((one, at) => {
    const style = getComputedStyle(shapes[at]);
    for (const key of ["fill", "stroke", "display", "transform"]) one.style[key] = style[key];
  });
  return copy;
}

// A drawing as an image, with what it uses of the first of its figure.
async function image(svg, { width, height }, scale) {
  const copy = dressed(svg), shared = svg.closest("figure").querySelector(".k-panels defs");
  if (shared && !svg.contains(shared)) copy.prepend(dressed(shared));
  copy.setAttribute("xmlns", svg.namespaceURI);
  copy.setAttribute("width", width * scale);
  copy.setAttribute("height", height * scale);
  copy.style.fontFamily = "sans-serif";
  const image = new Image();
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(new XMLSerializer().serializeToString(copy));
  await image.decode();
  return image;
}

// The title, the legend and the panels that are seen, below each other.
async function picture(figure, stem) {
  const seen = (query) => all(query, figure).filter((one) => one.checkVisibility());
  const panels = seen(".k-panels svg"), entries = seen(".k-legend li"), scale = 3, margin = 12, line = 22;
  const sizes = panels.map((svg) => svg.viewBox.baseVal);
  const wide = Math.max(...sizes.map((size) => size.width));
  const canvas = made("canvas"), pen = canvas.getContext("2d"), style = getComputedStyle(document.body);
  canvas.width = scale * (2 * margin + wide);
  canvas.height = scale * (3 * margin + line + entries.length * line + sizes.reduce((sum, size) => sum + size.height + margin, 0));
  pen.fillStyle = style.backgroundColor;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  const write = (words, font, left, top) => {
    pen.font = `${font}px sans-serif`;
    pen.fillStyle = style.color;
    pen.fillText(words, left * scale, top * scale, (wide + margin - left) * scale);
  };
  write(figure.querySelector("figcaption b").textContent, "bold " + 15 * scale, margin, margin + 15);
  let top = margin + line + 6;
  for (const entry of entries) {
    const sample = entry.querySelector("svg"), size = sample.viewBox.baseVal;
    pen.drawImage(await image(sample, size, scale), margin * scale, top * scale);
    write(entry.textContent.trim(), 13 * scale, margin + size.width + 6, top + 15);
    top += Math.max(line, size.height);
  }
  for (const [i, svg] of panels.entries()) {
    pen.drawImage(await image(svg, sizes[i], scale), margin * scale, top * scale);
    top += sizes[i].height + margin;
  }
  save(stem + ".png", canvas.toDataURL("image/png"));
}

// On a phone the figures after the first, and sections that have only words and files, are folded up:
// a tap on their titles opens them, and so does a link to them.
if (matchMedia("(max-width: 40rem)").matches) {
  const figures = all("main figure"), isAfter = (one) => figures[0]?.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING;
  const words = all("main > section:not(:has(figure, .verdicts, .sortable, .claims, .k-strip))").filter(isAfter);
  const later = [...figures.slice(1), ...words.slice(-4)];
  const folds = later.map((one) => {
    const title = one.querySelector("figcaption b, h2");
    const button = made("button", { type: "button", className: "k-fold" }, ...title.childNodes);
    title.append(button);
    const fold = (shut) => {
      one.classList.toggle("k-folded", shut);
      button.setAttribute("aria-expanded", !shut);
    };
    button.addEventListener("click", () => fold(!one.classList.contains("k-folded")));
    fold(true);
    return { one, fold };
  });
  const meant = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    for (const { one, fold } of folds) if (target && one.contains(target)) {
      fold(false);
      target.scrollIntoView();
    }
  };
  addEventListener("hashchange", meant);
  meant();
}
