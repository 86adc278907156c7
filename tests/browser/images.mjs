// Makes the pictures of docs/images: node images.mjs MODULES FOLDER REPORT BOARD SECONDS. A picture of the report in the file REPORT,
// and two that move of the board at the address BOARD, on light and on dark paper, a frame each SECONDS.
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { started } from "./sight.mjs";

const [modules, folder, report, board, seconds] = process.argv.slice(2);
const FRAMES = 6;
const ROOM = { width: 1200, height: 800 };
// Both measures of the main job.
const ROOM_OF_REPORT = { width: 1200, height: 1180 };
const QUALITY = 0.8;
// The frames of a moving picture share the room that one picture has.
const QUALITY_OF_FRAMES = 0.3;
const FRAME_WIDTH = 800;

const { browser } = await started(modules);
const context = await browser.newContext({ viewport: ROOM_OF_REPORT, colorScheme: "light", reducedMotion: "reduce" });
const page = await context.newPage();
const painter = await browser.newPage();

await page.goto(pathToFileURL(resolve(report)).href);
writeFileSync(join(folder, "report.webp"), Buffer.from(await webp(ROOM.width, QUALITY), "base64"));

await page.setViewportSize(ROOM);
await page.goto(board);
const frames = { light: [], dark: [] };
for (let frame = 0; frame < FRAMES; frame++) {
  await page.waitForTimeout(1000 * Number(seconds));
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    frames[colorScheme].push(await webp(FRAME_WIDTH, QUALITY_OF_FRAMES));
  }
}
writeFileSync(join(folder, "board.svg"), loop(frames.light));
writeFileSync(join(folder, "board-dark.svg"), loop(frames.dark));
await browser.close();

// What the page shows, as WebP in base64.
async function webp(width, quality) {
  const shown = (await page.screenshot()).toString("base64");
  const url = await painter.evaluate(async ([shown, width, quality]) => {
    const picture = new Image();
    picture.src = `data:image/png;base64,${shown}`;
    await picture.decode();
    const canvas = document.createElement("canvas");
    canvas.width = width;
    canvas.height = Math.round((width * picture.height) / picture.width);
    const brush = canvas.getContext("2d");
    brush.imageSmoothingQuality = "high";
    brush.drawImage(picture, 0, 0, canvas.width, canvas.height);
    return canvas.toDataURL("image/webp", quality);
  }, [shown, width, quality]);
  return url.split(",")[1];
}

// The frames one after the other, for ever; who wants no motion sees the last alone.
function loop(frames) {
  const [width, height] = [FRAME_WIDTH, Math.round((FRAME_WIDTH * ROOM.height) / ROOM.width)];
  const share = 100 / frames.length;
  const images = frames.map((frame, i) => {
    // Below 0, so that each has its turn from the beginning.
    const late = `animation-delay:${(i - frames.length) * 2}s`;
    return `<image class="f" style="${late}" width="${width}" height="${height}" href="data:image/webp;base64,${frame}"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">
<title>The board of a live run</title>
<style>
.f{opacity:0;animation:f ${frames.length * 2}s step-end infinite}
.f:last-of-type{opacity:1}
@keyframes f{0%{opacity:1}${share}%{opacity:0}}
@media (prefers-reduced-motion:reduce){.f{animation:none}}
</style>
${images.join("\n")}
</svg>
`;
}
