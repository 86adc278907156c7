// Looks at the board of a live run of eight policies that comes to its end, in headless Chromium: node end.mjs MODULES ADDRESS. All on stdout is what is wrong.
// KLERO_PICTURES=DIR keeps pictures.
import { join } from "node:path";
import { audit, bars, legible, minus, started } from "./sight.mjs";

const [modules, address] = process.argv.slice(2);
const wrong = [];
const { browser, axe } = await started(modules);
for (const [width, theme] of [[1280, "light"], [390, "dark"]]) {
  const says = (what) => wrong.push(`${width} wide, ${theme}: ${what}`);
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: theme, reducedMotion: "reduce" });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && says(`console: ${message.text()}`));
  page.on("pageerror", (error) => says(`script: ${error}`));
  await page.goto(address);
  // By itself, without a reload.
  await page.waitForFunction(() => document.getElementById("stage").textContent.includes("Over:"));
  const link = page.locator("#report:not(:empty)");
  await link.waitFor();
  const stage = await page.locator("#stage").innerText();
  if (!/Over: 40 of 40 seats filled by each policy in \d+ s/.test(stage)) says(`its end is "${stage}"`);
  const end = await page.locator("#end").innerText();
  if (!/\d+ people came/.test(end)) says(`its end says "${end}"`);
  if (await page.locator("#fresh").innerText()) says("it says when the last person came");
  const rows = await page.locator("#lanes tbody tr").count();
  if (rows !== 8) says(`${rows} policies have a row`);
  for (const what of [...(await page.evaluate(legible)), ...(await page.evaluate(bars)), ...(await page.evaluate(minus))]) says(what);
  await audit(page, axe, says);
  if (process.env.KLERO_PICTURES) await page.screenshot({ path: join(process.env.KLERO_PICTURES, `end-${width}-${theme}.png`), fullPage: true });
  const [response] = await Promise.all([page.waitForNavigation(), link.click()]);
  const title = await page.locator("h1").innerText();
  if (response.status() !== 200 || title !== "the end") says(`its report answers ${response.status()} with "${title}"`);
  const files = await page.locator("figure .foot a[href$='.svg']").evaluateAll((all) => all.map((one) => one.href));
  if (!files.length) says("its report has no figure's file");
  for (const file of files) if (!(await page.request.get(file)).ok()) says(`${file} is not there`);
  await context.close();
}
await browser.close();
console.log(wrong.length ? wrong.join("\n") : "nothing wrong");
process.exit(wrong.length ? 1 : 0);
