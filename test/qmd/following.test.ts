import path from "node:path";
import { DatabaseSync } from "node:sqlite";

import { describe, expect, it } from "vitest";

import { createIndex } from "../../src/index/create-index.ts";
import type { SearchIndex } from "../../src/index/search-index.ts";
import { Random } from "../../src/testing/random.ts";
import { temporaryFolder } from "../../src/testing/temporary-vault.ts";
import { openIndex } from "./open-index.ts";

/** All that QMD's store has: the active documents with their texts, and how many rows there are besides. */
function storeContents(folder: string): Record<string, unknown> {
  const file = path.join(folder, "qmd", "qmd.sqlite");
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const rows = database
      .prepare(
        "SELECT d.path, c.doc FROM documents d JOIN content c ON c.hash = d.hash WHERE d.active = 1 AND d.collection = 'vault'",
      )
      .all();
    const count = (table: string): unknown =>
      database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.["n"];
    return {
      files: new Map(rows.map((row) => [row["path"], row["doc"]])),
      documents: count("documents"),
      words: count("documents_fts"),
      texts: count("content"),
    };
  } finally {
    database.close();
  }
}

function expected(files: ReadonlyMap<string, string>): Record<string, unknown> {
  return {
    files,
    documents: files.size,
    words: files.size,
    texts: new Set(files.values()).size,
  };
}

/** One write, move or removal, the same to the index and to what is expected of it. */
async function change(index: SearchIndex, files: Map<string, string>, dice: Random): Promise<void> {
  const [name, other] = [dice.below(40), dice.below(40)].map((at) => `d${at % 5}/note ${at} é.md`);
  if (name === undefined || other === undefined) return;
  const kind = dice.weighed([
    [6, "put"],
    [2, "move"],
    [2, "remove"],
  ]);
  if (kind === "put") {
    const text = `# Titre ${dice.below(3)}\n\n${"pluie ".repeat(dice.below(4))}${dice.below(9)}\n`;
    files.set(name, text);
    const signature = String(dice.next());
    await index.put({ path: name, text, updated: "2026-03-09T10:00:00", signature });
  } else if (kind === "remove") {
    files.delete(name);
    await index.remove(name);
  } else {
    const text = files.get(name);
    if (text !== undefined && name !== other) {
      files.delete(name);
      files.set(other, text);
    }
    await index.move(name, other);
  }
}

describe("QMD's store", () => {
  it("holds exactly the indexed files after 1,000 writes, moves and removals", async () => {
    const folder = temporaryFolder();
    const index = openIndex(folder, { isBusy: true });
    await index.start();
    const dice = new Random(11);
    const files = new Map<string, string>();
    for (let at = 0; at < 1000; at += 1) await change(index, files, dice);
    expect(files.size).toBeGreaterThan(10);
    expect(storeContents(folder)).toEqual(expected(files));
  });

  it("catches up with what changed while it was not there", async () => {
    const folder = temporaryFolder();
    const first = openIndex(folder, { isBusy: true });
    await first.start();
    const dice = new Random(12);
    const files = new Map<string, string>();
    for (let at = 0; at < 100; at += 1) await change(first, files, dice);
    await first.close();
    const withoutModel = createIndex({ folder: path.join(folder, "index") });
    for (let at = 0; at < 100; at += 1) await change(withoutModel, files, dice);
    await withoutModel.close();
    const again = openIndex(folder, { isBusy: true });
    await again.start();
    expect(storeContents(folder)).toEqual(expected(files));
  });
});
