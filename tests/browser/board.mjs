// Looks at the board in headless Chromium: node board.mjs MODULES ADDRESS [NAME]; with the name of a run only at that one, as it moves. Asks who serves it, on stdout, to `do` something and
// waits for `done` on stdin; all else on stdout is what is wrong. KLERO_PICTURES=DIR keeps pictures.
import { join } from "node:path";
import { createInterface } from "node:readline";
import { audit, bars, legible, minus, started, strips } from "./sight.mjs";

const [modules, address, name] = process.argv.slice(2);
const SCENES = process.env.KLERO_SCENES?.split(",")
  ?? ["nothing", "early", "undecided", "decided", "replaying", "over", "ended", "acting", "elsewhere", "eight", "alone"];
// Looked at on a very wide screen as well.
const WIDE = ["decided", "eight"];
// What a person must be able to read in each.
const WORDS = {
  nothing: ["Nothing has been compared so far", "No round has been decided yet", "Following the stream"],
  early: ["no policy is surely better than another on selection_rate yet", "in each of 4 rounds", "Round 4, person c00068"],
  undecided: ["no policy is surely better than another on selection_rate yet", "more may decide it", "By the mean"],
  decided: ["“quota queue” leads", "95 % confidence", "bad.ndjson", "3,000", "against “first come”",
    "share less target (points)", "seats filled. A square is 3 seats."],
  replaying: ["Replaying"],
  over: ["Over: no policy plays any more", "ended: filled", "“quota queue” leads"],
  ended: ["ended: disqualified", "it chose slot 4 of a slate of 1", "not comparable", "my own: disqualified"],
  acting: ["“first come” acts", "unobserved", "will never be known", "The committee of “first come” by age", "171 of 240 seats filled."],
  elsewhere: ["12,034 people behind, the farthest; not heard yet", "not behind; heard", "“quota queue”, 12,034 people; not heard yet"],
  eight: ["By the mean “оптимум” is ahead", "<em>odd</em>"],
  alone: ["There is one policy", "No verdict"],
};
// How high the page may be on a phone, in pixels.
const PHONE = { decided: 4_220, acting: 4_220, eight: 8_000 };
const WAIT = 60_000;
const wrong = [];
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

async function please(what) {
  console.log(`do ${what}`);
  await lines.next();
}

const { browser, axe } = await started(modules);
for (const scene of name ? [] : SCENES) {
  await please(`show ${scene}`);
  for (const [width, theme] of [[1280, "light"], [1280, "dark"], [390, "light"], [390, "dark"], [1600, "light"]]) {
    if (width < 1600 || WIDE.includes(scene)) await look(scene, width, theme);
  }
}
if (!process.env.KLERO_SCENES) await moves();
await browser.close();
console.log(wrong.length ? wrong.join("\n") : "nothing wrong");
process.exit(wrong.length ? 1 : 0);

// A page whose console and requests are watched; `quiet()`: what is refused from now on is no error.
async function opened(width, theme, says) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: theme, reducedMotion: "reduce" });
  const page = await context.newPage();
  page.setDefaultTimeout(WAIT);
  const state = { isDown: false };
  page.on("console", (message) => {
    const isRefused = state.isDown && /ERR_(CONNECTION|INCOMPLETE|EMPTY)/.test(message.text());
    if (["error", "warning"].includes(message.type()) && !isRefused) says(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => says(`script: ${error}`));
  page.on("request", (request) => {
    const asked = request.url();
    if (!asked.startsWith(address) && !asked.startsWith("data:")) says(`asks for ${asked}`);
  });
  const response = await page.goto(address);
  const policy = response.headers()["content-security-policy"] || "";
  if (!policy.startsWith("default-src 'none'") || policy.includes("unsafe")) says(`its content policy is "${policy}"`);
  return { page, context, state };
}

async function picture(page, name) {
  if (process.env.KLERO_PICTURES) {
    await page.screenshot({ path: join(process.env.KLERO_PICTURES, `${name}.png`), fullPage: true });
  }
}

async function look(scene, width, theme) {
  const says = (what) => wrong.push(`${scene}, ${width} wide, ${theme}: ${what}`);
  const { page, context } = await opened(width, theme, says);
  // The first event puts in the same again.
  await page.waitForFunction(() => performance.getEntriesByType("resource").some((one) => one.name.endsWith("/v1/board")) || document.readyState === "complete");
  await picture(page, `${scene}-${width}-${theme}`);
  const text = await page.evaluate(() => document.body.innerText);
  for (const words of WORDS[scene]) {
    if (!text.includes(words)) says(`does not say "${words}"`);
  }
  if (await page.evaluate(() => document.querySelector("main em, main script"))) says("a name has become markup");
  for (const what of await page.evaluate(fits)) says(what);
  for (const what of await page.evaluate(drawn)) says(what);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  if (width === 390 && height > PHONE[scene]) says(`it is ${height} high`);
  for (const what of await page.evaluate(legible)) says(what);
  for (const what of await page.evaluate(bars)) says(what);
  for (const what of await page.evaluate(minus)) says(what);
  await audit(page, axe, says);
  await stops(page, says);
  if (scene === "over" && width === 390 && theme === "dark") await kiosk(page, says);
  // Where nothing changes, the page hears all the same that the server is there.
  if (scene === "nothing" && width === 1280 && theme === "light") {
    await page.evaluate(() => new EventSource("v1/board").addEventListener("pulse", () => (window.hasPulse = true)));
    await page.waitForFunction(() => window.hasPulse);
  }
  await context.close();
}

// On a wall there is nothing to press, and letters are large.
async function kiosk(page, says) {
  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.goto(`${address}?kiosk`);
  await page.waitForFunction(() => document.body.classList.contains("kiosk"));
  await picture(page, "kiosk-1920-dark");
  if (await page.evaluate(() => [...document.querySelectorAll("button, input")].some((one) => one.checkVisibility()))) says("a kiosk has controls");
  for (const what of await page.evaluate(fits)) says(`kiosk: ${what}`);
  await audit(page, axe, (what) => says(`kiosk: ${what}`));
}

// Nothing makes the page wider than the screen, and no words leave their box.
function fits() {
  const { scrollWidth, clientWidth } = document.documentElement;
  const wrong = scrollWidth > clientWidth ? [`it is ${scrollWidth} wide`] : [];
  for (const box of document.querySelectorAll("h1, h2, h3, p, li, label, th, td, dd, .found, figcaption")) {
    const out = box.scrollWidth - box.clientWidth;
    const head = box.closest("thead");
    const isSeen = box.clientWidth > 1 && !box.closest(".unseen, svg") && !(head && getComputedStyle(head).position === "absolute");
    if (isSeen && out > 1) wrong.push(`"${box.textContent.slice(0, 60)}" leaves its box by ${out}`);
  }
  return wrong;
}

// Every picture has some size.
function drawn() {
  const wrong = [];
  for (const picture of document.querySelectorAll(".k-panels svg")) {
    const { width, height } = picture.getBoundingClientRect();
    if (width < 200 || height < 100) wrong.push(`${picture.querySelector("title").textContent}: a picture of ${width} by ${height}`);
  }
  return wrong;
}

// The tab key reaches every control in order, and what is reached is seen.
async function stops(page, says) {
  const count = await page.evaluate(() => {
    const all = document.querySelectorAll("a[href], button:not([hidden]), summary, input:not([type=radio]), input[type=radio]:checked, [tabindex='0']");
    window.wanted = [...all].filter((one) => one.checkVisibility());
    document.activeElement.blur();
    return window.wanted.length;
  });
  for (let at = 0; at < count; at++) {
    await page.keyboard.press("Tab");
    const problem = await page.evaluate((at) => {
      const got = document.activeElement;
      if (got !== window.wanted[at]) return `tab ${at + 1} leads to "${(got.textContent || got.id).slice(0, 60)}"`;
      const { outlineStyle, outlineWidth } = getComputedStyle(got);
      return outlineStyle === "none" || parseFloat(outlineWidth) < 1 ? `it is not seen that "${got.id}" is reached` : null;
    }, at);
    if (problem) says(problem);
  }
}

// A run that goes on is seen to go on, through a restart of the server, and not while the page is paused.
async function moves() {
  const says = (what) => wrong.push(`a run that goes on: ${what}`);
  await please("play early");
  const { page, context, state } = await opened(1280, "light", says);
  const lines = () => page.evaluate(() => [...document.querySelectorAll("#lines path")].map((path) => path.getAttribute("d")).join());
  const newest = () => page.evaluate(() => document.querySelector(".newest")?.textContent);
  const changes = async (what, of, before) => {
    const until = Date.now() + WAIT;
    while (Date.now() < until) {
      if ((await of()) !== before) return;
      await page.waitForTimeout(100);
    }
    says(`${what} stays as it is`);
  };
  await changes("the line", lines, await lines());
  await changes("the newest decision", newest, await newest());
  await page.waitForFunction(() => /\/s\)/.test(document.getElementById("flow").textContent));
  if (!(await page.title()).includes(` · ${name ?? "citizens of Brest"}`)) says(`its title is "${await page.title()}"`);
  // The leader is found within the run, and said.
  await page.waitForFunction(() => [...document.querySelectorAll(".findings b")].some((head) => head.textContent.includes("leads")));
  // A run that was there before the page may have had its leader before, who then is no news.
  if (!name) await page.waitForFunction(() => document.getElementById("said").textContent.includes(document.querySelector("[data-title]").dataset.title));
  await page.waitForFunction(() => /^Last person \d+ s ago\.$/.test(document.getElementById("fresh").textContent));
  // The key up leads to a round on which policies disagree: there is one before the page is paused.
  await page.waitForFunction(() => document.querySelector("#strip .x"));
  const pause = page.locator("#pause");
  await pause.focus();
  await page.keyboard.press("Enter");
  await page.waitForTimeout(300);
  const held = await newest();
  await page.waitForTimeout(1500);
  if (held !== (await newest())) says("it moves while it is paused");
  await strips(page, says);
  await page.waitForFunction(() => /\+[\d,]+ since/.test(document.getElementById("pause").textContent));
  await audit(page, axe, (what) => says(`paused: ${what}`));
  await pause.focus();
  await page.keyboard.press("Enter");
  await changes("what was paused", newest, held);
  if (!(await page.evaluate(() => document.activeElement.id === "pause"))) says("an update takes the focus away");

  state.isDown = true;
  await please("stop");
  await page.waitForFunction(() => !document.getElementById("lost").hidden);
  await picture(page, "lost-1280-light");
  await audit(page, axe, (what) => says(`lost: ${what}`));
  await page.setViewportSize({ width: 390, height: 900 });
  await picture(page, "lost-390-light");
  const before = await newest(), began = await page.evaluate(past);
  // A run that is resumed has its past: all lines begin at its first round, before and after.
  if (name && (began.length < 3 || began.some((first) => first !== "1"))) says(`its lines begin at ${began}`);
  await page.evaluate(() => (window.isSame = true));
  await please("start");
  await page.waitForFunction(() => document.getElementById("lost").hidden);
  state.isDown = false;
  await changes("the board after a restart", newest, before);
  if (!(await page.evaluate(() => window.isSame))) says("the page was loaded again");
  if (name) {
    const until = Date.now() + WAIT, since = async () => (await page.evaluate(past)).join();
    while ((await since()) !== began.join() && Date.now() < until) await page.waitForTimeout(200);
    if ((await since()) !== began.join()) says(`its lines began at ${began}, and at ${await since()} after the restart`);
  }
  await picture(page, "again-390-light");
  await context.close();
}

// Where the lines and the differences begin, as their descriptions say.
function past() {
  const all = [...document.querySelectorAll("#lines desc, #course desc")].map((one) => one.textContent);
  return all.flatMap((words) => [...words.matchAll(/: from \S+ at (\S+) to /g)].map(([, first]) => first));
}
