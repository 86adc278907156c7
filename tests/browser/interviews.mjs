// Looks at the board of a hiring round as it goes on, in headless Chromium: node interviews.mjs MODULES ADDRESS. Asks, on stdout, for what is to be done, and waits for `done` on stdin; all else
// on stdout is what is wrong. All marks but one are given by the keyboard. KLERO_PICTURES=DIR keeps pictures.
import { join } from "node:path";
import { createInterface } from "node:readline";
import { audit, started } from "./sight.mjs";

const [modules, address] = process.argv.slice(2);
const wrong = [];
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const THEMES = [[1280, "light"], [1280, "dark"], [390, "light"], [390, "dark"]];

async function please(what) {
  console.log(`do ${what}`);
  await lines.next();
}

const { browser, axe } = await started(modules);

// A page of its own in each theme: it shows all that a page which has been open shows, and fits.
async function looked(stage, headline) {
  for (const [width, theme] of THEMES) {
    const says = (what) => wrong.push(`${stage}, ${width} wide, ${theme}: ${what}`);
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: theme, reducedMotion: "reduce" });
    const page = await context.newPage();
    page.on("pageerror", (error) => says(`script: ${error}`));
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && says(`console: ${message.text()}`));
    await page.goto(address);
    await page.locator("#headline", { hasText: headline }).waitFor({ timeout: 60_000 });
    const all = await page.locator("body").innerText();
    if (all.includes("Nothing is compared")) says("it says that nothing is compared");
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (wide > 0) says(`it is ${wide} too wide`);
    await audit(page, axe, says);
    if (process.env.KLERO_PICTURES) await page.screenshot({ path: join(process.env.KLERO_PICTURES, `hiring-${stage}-${width}-${theme}.png`), fullPage: true });
    await context.close();
  }
}

const says = (what) => wrong.push(what);
const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" });
const page = await context.newPage();
page.setDefaultTimeout(60_000);
page.on("pageerror", (error) => says(`script: ${error}`));
await page.goto(address);
const headline = (words) => page.locator("#headline", { hasText: words }).waitFor();
const row = (who) => page.locator("#applicants tbody tr").filter({ has: page.locator("th", { hasText: who }) });
const typed = () => page.evaluate(() => document.activeElement.closest("tr")?.querySelector("th").textContent);

// Tab until the field of a person has the focus.
async function tabTo(who) {
  for (let n = 0; n < 60; n++) {
    if (await page.evaluate((who) => document.activeElement.matches(".give input") && document.activeElement.closest("tr").textContent.includes(who), who)) return;
    await page.keyboard.press("Tab");
  }
  says(`no field of ${who} is reached by Tab`);
}

await headline("Close the slate once all have applied: 3 so far");
await looked("begin", "Close the slate");
await please("close");
// It comes by itself, without a reload.
await headline("Interviews wait: 3, first phone call with ann");
await tabTo("ann");
// What is refused says why, and nothing is lost.
await page.keyboard.type("25");
await page.keyboard.press("Enter");
await row("ann").locator("output", { hasText: "from 0 to 20" }).waitFor();
if ((await row("ann").locator("input").inputValue()) !== "25") says("what was typed is lost");
await page.keyboard.press("ControlOrMeta+a");
await page.keyboard.type("many");
await page.keyboard.press("Enter");
await row("ann").locator("output", { hasText: "a mark is a number" }).waitFor();
await looked("middle", "Interviews wait: 3");
// Another gives a mark meanwhile: rows change their places, the words and the focus stay.
await please("answer cem 9");
await headline("Interviews wait: 2");
if ((await row("ann").locator("input").inputValue()) !== "many") says("what was typed is lost when another gives a mark");
if (!(await typed())?.includes("ann")) says(`the focus is at ${await typed()}, not at ann`);
await page.keyboard.press("ControlOrMeta+a");
await page.keyboard.type("7,5");
await page.keyboard.press("Enter");
await headline("Hold a phone call with bob");
// The next mark goes on where the last one was saved.
await page.waitForFunction(() => document.activeElement.matches(".give input") && document.activeElement.closest("tr").textContent.includes("bob"));
await page.keyboard.type("4");
await page.keyboard.press("Enter");
const marks = await row("ann").innerText();
if (!marks.includes("7.5")) says(`the row of ann says "${marks}"`);
await page.locator("#answer-lines", { hasText: "If no more is heard, “SWAP” proposes cem" }).waitFor();
await looked("late", "Hold");
await page.locator(".known").first().waitFor();
await please("finish");
await headline("Proposed: cem");
await page.locator("#answer-lines", { hasText: "A person decides" }).waitFor();
await looked("end", "Proposed: cem");
await context.close();
await browser.close();
console.log(wrong.length ? wrong.join("\n") : "nothing wrong");
process.exit(wrong.length ? 1 : 0);
