/** How well searches find, by the benchmark of that name, when its labelled questions are there. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

import { z } from "zod";

import { one, type Row } from "./figures.ts";

const Found = z.array(
  z.object({ set: z.string(), name: z.string(), figures: z.object({ ndcg: z.number() }) }),
);

/** @param more options of that benchmark */
export async function measureRetrieval(folder: string, more: readonly string[]): Promise<Row[]> {
  const program = path.join(import.meta.dirname, "../retrieval.ts");
  const file = path.join(folder, "retrieval.json");
  const child = spawn(process.execPath, [program, "--json", file, ...more], { stdio: "inherit" });
  await once(child, "exit");
  if (!existsSync(file)) return [];
  const found = Found.parse(JSON.parse(readFileSync(file, "utf8")));
  return [...Map.groupBy(found, ({ set }) => set)].flatMap(([set, engines]) => {
    const figureOf = (name: string): number | null =>
      engines.find((each) => each.name === name)?.figures.ndcg ?? null;
    const [mine, plain] = [figureOf("ours, fast"), figureOf("plain FTS5")];
    if (mine === null || plain === null) return [];
    const deep = figureOf("ours, deep");
    const hasModel = more.includes("--embed");
    return [
      {
        what: `questions of ${set}, right answers near the top (nDCG@10)`,
        files: null,
        unit: "share",
        goal: "more than plain FTS5",
        isMet: mine > plain,
        ours: one(mine),
        beside: [
          { name: "plain FTS5", figure: one(plain) },
          ...(deep === null || !hasModel ? [] : [{ name: "coffre, deep", figure: one(deep) }]),
        ],
      },
    ];
  });
}
