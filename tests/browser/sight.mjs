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
    for (const row of table.querySelectorAll("tbody tr")) {
      const name = row.querySelector("th").textContent;
      const bars = [...row.querySelectorAll(".interval")].filter((bar) => bar.checkVisibility());
      bars.forEach((bar, at) => {
        const says = (what) => wrong.push(`measure ${at + 1}, ${name}: ${what}`);
        const cell = bar.closest("td"), value = cell.previousElementSibling.matches(".mean, th") ? cell.previousElementSibling : null;
        const seen = bar.getBoundingClientRect(), chip = cell.nextElementSibling.querySelector(".verdict");
        if (seen.width < (innerWidth > 1000 ? 220 : 150) || seen.height < 20) says(`a bar of ${seen.width} by ${seen.height}`);
        const named = innerWidth > 1080 ? row.querySelector("th") : [...row.querySelectorAll(".again")][at];
        if (!named?.checkVisibility()) says("it has no name");
        const parts = [["name", box(named)], ["bar", seen]];
        if (chip) parts.push(["verdict", chip.getBoundingClientRect()]);
        if (value?.matches(".mean")) parts.push(["value", box(value.lastElementChild)]);
        parts.forEach(([a, one], i) => parts.slice(0, i).forEach(([b, other]) => meet(one, other) && says(`the ${a} is on the ${b}`)));
      });
    }
    for (const axis of table.querySelectorAll("tfoot svg")) {
      const ticks = [...axis.querySelectorAll("text")].map((tick) => tick.getBoundingClientRect());
      if (ticks.some((tick, i) => i && meet(tick, ticks[i - 1]))) wrong.push(`${axis.textContent}: a number of the axis runs into the one before it`);
    }
  }
  return wrong;
}

// A figure has one size of text, that of the page, and no label over another.
export function labelled() {
  const wrong = [];
  for (const figure of document.querySelectorAll("figure, .verdicts, .order")) {
    const name = figure.querySelector("b, th")?.textContent ?? figure.className;
    const texts = [...figure.querySelectorAll("svg text")].filter((one) => one.checkVisibility() && one.textContent.trim());
    const sizes = new Set(texts.map((one) => (parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a).toFixed(1)));
    if (sizes.size > 1) wrong.push(`${name}: texts of ${[...sizes].join(" and ")} px`);
    if ([...sizes].some((size) => size < 11 || size > 14)) wrong.push(`${name}: texts of ${[...sizes]} px`);
    const boxes = texts.map((one) => [one.textContent, one.getBoundingClientRect()]);
    boxes.forEach(([one, a], at) => boxes.slice(at + 1).forEach(([other, b]) => {
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left), down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 1 && down > 3) wrong.push(`${name}: "${one}" over "${other}"`);
    }));
  }
  return wrong;
}

// A number below 0 has a minus sign, in tables and pictures alike; what a config says ("mean = -1") stays as it is written.
export function minus() {
  const all = [...document.querySelectorAll("td, .verdicts th, .k-matrix b, svg text, .answer, .findings li, figcaption")];
  return all.filter((one) => /(^|[\s(])-\d/.test(one.textContent.replace(/ = (\[[^=]*\]|-\d)/g, ""))).map((one) => `a hyphen in place of a minus: "${one.textContent.slice(0, 60)}"`);
}

// A matrix of pairs is read by the arrow keys: the line below it says what the cell with the focus has. One cell is reached by Tab.
export async function matrices(page, says) {
  for (const matrix of await page.locator(".k-matrix").all()) {
    const read = () => matrix.locator(".k-read").textContent();
    if ((await matrix.locator("td[tabindex='0']").count()) !== 1) says("not one cell of the matrix is reached by Tab");
    await matrix.locator("td[tabindex='0']").focus();
    const heard = new Set([await read()]);
    const isWide = (await matrix.locator("tbody tr:visible").count()) > 1;
    for (const key of isWide ? ["ArrowDown", "ArrowRight", "End", "Home"] : ["ArrowDown", "ArrowDown", "End"]) {
      await page.keyboard.press(key);
      heard.add(await read());
      const due = await page.evaluate(() => document.activeElement.dataset.said);
      if (due !== (await read())) says(`the matrix reads "${await read()}", not "${due}"`);
    }
    if (heard.size < 3) says(`the arrow keys read ${heard.size} cells of the matrix`);
    if (![...heard].some((words) => / less .*: .+;/.test(words))) says(`the matrix reads no difference: "${[...heard].join(" ")}"`);
    if (isWide) continue;
    const select = matrix.locator("select"), first = await matrix.locator("tbody th:visible").textContent();
    await select.selectOption({ index: 1 });
    if (first === (await matrix.locator("tbody th:visible").textContent())) says("no other row of the matrix can be chosen");
    await select.selectOption({ index: 0 });
  }
}

// The command of the next step can be copied; what can't be copied is selected.
export async function copies(page, says) {
  const button = page.locator(".copy");
  if (!(await button.count())) return;
  const code = await page.locator(".next code").textContent();
  const copied = () => page.evaluate(() => (window.copied = window.copied ?? []).join());
  await page.evaluate(() => {
    window.copied = [];
    Object.defineProperty(navigator, "clipboard", { configurable: true, value: { writeText: async (text) => void window.copied.push(text) } });
  });
  await button.click();
  await page.waitForFunction(() => document.querySelector(".copy").textContent === "copied");
  if ((await copied()) !== code) says(`"${await copied()}" is copied, not "${code}"`);
  await page.evaluate(() => Object.defineProperty(navigator, "clipboard", { configurable: true, value: undefined }));
  await button.click();
  await page.waitForFunction(() => document.querySelector(".copy").textContent === "selected");
  const selected = await page.evaluate(() => getSelection().toString());
  if (selected !== code) says(`"${selected}" is selected, not "${code}"`);
  await page.evaluate(() => getSelection().removeAllRanges());
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
