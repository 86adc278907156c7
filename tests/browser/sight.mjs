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
  const found = await page.evaluate((rules) => axe.run(document, { runOnly: rules }), RULES);
  if (found.passes.length < 10) says(`axe-core looked at ${found.passes.length} rules only`);
  for (const { id, help, nodes } of found.violations) {
    says(`axe-core: ${id} (${help}): ${nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" … ")}`);
  }
}

// The words of a picture lie within it and do not run into each other; slanted ones are looked at by eye.
export function legible() {
  const wrong = [];
  for (const picture of document.querySelectorAll(".k-panels svg")) {
    if (!picture.checkVisibility()) continue;
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
  }
  return wrong;
}
