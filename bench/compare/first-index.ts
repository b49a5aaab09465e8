/** What the first index of a vault costs: ours is `coffre serve` on a new state folder, asked over HTTP whether it is done. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { z } from "zod";

import { bareIndex } from "../bare-index.ts";
import { startServer } from "../server-process.ts";
import type { CoffrePlace, Contender } from "../service-peers.ts";
import { spreadOf, type Beside, type Row } from "./figures.ts";
import { memoryOf } from "./servers.ts";

const Served = z.object({ address: z.string() });
const Status = z.object({ index: z.object({ files: z.number(), pending: z.number() }) });

/** Megabytes of memory that we want to stay under, whatever the size of the vault. */
export const MEMORY_GOAL = 200;

interface Indexed {
  readonly took: number;
  /** Megabytes at most; null where the system does not tell. */
  readonly memory: number | null;
}

/** From the start of the service until everything is in the index and at rest. */
async function indexOnce(main: string, place: CoffrePlace, files: number): Promise<Indexed> {
  const started = performance.now();
  const words = ["serve", "--json", "--port", "0", "--vault", place.root, "--state", place.state];
  const server = await startServer([main, ...words]);
  try {
    const { address } = Served.parse(server.ready);
    const token = readFileSync(path.join(place.state, "token"), "utf8").trim();
    for (;;) {
      const asked = await fetch(`${address}/api/status`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const { index } = Status.parse(await asked.json());
      if (index.pending === 0 && index.files >= files) break;
      await wait(20);
    }
    return { took: performance.now() - started, memory: memoryOf(server.pid)?.most ?? null };
  } finally {
    await server.stop();
  }
}

/**
 * Leaves `place` indexed, for what is measured next. `main` is the program of coffre; `qmd` is null when it is not to be compared.
 */
export async function measureFirstIndex(
  place: CoffrePlace,
  folder: string,
  {
    main,
    files,
    rounds,
    qmd,
  }: { main: string; files: number; rounds: number; qmd: Contender | null },
): Promise<Row[]> {
  const [ours, bare, memory]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    rmSync(place.state, { recursive: true, force: true });
    const indexed = await indexOnce(main, place, files);
    ours.push(indexed.took);
    if (indexed.memory !== null) memory.push(indexed.memory);
    bare.push(bareIndex(place.root, path.join(mkdtempSync(path.join(folder, "bare-")), "db")));
  }
  const beside: Beside[] = [{ name: "bare FTS5 insert of whole files", figure: spreadOf(bare) }];
  if (qmd !== null) {
    const started = performance.now();
    await qmd.prepare?.();
    beside.push({ name: "QMD, by words", figure: spreadOf([performance.now() - started]) });
  }
  const [mine, least] = [spreadOf(ours), spreadOf(bare)];
  const rows: Row[] = [
    {
      what: "first index, from the start of the service to rest",
      files,
      unit: "ms",
      goal: "1.5× a bare insert",
      isMet: mine.median <= 1.5 * least.median,
      ours: mine,
      beside,
    },
  ];
  const most = spreadOf(memory);
  if (memory.length > 0)
    rows.push({
      what: "most memory during the first index",
      files,
      unit: "MB",
      goal: `${MEMORY_GOAL} MB`,
      isMet: most.median <= MEMORY_GOAL,
      ours: most,
      beside: [],
    });
  return rows;
}
