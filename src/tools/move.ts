import { z } from "zod";

import { ExpectedError } from "../errors.ts";
import { MoveLinks, type MovedLinks } from "../index/relink/move-links.ts";
import type { Move } from "../index/relink/moved-names.ts";
import {
  isStructural,
  isUnder,
  joinPath,
  nameOf,
  parsePath,
  refuseFileAsFolder,
  showPath,
  type VaultPath,
} from "../vault/paths.ts";
import type { VaultReader } from "../vault/vault.ts";
import { textOutput, writeTool, type WriteContext } from "./define.ts";
import { author, historyNote } from "./write-checks.ts";

const input = z.strictObject({
  from: z.string(),
  to: z
    .string()
    .describe("The new path; an existing folder, or a path ending in /, keeps the name."),
  update_links: z.boolean().nullish().describe("false: links stay as written."),
});

export const move = writeTool({
  name: "move",
  title: "Move or rename",
  description: "Move or rename a file or folder. Never replaces anything. Links to it follow.",
  input,
  profiles: ["update"],
  destructive: true,
  async run({ from: givenFrom, to: givenTo, update_links: given }, context) {
    const isRelinking = given ?? true;
    const from = parsePath(givenFrom);
    if (isStructural(from.path) || (await context.vault.isGenerated(from.path))) {
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
    const reply = { from: shownFrom, to: shownTo };
    if (to === from.path) {
      const text = `${shownFrom} is already there. Nothing had to be changed.`;
      return textOutput(text, { ...reply, history: null, links: null });
    }
    await refuseDestination(from.path, to, context.vault);
    const change = isRelinking ? moveWithLinks : moveAlone;
    const { moved, links, id } = await change({ from: from.path, to }, context);
    await context.session.ledger.moved(source.path, moved);
    const said = [`Moved ${shownFrom} to ${shownTo}.`, ...linksNotes(links), historyNote(id)];
    return textOutput(said.join(" "), { ...reply, history: id, links: linksFacts(links) });
  },
});

interface Moved {
  readonly moved: VaultPath;
  /** Null when they were left as they are. */
  readonly links: MovedLinks | null;
  readonly id: string | null;
}

async function moveAlone({ from, to }: Move, context: WriteContext): Promise<Moved> {
  const { value: moved, id } = await context.vault.change(
    author(context, "move"),
    async ({ writer }) => writer.move(from, to),
  );
  return { moved, links: null, id };
}

async function moveWithLinks(wanted: Move, context: WriteContext): Promise<Moved> {
  const { vault, index } = context;
  const following = await MoveLinks.find(vault, index.links, wanted);
  try {
    const { value, id } = await vault.change(author(context, "move"), async (change) => {
      let moved = wanted.to;
      const links = await following.follow(change, async () => {
        moved = await change.writer.move(wanted.from, wanted.to);
      });
      return { moved, links };
    });
    return { ...value, id };
  } finally {
    following.close();
  }
}

/** Files that are named when they keep links that lead nowhere now. */
const MOST_NAMED = 5;

function linksNotes(links: MovedLinks | null): string[] {
  if (links === null) return [];
  const { rewritten, files, left, leftIn } = links;
  const counted = (count: number, what: string): string =>
    `${count} ${what}${count === 1 ? "" : "s"}`;
  const named = leftIn.slice(0, MOST_NAMED).map((path) => showPath(path));
  const others = leftIn.length - named.length;
  const where = [...named, ...(others > 0 ? [`${others} more`] : [])].join(", ");
  return [
    ...(rewritten === 0
      ? []
      : [`Rewrote ${counted(rewritten, "link")} in ${counted(files, "file")}.`]),
    ...(left === 0
      ? []
      : [`Left ${counted(left, "link")} to the old path, which could not be changed: ${where}.`]),
  ];
}

function linksFacts(links: MovedLinks | null): object | null {
  if (links === null) return null;
  const { rewritten, files, left, leftIn } = links;
  return { rewritten, files, left, left_in: leftIn.map((path) => showPath(path)) };
}

async function destination(
  from: VaultPath,
  to: { path: VaultPath; mustBeFolder: boolean },
  { vault }: WriteContext,
): Promise<VaultPath> {
  if (to.path === from) return from;
  const isFolder = to.mustBeFolder || (await vault.find(to.path)).kind === "folder";
  return isFolder ? joinPath(to.path, nameOf(from)) : to.path;
}

async function refuseDestination(
  from: VaultPath,
  to: VaultPath,
  vault: VaultReader,
): Promise<void> {
  if (await vault.isGenerated(to)) {
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
