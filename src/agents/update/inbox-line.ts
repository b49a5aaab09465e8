import { bomLength } from "../../text/utf8.ts";
import { editedText } from "../../tidy/edit-lines.ts";
import { inboxLineEdit } from "../../tidy/inbox-line.ts";
import { skippedLines } from "../../tidy/pages.ts";
import { splitLines } from "../../vault/files/lines.ts";
import type { VaultPath } from "../../vault/paths.ts";
import type { VaultReader } from "../../vault/vault.ts";
import { UPDATE_ACTOR, type WritingParts } from "../agent-run.ts";
import { countInbox } from "../inbox/inbox.ts";

const OVERVIEW: VaultPath = "overview.md";

/** Keeps the line of the overview right that says how many inbox items wait. An overview without such a line is left as it is. */
export async function keepInboxLine(run: WritingParts): Promise<void> {
  const { vault, batch } = run;
  if (!(await isFile(vault))) return;
  const count = await countInbox(vault);
  const text = (await vault.openText(OVERVIEW)).head(Number.MAX_SAFE_INTEGER).lines.join("\n");
  if (withCount(text, count) === null) return;
  const author = { actor: UPDATE_ACTOR, call: "remember", batch };
  await vault.change(author, async ({ writer, readWhole }) => {
    const seen = await readWhole(OVERVIEW);
    const changed = withCount(seen.text, count);
    const bom = seen.bytes.subarray(0, bomLength(seen.bytes));
    if (changed !== null) await writer.update(seen, Buffer.concat([bom, Buffer.from(changed)]));
  });
}

/** Whether the overview has such a line, and it says this number. */
export async function saysCount(vault: VaultReader, count: number): Promise<boolean> {
  if (!(await isFile(vault))) return false;
  const text = (await vault.openText(OVERVIEW)).head(Number.MAX_SAFE_INTEGER).lines.join("\n");
  return withCount(text, count) === null && withCount(text, count + 1) !== null;
}

async function isFile(vault: VaultReader): Promise<boolean> {
  return (await vault.find(OVERVIEW)).kind === "file";
}

/** The text with the right count; null when it has it, or has no such line. */
export function withCount(text: string, count: number): string | null {
  const lines = splitLines(text);
  const edit = inboxLineEdit(lines.slice(skippedLines(lines)), count);
  return edit === null ? null : editedText(text, [edit]);
}
