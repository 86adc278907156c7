// What is looked at on every page, and with what.
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

// A headless Chromium and axe-core, out of the folder into which playwright-core and axe-core were installed.
export async function started(modules) {
  const load = createRequire(join(resolve(modules), "package.json"));
  const browser = await load("playwright-core").chromium.launch({
    executablePath: process.env.KLERO_CHROMIUM || "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
    timeout: 300_000,
  });
  return { browser, axe: load("axe-core") };
}

// Nothing that axe-core finds.
export async function audit(page, axe, says) {
  await page.evaluate(axe.source);
  // Headings that skip a level break no rule of WCAG, and yet a reader by headings loses the way.
  const found = await page.evaluate((rules) => axe.run(document, { runOnly: rules, rules: { "heading-order": { enabled: true } } }), RULES);
  if (found.passes.length < 10) says(`axe-core looked at ${found.passes.length} rules only`);
  for (const { id, help, nodes } of found.violations) {
    says(`axe-core: ${id} (${help}): ${nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" … ")}`);
  }
}

// The words of a picture lie within it, do not run into each other and lie over no upright line of reference; slanted ones are looked at
// by eye.
export function legible() {
  const wrong = [];
  for (const picture of document.querySelectorAll(".k-panels svg")) {
    if (!picture.checkVisibility() || picture.parentNode.closest("svg")) continue;
    const name = picture.querySelector("title").textContent;
    const bounds = picture.getBoundingClientRect();
    const words = [...picture.querySelectorAll("text")].filter((text) => text.textContent && !text.hasAttribute("transform"));
    const rooms = words.map((text) => text.getBoundingClientRect());
    rooms.forEach((room, i) => {
      const out = Math.max(bounds.left - room.left, room.right - bounds.right, bounds.top - room.top, room.bottom - bounds.bottom);
      if (out > 10) wrong.push(`${name}: "${words[i].textContent}" stands out by ${Math.round(out)}`);
      for (let j = 0; j < i; j++) {
        const other = rooms[j];
        const wide = Math.min(room.right, other.right) - Math.max(room.left, other.left);
        const high = Math.min(room.bottom, other.bottom) - Math.max(room.top, other.top);
        // A box of text is higher than its letters.
        if (wide > 2 && high > 0.35 * room.height) wrong.push(`${name}: "${words[i].textContent}" runs into "${words[j].textContent}"`);
      }
    });
    for (const path of picture.querySelectorAll("path.l-ink")) {
      for (const [, x, y] of path.getAttribute("d").matchAll(/M([\d.]+) ([\d.]+)[vV]/g)) {
        const line = new DOMPoint(+x, +y).matrixTransform(path.getScreenCTM()), { bottom } = path.getBoundingClientRect();
        const over = rooms.findIndex((room) => room.left + 2 < line.x && line.x < room.right - 2 && room.top < bottom && room.bottom > line.y + 2);
        if (over >= 0) wrong.push(`${name}: "${words[over].textContent}" lies over a line`);
      }
    }
  }
  return wrong;
}

// Every row of verdicts shows its bar and its verdict, neither on its name nor on each other; the numbers of its axis are apart.
export function bars() {
  const wrong = [];
  const box = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return range.getBoundingClientRect();
  };
  const meet = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
  for (const table of document.querySelectorAll(".verdicts")) {
    const measure = table.querySelector("caption b").textContent;
    for (const row of table.querySelectorAll("tbody tr")) {
      const name = row.querySelector("th");
      const says = (what) => wrong.push(`${measure}, ${name.textContent}: ${what}`);
      const parts = [["name", box(name)], ["verdict", row.querySelector(".verdict").getBoundingClientRect()], ["numbers", box(row.querySelector(".numbers"))]];
      const bar = row.querySelector(".interval");
      if (bar) {
        const seen = bar.getBoundingClientRect();
        if (seen.width < 150 || seen.height < 20) says(`a bar of ${seen.width} by ${seen.height}`);
        parts.push(["bar", seen]);
      }
      parts.forEach(([a, one], i) => parts.slice(0, i).forEach(([b, other]) => meet(one, other) && says(`the ${a} is on the ${b}`)));
    }
    const ticks = [...table.querySelectorAll("tfoot text")];
    ticks.forEach((tick, i) => i && meet(tick.getBoundingClientRect(), ticks[i - 1].getBoundingClientRect()) && wrong.push(`${measure}: ${tick.textContent} runs into the number before it`));
  }
  return wrong;
}

// A number below 0 has a minus sign, in tables and pictures alike; what a config says ("mean = -1") stays as it is written.
export function minus() {
  const all = [...document.querySelectorAll("td, .verdicts th, svg text, .answer, .findings li, figcaption")];
  return all.filter((one) => /(^|[\s(])-\d/.test(one.textContent.replace(/ = (\[[^=]*\]|-\d)/g, ""))).map((one) => `a hyphen in place of a minus: "${one.textContent.slice(0, 60)}"`);
}

// A strip of decisions says who it was and why, under the pointer and by the arrow keys.
export async function strips(page, says) {
  const strip = page.locator(".k-strip");
  if (!(await strip.count())) return;
  const said = () => page.evaluate(() => document.querySelector(".k-said").textContent);
  await strip.locator("li[data-r]").first().hover();
  // Where the words come when they are asked for, they are waited for.
  await page.waitForFunction(() => document.querySelector(".k-said li"));
  const words = await said();
  // Of a slate of many it says how many each policy chose of them.
  const tells = (words) => words.includes("chosen: ") || / \d+ of \d+ \(/.test(words);
  if (!/^Round [\d,]+, ((person|id) \S+|[\d,]+ people)/.test(words) || !tells(words)) says(`under the pointer the strip says "${words}"`);
  await strip.focus();
  await page.keyboard.press("End");
  await page.waitForFunction(() => document.querySelector(".k-said li"));
  const last = await said();
  if (last === words || !last.startsWith("Round ")) says(`by the key End the strip says "${last}"`);
  await page.keyboard.press("ArrowUp");
  const isLit = () => document.querySelector(".k-strip .at").classList.contains("x");
  if (!(await page.evaluate(isLit))) says("the key up leads to no disagreement");
  await page.waitForFunction(() => document.querySelector(".k-said li"));
  const value = await strip.getAttribute("aria-valuetext");
  if (!value.includes("chosen") && !tells(value)) says(`the strip tells a screen reader "${value}"`);
}
