// Looks at the board of a hiring round as it goes on, in headless Chromium: node interviews.mjs MODULES ADDRESS. Asks, on stdout, for what is to be done, and waits for `done` on stdin; all else
// on stdout is what is wrong. KLERO_PICTURES=DIR keeps pictures.
import { join } from "node:path";
import { createInterface } from "node:readline";
import { audit, started } from "./sight.mjs";

const [modules, address] = process.argv.slice(2);
const wrong = [];
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

async function please(what) {
  console.log(`do ${what}`);
  await lines.next();
}

const { browser, axe } = await started(modules);
for (const [width, theme] of [[1280, "light"], [390, "dark"]]) {
  const says = (what) => wrong.push(`${width} wide, ${theme}: ${what}`);
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: theme, reducedMotion: "reduce" });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.on("pageerror", (error) => says(`script: ${error}`));
  await page.goto(address);
  const section = page.locator("section:has(#interviews)");
  const shows = (words) => section.filter({ hasText: words }).waitFor();
  if (width === 1280) {
    await shows("The slate of round 1 is open, with 3 candidates so far.");
    await shows("No policy waits for an interview.");
    await please("close");
  }
  // It comes by itself, without a reload.
  await shows("The last slate is closed.");
  const row = section.locator("#interviews tbody tr", { hasText: "ann" });
  await row.waitFor();
  const words = (await row.innerText()).replace(/\s+/g, " ");
  for (const due of ["phone", "SWAP", "UTC"]) if (!words.includes(due)) says(`the row says "${words}", not "${due}"`);
  const heading = await page.locator("h2", { hasText: "To interview next" }).count();
  if (heading !== 1) says(`${heading} headings say "To interview next"`);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (wide > 0) says(`it is ${wide} too wide`);
  await audit(page, axe, says);
  if (process.env.KLERO_PICTURES) {
    await page.screenshot({ path: join(process.env.KLERO_PICTURES, `interviews-${width}-${theme}.png`), fullPage: true });
  }
  if (width === 390) {
    await please("answer");
    await row.waitFor({ state: "detached" });
    await shows("1 answered");
  }
  await context.close();
}
await browser.close();
console.log(wrong.length ? wrong.join("\n") : "nothing wrong");
process.exit(wrong.length ? 1 : 0);
