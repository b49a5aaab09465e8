import axe from "axe-core";
import type { Page } from "playwright-core";
import { z } from "zod";

const Violations = z.array(z.string());

/** What axe finds that is serious or worse, each with where it is. Frames with an origin of their own are not looked into. */
const FIND_VIOLATIONS = `axe.run(document, { resultTypes: ["violations"], iframes: false }).then(({ violations }) =>
  violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + " at " + target + ": " + failureSummary)))`;

export async function violationsIn(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return Violations.parse(await page.evaluate(FIND_VIOLATIONS));
}
