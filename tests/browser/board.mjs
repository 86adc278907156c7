// Looks at the board in headless Chromium: node board.mjs MODULES ADDRESS [NAME]; with the name of a run only at that one, as it moves. Asks who serves it, on stdout, to `do` something and
// waits for `done` on stdin; all else on stdout is what is wrong. KLERO_PICTURES=DIR keeps pictures.
import { join } from "node:path";
import { createInterface } from "node:readline";
import { audit, bars, legible, minus, started, strips } from "./sight.mjs";

const [modules, address, name] = process.argv.slice(2);
const SCENES = process.env.KLERO_SCENES?.split(",")
  ?? ["nothing", "early", "undecided", "decided", "replaying", "over", "ended", "acting", "elsewhere", "behind", "all", "pairs", "eight", "alone"];
// Looked at on a very wide screen as well.
const WIDE = ["decided", "pairs"];
// What a person must be able to read in each.
const WORDS = {
  nothing: ["Nothing has been compared so far", "No round has been decided yet", "Following the stream"],
  early: ["No difference seen", "in each of 4 rounds", "Round 4, person c00068", "everything on this page is as of round 4"],
  undecided: ["Open", "more may decide it", "By the mean"],
  decided: ["“quota queue” leads", "95 % confidence", "bad.ndjson", "3,000", "“quota queue” against “first come”", "of 1,000 seats"],
  replaying: ["Replaying"],
  over: ["Over: no policy plays any more", "ended: filled", "“quota queue” leads"],
  ended: ["ended: disqualified", "it chose slot 4 of a slate of 1", "not comparable"],
  acting: ["“first come” acts", "will never be known", "Committee of first come", "171 of 240 seats"],
  elsewhere: ["12,034 people behind, the farthest; not heard yet", "not behind; heard", "“quota queue”, 12,034 people; not heard yet"],
  behind: ["behind, at round 88", "as of round 900"],
  all: ["of 1,000 seats", "Committee of", "everything on this page is as of round 60"],
  pairs: ["оптимум", "<em>odd</em>", "of 800 seats", "so far", "as of round 668"],
  eight: ["“оптимум”", "<em>odd</em>"],
  alone: ["There is one policy", "No verdict"],
};
// How high the page may be on a phone, in pixels.
const PHONE = { decided: 3_600, acting: 3_600, eight: 6_500, pairs: 5_500 };
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
if (!process.env.KLERO_SCENES && !name) {
  await oneMoment("all");
  await oneMoment("lags");
}
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
  await page.waitForFunction(() => document.body.dataset.n);
  // A lane that is behind is waited for at first.
  await page.waitForFunction((all) => all.every((words) => document.body.innerText.includes(words)), WORDS[scene], { timeout: 10_000 }).catch(() => 0);
  if (width < 500) await page.waitForTimeout(100);
  await picture(page, `${scene}-${width}-${theme}`);
  const text = await page.evaluate(() => document.body.innerText + " Committee of " + document.querySelector("#lane").selectedOptions[0].textContent);
  for (const words of WORDS[scene]) {
    if (!text.includes(words)) says(`does not say "${words}"`);
  }
  // Two lines of a cell are apart, also where it is laid out as a card; a tab has room for a few words.
  const joined = await page.evaluate(() => {
    const box = (one) => one.getBoundingClientRect();
    const cells = [...document.querySelectorAll(".claims td:has(> span + small:not(:empty))")].filter((cell) => cell.checkVisibility());
    return cells.filter((cell) => {
      const [first, second] = [cell.querySelector(":scope > span"), cell.querySelector(":scope > small")].map(box);
      return getComputedStyle(cell.querySelector(":scope > small"), "::before").content === "none" && (second.left < first.left - 1 || second.top < first.bottom - 4);
    }).map((cell) => cell.textContent);
  });
  for (const words of joined) says(`two lines of a cell run together: "${words}"`);
  if ((await page.title()).split(" · ")[0].length > 40) says(`its title is "${await page.title()}"`);
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
  if (["all", "eight"].includes(scene) && width === 1280) await first(page, says);
  if (scene === "nothing" && width === 1280 && theme === "light") await copies(page, context, says);
  if (["over", "all", "pairs"].includes(scene) && width === 390) await kiosk(page, theme, scene, says);
  if (scene === "nothing" && width === 1280 && theme === "light") for (const what of await page.evaluate(charted)) says(what);
  // Where nothing changes, the page hears all the same that the server is there.
  if (scene === "nothing" && width === 1280 && theme === "light") {
    await page.evaluate(() => new EventSource("v1/board").addEventListener("pulse", () => (window.hasPulse = true)));
    await page.waitForFunction(() => window.hasPulse);
  }
  await context.close();
}

// The answer, the difference, the policies, a committee and the latest people are seen without a scroll; the committee is that of the policy that was chosen.
async function first(page, says) {
  await page.setViewportSize({ width: 1280, height: 700 });
  await page.evaluate(() => scrollTo(0, 0));
  const below = await page.evaluate(() => [".found", "#funnel", ".policies", ".committee", "#strip"].filter((part) => {
    const one = document.querySelector(part);
    return !one.checkVisibility() || one.getBoundingClientRect().bottom > innerHeight;
  }));
  if (below.length) says(`${below.join(", ")} are not within 700 pixels`);
  const times = await page.evaluate(() => document.getElementById("lanes").textContent.match(/full in/g));
  if (times) says("a run that stays as it is says when seats are full");
  for (const lane of ["2", "0"]) {
    await page.selectOption("#lane", lane);
    const isOf = (lane) => document.getElementById("committee").classList.contains(`c-${document.querySelectorAll("#strip ul li")[lane].dataset.c}`);
    await page.waitForFunction(isOf, lane, { timeout: 10_000 }).catch(() => says(`the committee is not that of policy ${lane}`));
  }
}

// The command for a first person can be copied.
async function copies(page, context, says) {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate(() => fill(at("step"), "curl --json '{}' http://it/v1/decisions"));
  await page.click("#copy");
  await page.waitForFunction(() => at("copy").textContent !== "Copy");
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  if (copied !== "curl --json '{}' http://it/v1/decisions") says(`"${copied}" is copied`);
  await page.evaluate(() => fill(at("step"), ""));
}

// On a wall there is nothing to press, letters are large, and all is seen at once.
async function kiosk(page, theme, scene, says) {
  for (const [width, height] of [[1920, 1080], [1280, 720]]) {
    await page.setViewportSize({ width, height });
    await page.goto(`${address}?kiosk`);
    await page.waitForFunction(() => document.body.classList.contains("kiosk") && document.body.dataset.n);
    await picture(page, `kiosk-${scene}-${width}-${theme}`);
    if (await page.evaluate(() => [...document.querySelectorAll("button, input, select")].some((one) => one.checkVisibility()))) says("a kiosk has controls");
    const high = await page.evaluate(() => Math.max(document.documentElement.scrollHeight, document.body.scrollHeight, document.querySelector("main").scrollHeight + document.querySelector("main").offsetTop));
    if (high > height) says(`a kiosk of ${height} is ${high} high`);
    const cut = await page.evaluate(() => [...document.querySelectorAll(".first > *, .policies tr")].filter((one) => one.checkVisibility() && one.getBoundingClientRect().bottom > document.querySelector(".latest").getBoundingClientRect().top + 1).length);
    if (cut) says(`a kiosk of ${height} cuts ${cut} parts`);
    for (const what of await page.evaluate(fits)) says(`kiosk: ${what}`);
    await audit(page, axe, (what) => says(`kiosk: ${what}`));
  }
  if (scene !== "pairs" || theme !== "light") return;
  // Policies that have no room next to the difference take turns with it.
  await page.setViewportSize({ width: 1280, height: 440 });
  const isAlone = (turn) => [".policies", "#funnel"].every((part) => document.querySelector(part).checkVisibility() === (part === turn));
  for (const turn of [".policies", "#funnel"]) {
    await page.waitForFunction(isAlone, turn, { timeout: 25_000 }).catch(() => says(`a kiosk never shows ${turn} alone`));
  }
}

// Nothing makes the page wider than the screen, and no words leave their box.
function fits() {
  const { scrollWidth, clientWidth } = document.documentElement;
  const wrong = scrollWidth > clientWidth ? [`it is ${scrollWidth} wide`] : [];
  for (const box of document.querySelectorAll("h1, h2, h3, p, li, label, th, td, dd, .found, figcaption")) {
    const out = box.scrollWidth - box.clientWidth;
    const head = box.closest("thead");
    const isCut = getComputedStyle(box).textOverflow === "ellipsis";
    const isSeen = !isCut && box.clientWidth > 1 && !box.closest(".unseen, svg") && !(head && getComputedStyle(head).position === "absolute");
    if (isSeen && out > 1) wrong.push(`"${box.textContent.slice(0, 60)}" leaves its box by ${out}`);
  }
  return wrong;
}

// Every picture has some size.
function drawn() {
  const wrong = [];
  for (const picture of document.querySelectorAll(".k-panels svg")) {
    const { width, height } = picture.getBoundingClientRect();
    if (picture.checkVisibility() && !picture.parentNode.closest("svg") && (width < 200 || height < 100)) wrong.push(`${picture.querySelector("title").textContent}: a picture of ${width} by ${height}`);
  }
  return wrong;
}

// Values that differ by rounding alone have the ticks of one value; the words of an upright line lie between it and the next, within the chart.
function charted() {
  const wrong = [];
  const words = ticks(...reach({ points: [[1, 0.65, 0.65 + 1e-13]] }, false, 1), 4).map((tick) => tick.words);
  if (words.length < 2 || words.some((one) => one.length > 5)) wrong.push(`the ticks of one value are ${words}`);
  for (let at = 5; at < 300; at += 5) {
    const lines = [at, 150, 200], [words, isBefore] = label("first come: filled", at, 300, lines, 6);
    const [from, to] = isBefore ? [at - 5 - 6 * words.length, at - 5] : [at + 5, at + 5 + 6 * words.length];
    if (words && (from < 0 || to > 300 || lines.some((line) => from < line && line < to))) wrong.push(`"${words}" at ${at} is from ${from} to ${to}`);
  }
  return wrong;
}

// The tab key reaches every control in order, and what is reached is seen.
async function stops(page, says) {
  const count = await page.evaluate(() => {
    const all = document.querySelectorAll("a[href], button:not([hidden]), select, summary, input:not([type=radio]), input[type=radio]:checked, [tabindex='0']");
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
  const lines = () => page.evaluate(() => [...document.querySelectorAll(".charts path")].map((path) => path.getAttribute("d")).join());
  const newest = () => page.evaluate(() => document.getElementById("newest").textContent);
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
  await page.waitForFunction(() => /\/s$/.test(document.getElementById("rate").textContent));
  if (!(await page.title()).includes(` · ${name ?? "citizens of Brest"}`)) says(`its title is "${await page.title()}"`);
  // The leader is found within the run, and said.
  await page.waitForFunction(() => document.getElementById("findings").textContent.includes("leads"));
  // A run that was there before the page may have had its leader before, who then is no news.
  if (!name) await page.waitForFunction(() => document.getElementById("said").textContent.includes(document.getElementById("headline").textContent));
  await page.waitForFunction(() => /^last person \d+ s ago$/.test(document.getElementById("fresh").textContent));
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
  // After a minute it no longer promises to go on, however often it tries again.
  if (!name) {
    await page.evaluate(() => (heard -= 60_000));
    await page.waitForTimeout(8000);
    const lost = await page.evaluate(() => document.getElementById("lost").textContent);
    if (!lost.startsWith("No answer since")) says(`a minute after the server was heard it says "${lost}"`);
  }
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
  const all = [...document.querySelectorAll(".chart desc")].map((one) => one.textContent);
  return all.flatMap((words) => [...words.matchAll(/: from \S+ at (\S+) to /g)].map(([, first]) => first));
}

// In each of 500 frames of a run that plays fast the number of a pair is the same wherever it stands, and the run's own after the round that is shown.
async function oneMoment(scene) {
  const says = (what) => wrong.length < 40 && wrong.push(`one moment, ${scene}: ${what}`);
  await please(`play ${scene}`);
  const { page, context } = await opened(1280, "light", says);
  const frames = await page.evaluate(() => new Promise((done) => {
    const frames = [], words = (one) => one.textContent.trim();
    const see = () => {
      const number = document.querySelector("#funnel-number span") ?? document.getElementById("funnel-number");
      const heads = [...document.querySelectorAll("#pairs-0 thead th")].map(words);
      const rows = [...document.querySelectorAll("#pairs-0 tbody tr")].map((row) => [...row.children]);
      frames.push({
        n: Number(words(document.getElementById("n")).replace(/\D/g, "")),
        title: words(document.getElementById("funnel-title")),
        number: words(number),
        finding: words(document.querySelector("#findings li:first-child") ?? number),
        pairs: rows.flatMap(([name, ...cells]) => cells.map((cell, at) => [words(name), heads[at + 1], cell.querySelector("span")?.textContent ?? ""])),
        lanes: [...document.querySelectorAll("#lanes tbody tr")].map((row) => [words(row.querySelector(".name")), words(row.children[1].querySelector("span") ?? row.children[1]), Number(row.dataset.lane)]),
      });
      frames.length < 500 ? requestAnimationFrame(see) : done(frames);
    };
    requestAnimationFrame(see);
  }));
  if (scene === "all") await page.waitForFunction(() => /\d of 1,000 seats ?(· )?full in \d+ s/.test(at("lanes").textContent), null, { timeout: 10_000 }).catch(() => says("no policy says when its seats are full"));
  const own = await (await page.request.get(`${address}past`)).json();
  const value = (words) => Number(words.replace("−", "-").replace(/[+,]/g, ""));
  const moments = new Set();
  let sentences = 0;
  for (const frame of frames.filter((frame) => frame.number)) {
    moments.add(frame.n);
    const places = { "quota queue": 0, "first come": 1, learner: 2, lottery: 3 };
    const [a, b] = [...frame.title.matchAll(/“([^”]+)”/g)].map(([, label]) => label);
    const pair = frame.pairs.find(([one, other, number]) => one === a && other === b && number);
    if (pair?.[2] !== frame.number) says(`at ${frame.n} ${frame.title} is ${frame.number} and ${pair?.[2]}`);
    // The sentence under the headline, whichever pair it names.
    const ahead = frame.finding.match(/“([^”]+)” is ahead of “([^”]+)” by ([\d.]+)/), leads = frame.finding.match(/“([^”]+)” leads: ([+−][\d.]+) against “([^”]+)”/);
    const [one, size, other] = ahead ? [ahead[1], ahead[3].replace(/\.$/, ""), ahead[2]] : leads?.slice(1) ?? [];
    sentences += one ? 1 : 0;
    const same = frame.pairs.find((pair) => pair[0] === one && pair[1] === other);
    if (one && same?.[2].replace(/^[+−]/, "") !== size.replace(/^[+−]/, "")) says(`at ${frame.n} ${one} against ${other} is ${same?.[2]}; said is ${size}`);
    for (const [one, other, number] of frame.pairs) {
      if (!number) continue;
      const decimals = number.split(".")[1]?.length ?? 0;
      // Of 100 people.
      const known = (100 * (own[places[one]][frame.n - 1] - own[places[other]][frame.n - 1])) / frame.n;
      if (Math.abs(known - value(number)) > 0.5001 * 10 ** -decimals) says(`at ${frame.n} ${one} against ${other} is ${number}, not ${known}`);
    }
    for (const [label, seats] of frame.lanes) {
      const shown = value(seats.split(" ")[0]), known = own[places[label]][frame.n - 1];
      if (shown !== known) says(`at ${frame.n} ${label} has ${seats}, not ${known}`);
    }
  }
  if (moments.size < 8 || sentences < 100) says(`${moments.size} moments and ${sentences} sentences in ${frames.length} frames`);
  await context.close();
}
