// Looks at pages in headless Chromium: node look.mjs MODULES PAGE…, where MODULES is a folder into which playwright-core and
// axe-core were installed. Exit code 1 where something is wrong, with all that is on stdout. KLERO_PICTURES=DIR keeps pictures;
// KLERO_ONCE=1 looks at each page once, wide and light.
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { audit, bars, legible, started } from "./sight.mjs";

const [modules, ...pages] = process.argv.slice(2);
const WIDTHS = process.env.KLERO_ONCE ? [1280] : [1280, 390];
const THEMES = process.env.KLERO_ONCE ? ["light"] : ["light", "dark"];
const wrong = [];

const { browser, axe } = await started(modules);
for (const path of pages) {
  for (const width of WIDTHS) {
    for (const theme of THEMES) await look(path, width, theme);
  }
}
await browser.close();
console.log(wrong.length ? wrong.join("\n") : `${pages.length} pages looked at, nothing wrong`);
process.exit(wrong.length ? 1 : 0);

async function look(path, width, theme) {
  const says = (what) => wrong.push(`${path}, ${width} wide, ${theme}: ${what}`);
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: theme });
  const page = await context.newPage();
  page.setDefaultTimeout(300_000);
  const url = pathToFileURL(resolve(path)).href;
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) says(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => says(`script: ${error}`));
  page.on("request", (request) => {
    const asked = request.url();
    const isBeside = asked.startsWith(new URL(".", url).href) && asked.endsWith(".svg");
    if (asked !== url && !isBeside && !asked.startsWith("data:")) says(`asks for ${asked}`);
  });
  await page.goto(url);
  if (process.env.KLERO_PICTURES) {
    const name = `${path.replaceAll(/[^a-z0-9]+/gi, "-")}-${width}-${theme}.png`;
    await page.screenshot({ path: join(process.env.KLERO_PICTURES, name), fullPage: true });
  }
  for (const what of await page.evaluate(drawn)) says(what);
  for (const what of await page.evaluate(legible)) says(what);
  for (const what of await page.evaluate(bars)) says(what);
  if (theme === "light") await stops(page, says);
  await keys(page, says);
  await switches(page, theme, says);
  // What is folded away is looked at as well.
  await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
  for (const what of await page.evaluate(fits)) says(what);
  await audit(page, axe, says);
  await context.close();
}

// Every figure has pictures of some size with something in them.
function drawn() {
  const wrong = [];
  for (const figure of document.querySelectorAll("figure")) {
    const name = figure.querySelector("figcaption b").textContent;
    const pictures = [...figure.querySelectorAll(".k-panels svg")];
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
  for (const picture of document.images) {
    const { width, height } = picture.getBoundingClientRect();
    if (!picture.complete || !picture.naturalWidth || width < 200 || height < 100) wrong.push(`${picture.alt}: not drawn`);
  }
  return wrong;
}

// Nothing makes the page wider than the screen, and no words leave their box.
function fits() {
  const { scrollWidth, clientWidth } = document.documentElement;
  const wrong = scrollWidth > clientWidth ? [`it is ${scrollWidth} wide`] : [];
  const next = [...document.querySelectorAll(".scroll")].find((box) => box.textContent.trim().startsWith("Next to the verdicts"));
  const hasLong = next && [...next.querySelectorAll("th, td")].some((cell) => /\S{40}/.test(cell.textContent));
  if (next && !hasLong && innerWidth >= 1280 && next.scrollWidth > next.clientWidth + 1) wrong.push("the table next to the verdicts is wider than the page");
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

// Each panel of a live figure is read by the arrow keys.
async function keys(page, says) {
  for (const slide of await page.locator(".k-slide").all()) {
    const name = await slide.getAttribute("aria-label");
    const before = await slide.getAttribute("aria-valuetext");
    if (!before) says(`${name}: tells nothing`);
    if (await slide.evaluate((slide) => slide.max === "0")) continue;
    await slide.focus();
    for (const key of ["Home", "End"]) await page.keyboard.press(key);
    const after = await slide.getAttribute("aria-valuetext");
    await page.keyboard.press("Home");
    if (after === (await slide.getAttribute("aria-valuetext"))) says(`${name}: the keys change nothing`);
  }
  const panels = await page.locator(".k-panel .k-hits").count();
  const slides = await page.locator(".k-slide").count();
  if (panels !== slides) says(`${slides} of ${panels} panels can be read`);
}

// Names can be hidden and shown by the space bar; the theme can be chosen.
async function switches(page, theme, says) {
  for (const box of await page.locator(".show input").all()) {
    const look = (await box.getAttribute("id")).replace("show-", ".k-panel .f-s");
    const seen = async () => page.locator(`${look}`).evaluateAll((all) => all.some((one) => getComputedStyle(one).display !== "none"));
    const before = await seen();
    await box.focus();
    await page.keyboard.press("Space");
    const hidden = !(await seen());
    await page.keyboard.press("Space");
    if (!before || !hidden || !(await seen())) says(`${look}: can't be hidden and shown`);
  }
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const own = await paper();
  await page.locator(theme === "light" ? "#theme-dark" : "#theme-light").check();
  if (own === (await paper())) says("the theme can't be chosen");
  await page.locator("#theme-auto").check();
  if (own !== (await paper())) says("the reader's own theme does not come back");
}
