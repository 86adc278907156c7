"use strict";
// Draws charts of numbers, laid out for the width that there is: lines of policies, and the difference of two in its interval.
const kept = new Map(), MOST = 600, LATE = { funnel: 4, lines: 8 }, ROOM = 0.12, LINE = 14, EARLY = 1.25, SAME = 1e-9, LETTER = 7.5, COMING = "still to come";

// Takes what an event says of a chart.
function takeChart(id, sent) {
  const chart = kept.get(id) ?? { of: "", points: [], marks: [] };
  kept.set(id, chart);
  if (sent.all) [chart.of, chart.points] = [sent.of, sent.all];
  if (sent.marks) chart.marks = sent.marks;
  if (sent.until !== undefined) chart.until = sent.until;
  for (const point of sent.add ?? []) {
    while (chart.points.length && chart.points.at(-1)[0] >= point[0]) chart.points.pop();
    chart.points.push(point);
  }
  if (chart.points.length > MOST) chart.points = chart.points.filter((_, n) => n % 2 === 0 || n > MOST - 100);
}

function drawCharts() {
  if (!kept.size) return;
  const all = [...document.querySelectorAll("figure.chart")];
  // All have their places before any is measured.
  for (const figure of all) figure.hidden = !kept.get(figure.id)?.points.length;
  for (const figure of all) if (figure.checkVisibility()) drawChart(figure, kept.get(figure.id));
}

function drawChart(figure, chart) {
  const panel = figure.querySelector(".k-panels"), space = document.querySelector("svg").namespaceURI;
  const add = (to, kind, attributes, words) => {
    const made = document.createElementNS(space, kind);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    if (words !== undefined) made.textContent = words;
    to.append(made);
    return made;
  };
  const [wide, high] = [panel.clientWidth, panel.clientHeight], isFunnel = figure.dataset.kind === "funnel";
  // On a wall letters are larger, and all that keeps away from them.
  const size = parseFloat(getComputedStyle(panel).fontSize) / 12;
  const series = isFunnel ? [difference(chart)] : policies(chart);
  const last = chart.points.at(-1)[0], until = Math.max(last, Math.min(chart.until || last, EARLY * last));
  const labels = isFunnel ? [] : places(series, wide);
  const right = isFunnel ? 10 : Math.min(wide / 3, 12 + Math.max(...labels.map((one) => one.wide), 0));
  const [lo, hi] = reach(chart, isFunnel, last);
  const ys = ticks(lo, hi, Math.max(2, Math.floor(high / 36 / size))), left = 10 + 7 * size * Math.max(...ys.map((tick) => tick.words.length));
  const isMarked = isFunnel && (chart.marks.length > 0 || until > last);
  const [top, bottom] = [8 + (isMarked ? LINE * size : 0), 34 * size], inner = { wide: Math.max(wide - left - right, 10), high: Math.max(high - top - bottom, 10) };
  const x = (value) => (inner.wide * value) / (until || 1), y = (value) => inner.high * (1 - (value - lo) / (hi - lo));
  const svg = document.createElementNS(space, "svg");
  for (const [name, value] of Object.entries({ width: wide, height: high, viewBox: `0 0 ${wide} ${high}`, role: "img" })) svg.setAttribute(name, value);
  add(svg, "title", {}, figure.querySelector("figcaption b").textContent);
  add(svg, "desc", {}, series.filter((one) => one.points.length).map(told).join(" "));
  for (const tick of ys) {
    add(svg, "path", { class: tick.value === 0 && isFunnel ? "l-ink" : "l-grid", d: `M${left} ${top + y(tick.value)}h${inner.wide}` });
    add(svg, "text", { class: "f-muted", x: left - 6, y: top + y(tick.value) + 4 * size, "text-anchor": "end" }, tick.words);
  }
  for (const tick of ticks(0, until, Math.max(2, Math.floor(inner.wide / 90 / size)))) {
    const edge = x(tick.value) > inner.wide - 15 ? "end" : "middle";
    if (Number.isInteger(tick.value)) add(svg, "text", { class: "f-muted", x: left + x(tick.value), y: high - bottom + 16 * size, "text-anchor": edge }, tick.words);
  }
  add(svg, "text", { class: "f-muted", x: left + inner.wide, y: high - 4, "text-anchor": "end" }, figure.dataset.unit);
  const plot = add(svg, "svg", { x: left, y: top, width: inner.wide, height: inner.high, overflow: "hidden" });
  if (until > last) {
    add(plot, "rect", { class: "f-grid", x: x(last), y: 0, width: inner.wide - x(last), height: inner.high, opacity: 0.5 });
  }
  // The words of a difference are above it, where no line goes.
  const above = isFunnel ? add(svg, "svg", { x: left, y: 0, width: inner.wide, height: top, overflow: "hidden" }) : plot;
  const edges = chart.marks.map(([n]) => x(n));
  if (isFunnel && inner.wide - x(last) > COMING.length * LETTER * size) {
    edges.push(x(last));
    add(above, "text", { class: "f-muted", x: x(last) + 5, y: 12 * size }, COMING);
  }
  for (const one of series) {
    if (one.band.length > 1) {
      const [up, down] = [one.band.map(([n, , hi]) => `${x(n)} ${y(hi)}`), one.band.map(([n, lo]) => `${x(n)} ${y(lo)}`).reverse()];
      add(plot, "path", { class: `f-${one.colour}`, opacity: 0.18, d: `M${[...up, ...down].join("L")}z` });
    }
    if (!one.points.length) continue;
    const line = add(plot, "path", { class: `l-${one.colour}`, fill: "none", "stroke-width": 2, d: "M" + one.points.map(([n, value]) => `${x(n).toFixed(1)} ${y(value).toFixed(1)}`).join("L") });
    if (one.dash) line.setAttribute("stroke-dasharray", one.dash);
    const [n, value] = one.points.at(-1);
    const isWithin = lo <= value && value <= hi;
    if (isWithin) add(svg, "circle", { class: `f-${one.colour}`, cx: left + x(n), cy: top + y(value), r: 3.5 });
  }
  chart.marks.forEach(([n, text], at) => {
    if (n > until) return;
    add(plot, "path", { class: "l-ink", "stroke-dasharray": isFunnel ? "" : "2 2", d: `M${x(n)} 0v${inner.high}` });
    const [words, isBefore] = label(text, x(n), inner.wide, edges, LETTER * size);
    const rim = { class: "f-ink l-paper", "stroke-width": 3, "stroke-linejoin": "round", "paint-order": "stroke" };
    add(above, "text", { ...rim, x: x(n) + (isBefore ? -5 : 5), y: (isFunnel ? 12 : 11 + at * LINE) * size, "text-anchor": isBefore ? "end" : "start" }, words);
  });
  spread(labels, y, inner.high);
  for (const label of labels) add(svg, "text", { class: "f-ink", x: left + x(last) + 8, y: top + label.y + 4 }, label.words);
  panel.replaceChildren(svg);
}

// The words of an upright line, on the side with more room up to the next line or the edge, and cut there; true before the line.
function label(text, at, wide, lines, letter) {
  const before = at - Math.max(0, ...lines.filter((line) => line < at)), after = Math.min(wide, ...lines.filter((line) => line > at)) - at;
  const needed = text.length * letter + 5, isBefore = after < needed && before > after;
  const room = Math.max(Math.floor(((isBefore ? before : after) - 5) / letter), 0);
  return [text.length > room ? (room > 3 ? text.slice(0, room - 1) + "…" : "") : text, isBefore];
}

// The difference, with its interval where there is one.
function difference(chart) {
  return {
    name: chart.of.slice(chart.of.indexOf(" ") + 1),
    colour: chart.of.split(" ")[0],
    points: chart.points.filter(([, mean]) => mean !== null),
    band: chart.points.filter((point) => point[2] !== null).map(([n, , lo, hi]) => [n, lo, hi]),
  };
}

// A line a policy, in the colour and the dash that its name has elsewhere.
function policies(chart) {
  return [...document.querySelectorAll("#strip ul li")].map((row, at) => ({
    name: row.textContent.trim(),
    colour: row.dataset.c,
    dash: row.querySelector("[stroke-dasharray]")?.getAttribute("stroke-dasharray"),
    points: chart.points.filter((point) => typeof point[at + 1] === "number").map((point) => [point[0], point[at + 1]]),
    band: [],
  }));
}

const told = ({ name, points }) => `${name}: from ${points[0][1]} at ${points[0][0]} to ${points.at(-1)[1]} at ${points.at(-1)[0]}.`;

// From where to where a chart reaches: early values jump, and may lie beyond it.
function reach(chart, isFunnel, last) {
  const late = chart.points.filter(([n]) => n >= last / LATE[isFunnel ? "funnel" : "lines"]);
  const values = late.flatMap((point) => point.slice(1)).filter((value) => typeof value === "number");
  if (isFunnel) values.push(0);
  const [lo, hi] = [Math.min(...values), Math.max(...values)];
  // Values that differ by rounding alone are one value.
  const isOne = hi - lo <= Math.max(Math.abs(lo), Math.abs(hi)) * SAME;
  const room = (isOne ? Math.abs(hi) : hi - lo) * ROOM || 1;
  return [lo >= 0 && !isFunnel ? Math.max(lo - room, 0) : lo - room, hi + room];
}

// Round numbers from one to another.
function ticks(lo, hi, most) {
  const rough = (hi - lo) / most || 1, size = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * size).find((step) => step >= rough * 0.999);
  const decimals = Math.min(Math.max(0, -Math.floor(Math.log10(step) + 1e-9)), 9), all = [];
  for (let n = Math.ceil(lo / step); n * step <= hi + step * 1e-6; n++) {
    const value = n === 0 ? 0 : n * step;
    all.push({ value, words: value.toLocaleString("en", { minimumFractionDigits: decimals, maximumFractionDigits: decimals }).replace("-", "−") });
  }
  return all;
}

// The names at the ends of the lines.
function places(series, wide) {
  const most = Math.floor(wide / 3 / 7);
  return series.filter((one) => one.points.length).map((one) => {
    const words = one.name.length > most ? one.name.slice(0, most - 1) + "…" : one.name;
    return { words, wide: 7 * words.length, value: one.points.at(-1)[1] };
  });
}

// Names keep away from each other.
function spread(labels, y, high) {
  labels.sort((a, b) => b.value - a.value);
  let free = 0;
  for (const label of labels) {
    label.y = Math.max(Math.min(Math.max(y(label.value), 4), high), free);
    free = label.y + LINE;
  }
  let most = high;
  for (const label of [...labels].reverse()) {
    label.y = Math.min(label.y, most);
    most = label.y - LINE;
  }
}
