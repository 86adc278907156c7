"use strict";
// Each panel gets a slider, for the arrow keys and for screen readers; the pointer moves it too.
for (const panel of document.querySelectorAll(".k-panel")) {
  const svg = panel.querySelector("svg"), hits = panel.querySelector(".k-hits");
  if (!hits) continue;
  const down = hits.dataset.by === "y", stops = [];
  for (const hit of hits.children) {
    const text = hit.textContent, at = text.indexOf(" | ");
    const place = text.slice(0, at), said = text.slice(at + 3);
    let stop = stops.find((stop) => stop.place === place);
    if (!stop) stops.push(stop = { place, hits: [], at: 0 });
    stop.hits.push({ hit, said });
  }
  for (const stop of stops) {
    for (const { hit } of stop.hits) stop.at += +hit.getAttribute(down ? "cy" : "cx") / stop.hits.length;
  }
  stops.sort((a, b) => a.at - b.at);
  const box = svg.viewBox.baseVal;
  const cursor = document.createElementNS(svg.namespaceURI, "line");
  cursor.setAttribute("class", "k-cursor");
  hits.before(cursor);
  const slide = document.createElement("input");
  slide.type = "range";
  slide.className = "k-slide";
  slide.min = 0;
  slide.max = stops.length - 1;
  slide.setAttribute("aria-label", "Read the values of " + svg.querySelector("title").textContent);
  const read = document.createElement("p");
  read.className = "k-read";
  read.setAttribute("aria-hidden", "true");
  panel.append(slide, read);
  const show = () => {
    const stop = stops[slide.value];
    const shown = stop.hits.filter(({ hit }) => getComputedStyle(hit).display !== "none");
    const said = shown.map(({ said }) => said);
    const head = document.createElement("b");
    head.textContent = stop.place + ": ";
    read.replaceChildren(head, ...said.map((text) => {
      const span = document.createElement("span");
      span.textContent = text;
      return span;
    }));
    slide.setAttribute("aria-valuetext", stop.place + ": " + said.join("; "));
    const set = (name, value) => cursor.setAttribute(name, value);
    const ys = shown.map(({ hit }) => +hit.getAttribute("cy")), xs = shown.map(({ hit }) => +hit.getAttribute("cx"));
    set("x1", down ? Math.min(...xs, box.width) - 12 : stop.at);
    set("x2", down ? Math.max(...xs, 0) + 12 : stop.at);
    set("y1", down ? stop.at : Math.min(...ys, box.height) - 10);
    set("y2", down ? stop.at : Math.max(...ys, 0) + 10);
  };
  slide.value = hits.dataset.start === "first" ? 0 : stops.length - 1;
  slide.addEventListener("input", show);
  svg.addEventListener("pointermove", (event) => {
    const seen = svg.getBoundingClientRect();
    const to = down
      ? (event.clientY - seen.top) / seen.height * box.height
      : (event.clientX - seen.left) / seen.width * box.width;
    let nearest = 0;
    stops.forEach((stop, i) => {
      if (Math.abs(stop.at - to) < Math.abs(stops[nearest].at - to)) nearest = i;
    });
    slide.value = nearest;
    show();
  });
  document.addEventListener("change", show);
  show();
}
