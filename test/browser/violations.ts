import axe from "axe-core";
import type { Page } from "playwright-core";
import { z } from "zod";

const Violations = z.array(z.string());

/** What axe finds in a page that is serious or worse, each with where it is. */
export async function violationsIn(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return Violations.parse(
    await page.evaluate(`axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
      violations.filter(({ impact }) => impact === "serious" || impact === "critical")
        .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => id + " at " + target + ": " + failureSummary)))`),
  );
}
