// Looks at pages in headless Chromium: node look.mjs MODULES PAGE…, where MODULES is a folder into which playwright-core and
// axe-core were installed. Exit code 1 where something is wrong, with all that is on stdout. KLERO_PICTURES=DIR keeps pictures;
// KLERO_ONCE=WIDTH looks at each page once, at that width and light. A page written as PAGE<N is at most N high on a phone.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { audit, bars, copies, labelled, legible, matrices, minus, started, strips } from "./sight.mjs";

const [modules, ...pages] = process.argv.slice(2);
const WIDTHS = process.env.KLERO_ONCE ? [+process.env.KLERO_ONCE] : [1280, 390];
const THEMES = process.env.KLERO_ONCE ? ["light"] : ["light", "dark"];
const wrong = [];

const { browser, axe } = await started(modules);
for (const path of pages) {
  for (const width of WIDTHS) {
    for (const theme of THEMES) {
      await look(path, width, theme).catch((error) => wrong.push(`${path.split("<")[0]}, ${width} wide, ${theme}: looking at it failed: ${error}`));
    }
  }
}
await browser.close();
console.log(wrong.length ? wrong.join("\n") : `${pages.length} pages looked at, nothing wrong`);
process.exit(wrong.length ? 1 : 0);

// What is folded up on a phone is opened by its title, by the keys and by a link; all of it is open afterwards.
async function unfolds(page, says) {
  const folds = await page.$$(".k-fold");
  const opened = (fold) => fold.evaluate((one) => {
    const whole = one.closest("figure, section");
    const inner = whole.querySelector(":scope > :not(figcaption, h2)");
    return [one.getAttribute("aria-expanded") === "true", inner.checkVisibility()];
  });
  for (const [i, fold] of folds.entries()) {
    if ((await opened(fold)).some((is) => is)) says(`fold ${i} is open at first`);
    i % 2 ? await fold.click() : (await fold.focus(), await page.keyboard.press("Enter"));
    if (!(await opened(fold)).every((is) => is)) says(`fold ${i} does not open`);
  }
  if (!folds.length) return;
  const last = await page.$("figure:has(.k-fold)");
  if (last) {
    const id = await last.getAttribute("id"), fold = await last.$(".k-fold");
    await fold.click();
    if ((await opened(fold)).some((is) => is)) says(`${id} does not fold`);
    await page.evaluate((id) => (location.hash = id), id);
    await page.waitForFunction((one) => one.getAttribute("aria-expanded") === "true", fold, { timeout: 5000 }).catch(() => says(`a link to ${id} does not open it`));
  }
  // Tab begins at the top again.
  await page.evaluate(() => {
    history.replaceState(null, "", location.pathname + location.search);
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute("tabindex");
    scrollTo(0, 0);
  });
}

async function look(argument, width, theme) {
  const [path, most] = argument.split("<");
  const says = (what) => wrong.push(`${path}, ${width} wide, ${theme}: ${what}`);
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: theme });
  const page = await context.newPage();
  page.setDefaultTimeout(process.env.KLERO_ONCE ? 20_000 : 300_000);
  const url = pathToFileURL(resolve(path)).href;
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) says(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => says(`script: ${error}`));
  page.on("request", (request) => {
    const asked = request.url();
    const isBeside = asked.startsWith(new URL(".", url).href) && asked.endsWith(".svg");
    if (asked.split("?")[0] !== url && !isBeside && !asked.startsWith("data:")) says(`asks for ${asked}`);
  });
  await page.goto(url);
  if (most && width < 500) {
    const high = await page.evaluate(() => document.documentElement.scrollHeight);
    if (high > +most) says(`it is ${high} high, not within ${most}`);
  }
  if (path.startsWith("committee-brexit-like") && width === 1280) for (const what of await page.evaluate(first)) says(what);
  if (process.env.KLERO_PICTURES) {
    const name = `${path.replaceAll(/[^a-z0-9]+/gi, "-")}-${width}-${theme}.png`;
    await page.screenshot({ path: join(process.env.KLERO_PICTURES, name), fullPage: true });
  }
  await unfolds(page, says);
  for (const what of await page.evaluate(drawn)) says(what);
  for (const what of await page.evaluate(legible)) says(what);
  for (const what of await page.evaluate(bars)) says(what);
  for (const what of await page.evaluate(minus)) says(what);
  if (theme === "light") await stops(page, says);
  await keys(page, says);
  await tips(page, says);
  await strips(page, says);
  await matrices(page, says);
  await copies(page, says);
  await switches(page, theme, says);
  await address(page, theme, says);
  if (theme === "light") await taken(page, says);
  await sorts(page, says);
  await hashes(page, says);
  await filters(page, url, says);
  // What is folded away is looked at as well.
  await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
  await page.evaluate(() => document.querySelectorAll(".k-folded .k-fold").forEach((fold) => fold.click()));
  for (const what of await page.evaluate(drawn)) says(what);
  for (const what of await page.evaluate(fits)) says(what);
  for (const what of await page.evaluate(labelled)) says(what);
  await audit(page, axe, says);
  if (theme === "light" && width > 1000) for (const what of await printed(page)) says(`on paper: ${what}`);
  await context.close();
}

// What is read in five seconds is within the first 700 px: the answer, and all rows of the main job on both measures.
function first() {
  const rows = [...document.querySelectorAll(".found .answer, .verdicts.two tbody tr")];
  const low = rows.filter((one) => one.getBoundingClientRect().bottom > 700);
  return rows.length < 6 || low.length ? [`${low.length} of ${rows.length} rows are below 700 px: ${low.map((one) => one.textContent.slice(0, 20))}`] : [];
}

// On a sheet of A4 no name of a policy is broken within a word of up to 16 letters, no word of a figure reaches beyond the sheet, and
// nothing is shut, since paper does not open. A caption is on the sheet of its figure or of its table's first row.
async function printed(page) {
  await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = false)));
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: 717, height: 1040 });
  const wrong = await page.evaluate(() => {
    const wrong = [];
    for (const shut of document.querySelectorAll("details")) {
      const inner = shut.querySelector(":scope > :not(summary)");
      if (!inner?.checkVisibility({ contentVisibilityAuto: true })) wrong.push(`"${shut.querySelector("summary").textContent}" is shut`);
    }
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const box = node.parentElement;
      if (!box.checkVisibility() || !box.closest(".verdicts th, .k-panel, .k-panels")) continue;
      for (const { 0: word, index } of node.data.matchAll(/\S+/g)) {
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const rects = [...range.getClientRects()];
        if (word.length <= 16 && box.closest(".verdicts th") && new Set(rects.map((rect) => Math.round(rect.top))).size > 1) wrong.push(`"${word}" is broken`);
        if (rects.some((rect) => rect.right > innerWidth + 1)) wrong.push(`"${word}" is cut off`);
      }
    }
    return wrong;
  });
  return [...wrong, ...(await torn(page))];
}

// Links to nowhere tell on which sheet a place is: a PDF names them sheet by sheet.
async function torn(page) {
  const count = await page.evaluate(() => {
    let count = 0;
    const mark = (place, end) => {
      const link = document.createElement("a");
      link.href = `https://place.invalid/${count}/${end}`;
      link.textContent = "\u2022";
      place.prepend(link);
    };
    for (const whole of document.querySelectorAll("figure, table")) {
      const [head, body] = whole.matches("table") ? [whole.caption, whole.querySelector("tbody tr > *")] : [whole.querySelector("figcaption"), [...whole.querySelectorAll(".k-panels")].find((one) => one.checkVisibility())];
      if (!head?.checkVisibility() || !body?.checkVisibility()) continue;
      mark(head, "head");
      mark(body, "body");
      count++;
    }
    return count;
  });
  const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
  const objects = new Map([...pdf.matchAll(/(\d+) 0 obj\b([^]*?)endobj/g)].map(([, number, words]) => [number, words]));
  const sheets = new Map();
  for (const [sheet, words] of [...objects].filter(([, words]) => /\/Type \/Page\b/.test(words))) {
    for (const [, link] of (words.match(/\/Annots \[([^\]]*)\]/)?.[1] ?? "").matchAll(/(\d+) 0 R/g)) {
      const place = objects.get(link)?.match(/place\.invalid\/(\d+)\/(\w+)/);
      if (place) sheets.set(place[1] + place[2], sheet);
    }
  }
  const places = Array.from({ length: count }, (_, place) => place);
  if (count && sheets.size < 2 * count) return [`${sheets.size} of ${2 * count} places are found`];
  const parted = places.filter((place) => sheets.get(`${place}head`) !== sheets.get(`${place}body`));
  const names = await page.evaluate((parted) => parted.map((place) => document.querySelector(`[href="https://place.invalid/${place}/head"]`).parentNode.textContent.slice(0, 60)), parted);
  return names.map((name) => `a caption is torn from its figure: ${name}`);
}

// Every figure has pictures of some size with something in them.
function drawn() {
  const wrong = [];
  for (const figure of document.querySelectorAll("figure")) {
    const name = figure.querySelector("figcaption b").textContent;
    const pictures = [...figure.querySelectorAll(".k-panels svg")].filter((one) => one.checkVisibility());
    if (!pictures.length) wrong.push(`${name}: no picture`);
    for (const picture of pictures) {
      const { width, height } = picture.getBoundingClientRect();
      if (width < 200 || height < 100) wrong.push(`${name}: a picture of ${width} by ${height}`);
      const shapes = [...picture.querySelectorAll("path")].filter((shape) => {
        const box = shape.getBBox();
        return box.width > 0 || box.height > 0;
      });
      if (shapes.length < 2) wrong.push(`${name}: nothing is drawn`);
    }
    if (!figure.querySelector("details table")) wrong.push(`${name}: no table`);
  }
  // What is folded away is drawn once it is opened.
  for (const picture of [...document.images].filter((picture) => picture.checkVisibility())) {
    const { width, height } = picture.getBoundingClientRect();
    if (!picture.complete || !picture.naturalWidth || width < 200 || height < 100) wrong.push(`${picture.alt}: not drawn`);
  }
  return wrong;
}

// Nothing makes the page wider than the screen, and no words leave their box.
async function fits() {
  // What has just been unfolded is measured by the page itself in the next frame.
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const { scrollWidth, clientWidth } = document.documentElement;
  const wrong = scrollWidth > clientWidth ? [`it is ${scrollWidth} wide`] : [];
  const next = [...document.querySelectorAll(".scroll")].find((box) => box.textContent.trim().startsWith("Next to the verdicts"));
  const hasLong = next && [...next.querySelectorAll("th, td")].some((cell) => /\S{40}/.test(cell.textContent));
  if (next && !hasLong && innerWidth >= 1280 && next.scrollWidth > next.clientWidth + 1) wrong.push("the table next to the verdicts is wider than the page");
  // A table of few columns of short words fits on a phone.
  for (const box of document.querySelectorAll(".scroll:has(td)")) {
    const cells = [...box.querySelectorAll("th, td")], few = box.querySelectorAll("thead th").length <= 5;
    const isShort = cells.every((cell) => cell.textContent.length <= 12 || cell.matches("thead *"));
    if (few && isShort && box.checkVisibility() && box.scrollWidth > box.clientWidth + 1) wrong.push(`a table of few columns is cut by ${box.scrollWidth - box.clientWidth}: "${box.textContent.trim().slice(0, 40)}"`);
    const isBroken = (cell) => {
      const words = document.createRange();
      words.selectNodeContents(cell);
      return new Set([...words.getClientRects()].map((rect) => Math.round(rect.top))).size > 1;
    };
    const broken = cells.find((cell) => cell.matches("tbody th") && cell.textContent.length <= 6 && cell.checkVisibility() && isBroken(cell));
    if (broken) wrong.push(`"${broken.textContent}" is broken`);
  }
  // No rows are hidden in a box that scrolls down within the page.
  for (const box of document.querySelectorAll("main *")) {
    const out = box.scrollHeight - box.clientHeight;
    const scrolls = ["auto", "scroll"].includes(getComputedStyle(box).overflowY);
    if (scrolls && box.checkVisibility() && out > 1) wrong.push(`a box hides ${out} of its height: "${box.textContent.trim().slice(0, 40)}"`);
  }
  for (const box of document.querySelectorAll(".sortable")) {
    const out = box.scrollWidth - box.clientWidth;
    if (out > 0 && innerWidth >= 1280) wrong.push(`a table that sorts is cut by ${out}`);
    if (out > 0 === box.previousElementSibling.hidden) wrong.push("a table that sorts does not say whether it scrolls sideways");
  }
  for (const box of document.querySelectorAll("h1, h2, h3, p, li, label, th, td, summary, .found, figcaption")) {
    const out = box.scrollWidth - box.clientWidth;
    // The heads of tables that are laid out as cards are for screen readers alone.
    const head = box.closest("thead");
    const isSeen = box.clientWidth > 1 && !box.closest(".unseen, .scroll, svg") && !(head && getComputedStyle(head).position === "absolute");
    if (isSeen && out > 1) wrong.push(`"${box.textContent.slice(0, 60)}" leaves its box by ${out}`);
  }
  return wrong;
}

// The tab key reaches every control in order, and what is reached is seen; the enter key opens and closes what is folded.
async function stops(page, says) {
  await page.evaluate(() => {
    const all = document.querySelectorAll("a[href], button, select, textarea, summary, input:not([type=radio]), input[type=radio]:checked, [tabindex='0']");
    window.wanted = [...all].filter((one) => one.checkVisibility({ contentVisibilityAuto: true }));
    document.activeElement.blur();
    window.getSelection().removeAllRanges();
  });
  const count = await page.evaluate(() => window.wanted.length);
  for (let at = 0; at < count; at++) {
    await page.keyboard.press("Tab");
    const problem = await page.evaluate((at) => {
      const [got, wanted] = [document.activeElement, window.wanted[at]];
      const told = (one) => (one.getAttribute("aria-label") || one.textContent || one.id || one.tagName).slice(0, 60);
      if (got !== wanted) return `tab ${at + 1} leads to "${told(got)}", not to "${told(wanted)}"`;
      const { outlineStyle, outlineWidth } = getComputedStyle(got);
      if (outlineStyle === "none" || parseFloat(outlineWidth) < 1) return `it is not seen that "${told(got)}" is reached`;
      const { width, height } = got.getBoundingClientRect();
      return width && height ? null : `"${told(got)}" is reached but has no room`;
    }, at);
    if (problem) {
      says(problem);
      break;
    }
  }
  const fold = page.locator("summary").first();
  if (await fold.count()) {
    const isOpen = () => fold.evaluate((one) => one.parentElement.open);
    await fold.focus();
    const seen = [await isOpen()];
    for (const _ of [1, 2]) {
      await page.keyboard.press("Enter");
      seen.push(await isOpen());
    }
    if (seen.join() !== "false,true,false") says(`the enter key does not open and close what is folded: ${seen}`);
  }
}

// Each panel of a live figure is read by the arrow keys of a slider that is seen while it has the focus.
async function keys(page, says) {
  let isFirst = true;
  for (const slide of await page.locator(".k-slide:visible").all()) {
    const name = await slide.getAttribute("aria-label");
    const tip = slide.locator("xpath=preceding-sibling::div");
    if (!(await slide.getAttribute("aria-valuetext"))) says(`${name}: tells nothing`);
    if (await slide.evaluate((slide) => getComputedStyle(slide).opacity !== "0")) says(`${name}: is seen without the focus`);
    await slide.focus();
    for (const key of ["Home", "End"]) await page.keyboard.press(key);
    if (await slide.evaluate((slide) => getComputedStyle(slide).opacity !== "1")) says(`${name}: is not seen with the focus`);
    const after = await slide.getAttribute("aria-valuetext");
    await page.keyboard.press("Home");
    const several = await slide.evaluate((slide) => slide.max !== "0");
    if (several && after === (await slide.getAttribute("aria-valuetext"))) says(`${name}: the keys change nothing`);
    if (several && !(await tip.isVisible())) says(`${name}: the keys show no values`);
    await page.keyboard.press("Escape");
    if (await tip.isVisible()) says(`${name}: the escape key leaves the values`);
    await slide.blur();
    if (several && isFirst) await scrolled(page, slide, tip, says);
    isFirst = false;
  }
  const panels = await page.locator(".k-panel[data-stops]").count();
  const slides = await page.locator(".k-slide").count();
  if (panels !== slides) says(`${slides} of ${panels} panels can be read`);
}

// What the keys show stays where the page scrolls away from below a pointer at rest.
async function scrolled(page, slide, tip, says) {
  await slide.locator("xpath=preceding-sibling::*[local-name()='svg']").hover();
  await slide.focus();
  for (const key of ["Home", "End", "Home"]) await page.keyboard.press(key);
  const by = await page.evaluate(() => (scrollY > 500 ? -400 : 400));
  await page.evaluate((by) => scrollBy(0, by), by);
  await page.waitForTimeout(400);
  if (!(await tip.isVisible())) says("a scroll below a pointer at rest hides what the keys show");
  await page.keyboard.press("Escape");
  await slide.blur();
  await page.mouse.move(0, 0);
}

// The pointer shows the values of all policies there, and the same place in all panels that share the axis.
async function tips(page, says) {
  for (const panel of await page.locator(".k-panel[data-stops]:visible").all()) {
    const svg = panel.locator("> svg");
    const name = await svg.locator("> title").textContent();
    await svg.scrollIntoViewIfNeeded();
    await svg.hover();
    const tip = panel.locator(".k-tip");
    if (!(await tip.isVisible())) {
      says(`${name}: the pointer shows no values`);
      continue;
    }
    const problems = await panel.evaluate((panel) => {
      const wrong = [];
      const tip = panel.querySelector(".k-tip"), { by, x } = panel.dataset;
      const [box, own] = [tip.getBoundingClientRect(), panel.getBoundingClientRect()];
      if (box.left < own.left - 1 || box.right > own.right + 1) wrong.push("the values stand out of the panel");
      const [shown] = JSON.parse(panel.dataset.stops).filter(([stop]) => stop === tip.querySelector("b").textContent);
      if (!shown || shown[2].length !== tip.querySelectorAll("span").length) wrong.push("not all values of the place are shown");
      // On a phone a strip of panels leaves no room beyond the rows.
      const svg = panel.querySelector("svg"), drawn = svg.getBoundingClientRect(), scale = drawn.width / svg.viewBox.baseVal.width;
      const isCovered = ([, x, y]) => box.left < drawn.left + x * scale && drawn.left + x * scale < box.right && box.top < drawn.top + y * scale && drawn.top + y * scale < box.bottom;
      if (by === "y" && innerWidth >= 1280 && shown?.[2].some(isCovered)) wrong.push("the values cover the row that they are of");
      for (const other of document.querySelectorAll(`.k-panel[data-by=x]`)) {
        if (by !== "x" || other.dataset.x !== x || !other.checkVisibility()) continue;
        if (!other.querySelector(".k-cursor line")) wrong.push(`no cursor in "${other.dataset.panel}"`);
      }
      return wrong;
    });
    for (const what of problems) says(`${name}: ${what}`);
  }
  await page.mouse.move(0, 0);
}

// The rows of a table are sorted by its heads with the keys: up, then down, numbers as numbers; aria-sort says which.
// No part of a head is broken, and no two links of a column read alike.
async function sorts(page, says) {
  const odd = await page.evaluate(() => {
    const wrong = [], range = document.createRange();
    for (const head of document.querySelectorAll(".sortable thead th")) {
      const texts = document.createTreeWalker(head, NodeFilter.SHOW_TEXT);
      for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        range.selectNodeContents(node);
        if (node.data.trim().length <= 16 && head.checkVisibility() && new Set([...range.getClientRects()].map((rect) => Math.round(rect.top))).size > 1) wrong.push(`"${node.data}" is broken`);
      }
    }
    for (const table of document.querySelectorAll(".sortable table")) {
      const links = [...table.querySelectorAll("tbody a")].map((link) => link.textContent);
      if (new Set(links).size < links.length) wrong.push(`${links.length} links have ${new Set(links).size} texts`);
    }
    return wrong;
  });
  odd.forEach(says);
  for (const table of await page.locator(".sortable table").all()) {
    const heads = await table.locator("thead button").all();
    if (!heads.length) says("a table that can be sorted has no buttons");
    await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
    for (const [at, button] of heads.entries()) {
      const name = await button.textContent();
      for (const way of ["ascending", "descending"]) {
        await button.focus();
        await page.keyboard.press("Enter");
        const { sort, cells, others } = await table.evaluate((table, at) => ({
          sort: table.tHead.rows[0].cells[at].ariaSort,
          others: table.querySelectorAll("[aria-sort]").length,
          cells: [...table.tBodies[0].rows].map((row) => row.cells[at].textContent.trim()),
        }), at);
        if (sort !== way || others !== 1) says(`${name}: aria-sort is ${sort} of ${others}, not ${way}`);
        const numbers = cells.map((cell) => parseFloat(cell.replace("\u2212", "-").replaceAll(",", "")));
        if (numbers.some(Number.isNaN)) continue;
        if (way === "descending") numbers.reverse();
        if (numbers.some((number, i) => i && number < numbers[i - 1])) says(`${name}: ${way}, but ${cells}`);
      }
    }
    await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = false)));
  }
}

// The page of a draw computes its hashes again: they are the same, and those of another file are not.
async function hashes(page, says) {
  const box = page.locator("#hash-check");
  if (!(await box.count())) return;
  const found = async () => {
    await page.waitForFunction(() => [...document.querySelectorAll("#hash-check output")].every((one) => one.textContent));
    return box.locator("output").allTextContents();
  };
  await box.locator("button").press("Enter");
  const same = await found();
  if (!same.every((word) => word === "\u2713 the same")) says(`the hashes of the draw: ${same}`);
  const files = [{ name: "commitment.json", mimeType: "application/json", buffer: Buffer.from("{}") }];
  await box.locator("input").setInputFiles(files);
  // Where none differs, that is said below.
  await page.waitForFunction(() => document.querySelector("#hash-check .no"), null, { timeout: 5000 }).catch(() => {});
  const other = await found();
  if (!other.every((word, at) => word.startsWith("\u2717 differs") === (at !== 1))) says(`the hashes of another commitment: ${other}`);
}

// Studies are filtered by verdict and words; the address holds what was asked, and a page opened there shows the same.
async function filters(page, url, says) {
  const box = page.locator(".filter [name=verdict]").first();
  if (!(await box.count())) return;
  const seen = () => page.locator(".study tbody tr").evaluateAll((rows) => rows.filter((row) => row.checkVisibility()).map((row) => row.id).join());
  const before = await seen();
  await box.focus();
  await page.keyboard.press("Space");
  const some = await seen();
  const verdict = await box.getAttribute("value");
  const others = await page.locator(`.study tbody tr:not([data-verdict="${verdict}"])`).evaluateAll((rows) => rows.filter((row) => row.checkVisibility()).length);
  if (!some || others) says(`filtered by ${verdict}: "${some}", ${others} others`);
  const asked = new URL(page.url()).hash;
  if (!asked.includes("verdict=")) says(`the address does not hold the filter: ${asked}`);
  const again = await page.context().newPage();
  await again.goto(url + asked);
  const there = await again.locator(".study tbody tr").evaluateAll((rows) => rows.filter((row) => row.checkVisibility()).map((row) => row.id).join());
  if (there !== some) says(`opened at ${asked} it shows "${there}", not "${some}"`);
  await again.close();
  await box.press("Space");
  await page.locator(".filter [type=search]").fill("there is no sentence of these words");
  if (await seen()) says("a search for what is not there finds something");
  await page.locator(".filter [type=search]").fill("");
  if ((await seen()) !== before) says("the whole list does not come back");
}

// Names can be hidden and shown by the space bar, and leave no entry and no row; the theme can be chosen.
async function switches(page, theme, says) {
  const seen = (look) => page.locator(`.k-panel .n-${look}, .k-legend .n-${look}`).evaluateAll((all) => all.some((one) => getComputedStyle(one).display !== "none"));
  const rows = () => page.locator(".k-panel[data-rows]").evaluateAll((all) => all.map((one) => one.querySelector("svg").viewBox.baseVal.height).join());
  for (const box of await page.locator(".show input").all()) {
    const look = (await box.getAttribute("id")).replace("show-", "");
    const [before, high] = [await seen(look), await rows()];
    await box.focus();
    await page.keyboard.press("Space");
    const hidden = !(await seen(look));
    if (high && high === (await rows())) says(`${look}: hidden, it leaves its row`);
    if (await page.evaluate(alone, look)) says(`${look}: hidden, it leaves an empty frame`);
    await page.keyboard.press("Space");
    if (!before || !hidden || !(await seen(look)) || high !== (await rows())) says(`${look}: can't be hidden and shown`);
  }
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const own = await paper();
  await page.locator(theme === "light" ? "#theme-dark" : "#theme-light").check();
  if (own === (await paper())) says("the theme can't be chosen");
  await page.locator("#theme-auto").check();
  if (own !== (await paper())) says("the reader's own theme does not come back");
}

// How many panels are seen that show this one alone.
function alone(look) {
  const panels = [...document.querySelectorAll(".k-panel[data-names]")].filter((panel) => panel.checkVisibility());
  return panels.filter((panel) => Object.keys(JSON.parse(panel.dataset.names)).join() === look).length;
}

// What is chosen is in the address, and comes back from it.
async function address(page, theme, says) {
  if (!(await page.locator(".show input").count())) return;
  const other = theme === "light" ? "dark" : "light";
  const state = () => page.evaluate(() => JSON.stringify([...document.querySelectorAll("input, select")].map((one) => (one.type === "range" ? 0 : one.type === "select-one" ? one.value : one.checked))));
  const fresh = [await state(), page.url()];
  await page.locator(`#theme-${other}`).check();
  await page.locator(".show input").last().uncheck();
  const measure = page.locator("#measure:visible");
  if (await measure.count()) {
    await measure.selectOption({ index: 1 });
    // Figures that have the measure show it alone.
    const shown = await page.evaluate(() => {
      const chosen = document.querySelector("#measure").value;
      const panels = [...document.querySelectorAll("figure")].map((figure) => [...figure.querySelectorAll(".k-panel[data-panel]")]);
      const isIt = (panel) => panel.dataset.panel.split(" (")[0] === chosen;
      // Those of the policy that is hidden now go, whatever they measure.
      const gone = [...document.querySelectorAll(".show input:not(:checked)")].map((box) => box.id.replace("show-", "")).join();
      const isSeen = (panel) => isIt(panel) && Object.keys(JSON.parse(panel.dataset.names)).join() !== gone;
      return panels.filter((all) => all.some(isIt)).map((all) => all.every((panel) => panel.hidden !== isSeen(panel)));
    });
    if (!shown.length || !shown.every((is) => is)) says("the chosen measure is not shown alone");
    const others = await page.evaluate(() => {
      const all = [...document.querySelectorAll(".verdicts .measure, .k-matrix")], chosen = document.querySelector("#measure").value;
      const isIt = (one) => one.dataset.measure === chosen;
      const cells = (one) => (one.matches("th") ? [...one.closest("table").querySelectorAll(`tbody tr:not(.k-off) .${one.classList[1]}`)] : [one]);
      return all.length && (!all.some(isIt) || all.some((one) => cells(one).some((cell) => cell.checkVisibility() !== isIt(one))));
    });
    if (others) says("the verdicts on other measures stay");
  }
  const chosen = await state();
  if (!page.url().includes(`theme=${other}`) || !page.url().includes("hide=")) says(`the address is ${page.url()}`);
  await page.goto(page.url());
  if (chosen !== (await state())) says("what was chosen does not come back from the address");
  await page.locator("#theme-auto").check();
  await page.locator(".show input").last().check();
  if (await measure.count()) await measure.selectOption("");
  if (fresh.join() !== [await state(), page.url()].join()) says(`nothing is chosen, but the address is ${page.url()}`);
}

// A figure's numbers and its picture can be taken away.
async function taken(page, says) {
  const kept = await page.evaluate(() => [...document.querySelectorAll("figure")].filter((one) => document.querySelector(".save") && !one.querySelector(".save")).map((one) => one.querySelector("figcaption b").textContent));
  for (const name of kept) says(`"${name}" can't be taken away`);
  for (const [word, least] of [["CSV", 40], ["PNG", 2000]]) {
    const button = page.locator(".save:visible", { hasText: word }).first();
    if (!(await button.count())) continue;
    const [download] = await Promise.all([page.waitForEvent("download", { timeout: 20_000 }).catch(() => null), button.click()]);
    if (!download) {
      says(`${word} gives no file`);
      continue;
    }
    const [bytes, name] = [readFileSync(await download.path()), download.suggestedFilename()];
    if (bytes.length < least || !name.endsWith("." + word.toLowerCase())) says(`${word} gives ${name} of ${bytes.length} bytes`);
    if (word === "CSV" && !bytes.toString().split("\n")[0].includes(",")) says(`CSV begins with ${bytes.toString().slice(0, 60)}`);
  }
}
