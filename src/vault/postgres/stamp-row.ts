import { jobValue } from "../files/frontmatter.ts";
import { measureBytes } from "../files/measure.ts";
import { SMALL_FILE, versionHash } from "../files/version.ts";
import type { History } from "../history/history.ts";
import { decideStamp, type PlanStamp, type StampResult } from "../write/stamper.ts";
import type { FileRow } from "./tree-rows.ts";
import type { TreeWrites } from "./tree-writes.ts";

export interface StampRowParts {
  readonly tree: TreeWrites;
  readonly history: History;
  readonly row: FileRow;
  readonly bytes: Buffer;
}

/** Updates our keys in the frontmatter of one note, and nothing else: its time stays, because the person's text does. */
export async function stampRow(
  { tree, history, row, bytes }: StampRowParts,
  decide: PlanStamp,
): Promise<StampResult> {
  const { path, modified, created } = row;
  const text = bytes.toString("utf8");
  const hash = versionHash(bytes);
  const result = (
    signature: string,
    present: string,
    { left, isStamped = true }: { left: StampResult["left"]; isStamped?: boolean },
  ): StampResult => ({
    signature,
    touched: modified * 1000,
    hasOwnTime: signature !== row.hash,
    hash,
    updated: isStamped ? jobValue(present, "updated") : null,
    left,
    measured: measuredText(path, present, modified, signature),
  });
  const stamped = await decideStamp({ text, hash, modified, created }, decide);
  const { left } = stamped;
  if (stamped.kind === "leave") return result(row.hash, text, { left, isStamped: false });
  if (stamped.kind === "same") return result(row.hash, text, { left });
  const after = Buffer.from(stamped.text);
  const signature = await tree.put(path, after, row, { created, modified });
  const { entry } = stamped;
  if (entry !== undefined)
    await history.record(entry, (keep) => ({
      kind: "modify",
      path,
      kept: { wholeBefore: keep([bytes]), wholeAfter: keep([after]) },
      version: { signature, hash },
      modified,
    }));
  await tree.blobs.removeUnused(row.hash);
  return result(signature, stamped.text, { left });
}

function measuredText(
  path: string,
  text: string,
  modified: number,
  signature: string,
): StampResult["measured"] {
  const bytes = Buffer.from(text);
  if (bytes.length > SMALL_FILE) return null;
  const stat = { size: bytes.length, modified, signature };
  return measureBytes(path, stat, (at, length) => bytes.subarray(at, at + length));
}
