/** `node scripts/page-pictures.ts LINK FOLDER [NAME=/PATH …]`: comes in by a link that works once, and pictures the page and these places of it. */
import { mkdirSync } from "node:fs";
import path from "node:path";

import { launchChromium } from "../test/browser/launch.ts";

const [link, folder, ...places] = process.argv.slice(2);
if (link === undefined || folder === undefined) throw new Error("Which link, and which folder?");
mkdirSync(folder, { recursive: true });
const browser = await launchChromium();
try {
  const page = await browser.newPage({ locale: "en-GB", viewport: { width: 1280, height: 800 } });
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(link);
  await page.locator("textarea").waitFor();
  await page.screenshot({ path: path.join(folder, "home.png") });
  for (const place of places) {
    const [name, where = "/"] = place.split(/=(.*)/u);
    await page.goto(new URL(where, link).href);
    await page.locator("main").waitFor();
    // The page keeps a stream of events open, so the network is never idle for long.
    await page.waitForTimeout(1000);
    await page.screenshot({ path: path.join(folder, `${name}.png`) });
  }
  if (complaints.length > 0) throw new Error(`The page complained: ${complaints.join("; ")}`);
} finally {
  await browser.close();
}
