import { z } from "zod";

import { ExpectedError } from "../errors.ts";
import {
  isGenerated,
  isStructural,
  isUnder,
  joinPath,
  nameOf,
  parsePath,
  refuseFileAsFolder,
  showPath,
  type VaultPath,
} from "../vault/paths.ts";
import { textOutput, writeTool, type WriteContext } from "./define.ts";
import { author, historyNote } from "./write-checks.ts";

const input = z.strictObject({
  from: z.string(),
  to: z
    .string()
    .describe("The new path; an existing folder, or a path ending in /, keeps the name."),
});

export const move = writeTool({
  name: "move",
  title: "Move or rename",
  description: "Move or rename a file or folder. Never replaces anything.",
  input,
  profiles: ["update"],
  destructive: true,
  async run({ from: givenFrom, to: givenTo }, context) {
    const from = parsePath(givenFrom);
    if (isStructural(from.path)) {
      throw new ExpectedError(
        "protected",
        `${showPath(from.path)} is one of the main files of the vault and cannot be moved.`,
      );
    }
    const source = await context.vault.get(from.path);
    refuseFileAsFolder(from, source.kind);
    const kind = source.kind === "folder" ? "folder" : "file";
    const shownFrom = showPath(from.path, kind);
    const to = await destination(from.path, parsePath(givenTo), context);
    const shownTo = showPath(to, kind);
    if (to === from.path) {
      return textOutput(`${shownFrom} is already there. Nothing had to be changed.`, {
        from: shownFrom,
        to: shownTo,
        history: null,
      });
    }
    refuseDestination(from.path, to);
    const { value: moved, id } = await context.vault.change(
      author(context, "move"),
      async ({ writer }) => writer.move(from.path, to),
    );
    context.session.ledger.moved(source.path, moved);
    return textOutput(`Moved ${shownFrom} to ${shownTo}. ${historyNote(id)}`, {
      from: shownFrom,
      to: shownTo,
      history: id,
    });
  },
});

async function destination(
  from: VaultPath,
  to: { path: VaultPath; mustBeFolder: boolean },
  { vault }: WriteContext,
): Promise<VaultPath> {
  if (to.path === from) return from;
  const isFolder = to.mustBeFolder || (await vault.find(to.path)).kind === "folder";
  return isFolder ? joinPath(to.path, nameOf(from)) : to.path;
}

function refuseDestination(from: VaultPath, to: VaultPath): void {
  if (isGenerated(to)) {
    throw new ExpectedError(
      "protected",
      "vault/tree.md is generated after every change; nothing can be moved there.",
    );
  }
  if (isUnder(to, from)) {
    throw new ExpectedError(
      "invalid_argument",
      `${showPath(from)} cannot be moved into itself (${showPath(to)}).`,
    );
  }
}
