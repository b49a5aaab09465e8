import { z } from "zod";

import { ExpectedError } from "../../errors.ts";
import type { MarkedPassage } from "../../evidence/gather-evidence.ts";
import { parsePath, showPath } from "../../vault/paths.ts";
import type { Source } from "../contract.ts";

const Asked = z.object({
  files: z.array(z.object({ path: z.string(), lines: z.string().nullish() })),
});

type Part = Source & { readonly text: string };

/**
 * The passages that `concat` gave, with the numbers a model knows them by: their places in its call. What could not be assembled has a
 * number too, and no passage.
 * @param args of the call; null when the program chose the passages
 */
export function markedParts(parts: readonly Part[], args: unknown): MarkedPassage[] {
  const files = Asked.safeParse(args).data?.files ?? [];
  let next = 0;
  const numbers = parts.map((part) => {
    const at = files.findIndex((file, index) => index >= next && isPart(file, part));
    if (at < 0) return null;
    next = at + 1;
    return at + 1;
  });
  const isKnown = numbers.every((number) => number !== null);
  return parts.map((part, at) => ({ ...part, mark: isKnown ? (numbers[at] ?? at + 1) : at + 1 }));
}

function isPart(file: { path: string; lines?: string | null | undefined }, part: Source): boolean {
  const [start] = part.lines.split("-");
  const [asked = ""] = (file.lines ?? "").trim().split("-");
  return shownPath(file.path) === part.path && (asked === "" ? start === "1" : asked === start);
}

function shownPath(path: string): string | null {
  try {
    return showPath(parsePath(path).path);
  } catch (error) {
    if (error instanceof ExpectedError) return null;
    throw error;
  }
}
