import { z } from "zod";

import { ExpectedError } from "../errors.ts";
import { countTokens } from "../text/tokens.ts";
import { countLines, lineEndingOf, withLineEnding } from "../vault/files/lines.ts";
import type { WholeText } from "../vault/files/text-file.ts";
import { showPath, type VaultPath } from "../vault/paths.ts";
import type { VaultWriter } from "../vault/vault.ts";
import { writeTool, type WriteContext } from "./define.ts";
import { linesText } from "./output.ts";
import {
  changeOutput,
  changeVault,
  lastVersion,
  refuseBinaryName,
  refuseFolder,
  refuseNonText,
  requireRead,
  withFrontmatter,
  writablePath,
  type ChangeFacts,
} from "./write-checks.ts";

const input = z.strictObject({
  path: z.string().describe('Like "vault/projects/NAME/state.md".'),
  content: z
    .string()
    .describe("The whole markdown. Leave created, updated and tokens to the program."),
});

export const write = writeTool({
  name: "write",
  title: "Write a file",
  description:
    "Create a file, or replace one you have read. To change a part use edit; to add to a file use append. Frontmatter keys that you leave out are kept.",
  input,
  profiles: ["update"],
  destructive: true,
  async run({ path: given, content }, context) {
    const path = await writablePath(given, context.vault);
    refuseContent(path, content);
    const { value, id: history } = await changeVault(context, "write", async (change) =>
      writeWhole(path, content, context, change),
    );
    const { lines_before: before, lines_after: after } = value;
    const shown = showPath(path);
    const did =
      before === null
        ? `Created ${shown}: ${linesText(after)}.`
        : `Replaced ${shown}: ${before} → ${linesText(after)}.`;
    return changeOutput(did, { path: shown, ...value, history });
  },
});

function refuseContent(path: VaultPath, content: string): void {
  const shown = showPath(path);
  if (content.trim() === "") {
    throw new ExpectedError("invalid_argument", `content is empty; to remove ${shown} use delete.`);
  }
  refuseBinaryName(path);
  refuseNonText(content, "content");
}

async function writeWhole(
  path: VaultPath,
  content: string,
  context: WriteContext,
  change: VaultWriter,
): Promise<ChangeFacts & { readonly lines_after: number }> {
  const { writer } = change;
  const found = await context.vault.find(path);
  const shown = showPath(path);
  refuseFolder(path, found);
  const old = found.kind === "missing" ? null : await change.readWhole(path);
  if (old !== null)
    await requireRead(old, shown, context, `exists, ${countTokens(old.text)} tokens`);
  const bytes = newBytes(content, old, shown);
  if (old === null) await writer.create(path, bytes);
  else if (!old.bytes.equals(bytes)) await writer.update(old, bytes);
  const version = lastVersion(change) ?? old?.version ?? null;
  if (old !== null && version !== null)
    await context.session.ledger.wrote(old.path, old.version, version);
  return {
    lines_before: old === null ? null : countLines(old.text),
    lines_after: countLines(bytes.toString("utf8")),
    hash: version?.hash ?? null,
  };
}

/** The caller's text with the frontmatter, byte-order mark and line endings the file already has. */
function newBytes(content: string, old: WholeText | null, shown: string): Buffer {
  const existing = old === null ? null : old.bytes.toString("utf8");
  const merged = withFrontmatter(content, existing, shown);
  return Buffer.from(existing === null ? merged : withLineEnding(merged, lineEndingOf(existing)));
}
