import { readFileSync } from "node:fs";

const FILE = new URL(
  "../../templates/demo/en/projects/sail-loft/bucket/floor-plan.png",
  import.meta.url,
);

/** The image of the demo vault: a PNG of 640 by 400. */
export function demoImage(): Buffer {
  return readFileSync(FILE);
}
