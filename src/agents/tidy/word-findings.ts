import { ExpectedError } from "../../errors.ts";
import { pageOf, type Page } from "../../tidy/pages.ts";
import type { Finding, LineEdit, Said } from "../../tidy/finding.ts";
import { toolsOf } from "../../tools/registry.ts";
import { createSession } from "../../tools/session.ts";
import type { ChangeGuard } from "../../vault/history/history-types.ts";
import type { Overlays } from "../../vault/overlay/overlays.ts";
import { proposedFiles } from "../../vault/overlay/proposed-files.ts";
import { showPath, type VaultPath } from "../../vault/paths.ts";
import type { CallersVault, Vault } from "../../vault/vault.ts";
import { runLoop, UPDATE_ACTOR, type ReadingParts, type RunControl } from "../agent-run.ts";
import { isFromOutside } from "../inbox/untrusted-mark.ts";
import type { ChatModel } from "../model/chat-model.ts";
import { callWithin } from "../update/call-within.ts";
import { SeenLines } from "../update/known.ts";
import { RunBounds } from "../update/run-bounds.ts";
import { tidyInstructions, tidyMessage } from "./tidy-prompts.ts";

/** Findings that a model is asked to word at a time. */
const MAX_WORDED = 20;
/** Lines between a finding and what the model changed for it: a sentence goes over several. */
const NEAR = 3;
const TOOLS = new Set(["read", "search", "edit"]);
const OVERLAY = "tidy-words";

export interface WordingParts extends ReadingParts, RunControl {
  readonly overlays: Overlays;
  /** What models may see of an overlay. */
  readonly seen: (vault: Vault) => CallersVault;
}

export interface Worded {
  /** What the model proposes for some of the findings. */
  readonly proposals: readonly Finding[];
  /** Those that it left. */
  readonly left: readonly Finding[];
}

/**
 * Lets a model word what a program found and cannot word itself. It works on an overlay and may only edit the pages that were found; of what it did,
 * only what stands where something was found becomes a proposal.
 */
export async function wordFindings(
  findings: readonly Finding[],
  model: ChatModel,
  parts: WordingParts,
): Promise<Worded> {
  const { overlays, vault, seen } = parts;
  const asked: Finding[] = [];
  for (const finding of findings.slice(0, MAX_WORDED))
    if (!(await isFromOutside(vault, finding.path))) asked.push(finding);
  if (asked.length === 0) return { proposals: [], left: findings };
  const overlay = await overlays.create(OVERLAY);
  try {
    // Overlays lie on the whole vault: the model is given of it what it may see.
    await tryWording(asked, model, parts, seen(overlay));
    const proposals: Finding[] = [];
    const worded = new Set<Finding>();
    for (const { path, before, after } of await proposedFiles(overlay)) {
      if (before === null || after === null) continue;
      const own = asked.filter((finding) => finding.path === path);
      const pages = { before: pageOf(path, before), after: pageOf(path, after) };
      for (const { proposal, near } of await wordedIn(pages, own, model.name)) {
        proposals.push(proposal);
        for (const finding of near) worded.add(finding);
      }
    }
    return { proposals, left: findings.filter((finding) => !worded.has(finding)) };
  } finally {
    overlay.close();
    await overlays.remove(OVERLAY);
  }
}

async function tryWording(
  asked: readonly Finding[],
  model: ChatModel,
  parts: ReadingParts & RunControl,
  vault: CallersVault,
): Promise<void> {
  const input = { content: "", isUntrusted: false, isRelayed: false };
  const within = pagesGuard(new Set(asked.map(({ path }) => path)));
  const bounds = await RunBounds.of({ input, answered: null, ready: null, within }, vault);
  const tools = toolsOf("update").filter(({ name }) => TOOLS.has(name));
  const writing = { ...parts, vault, batch: OVERLAY };
  await runLoop({
    ...parts,
    model,
    tools,
    instructions: tidyInstructions(tools),
    first: [{ type: "text", text: tidyMessage(asked, parts.now()) }],
    call: callWithin(bounds, writing, {
      seen: new SeenLines(),
      session: createSession(UPDATE_ACTOR),
    }),
  });
}

/** Only the pages in which something was found, and only edits. */
function pagesGuard(pages: ReadonlySet<VaultPath>): ChangeGuard {
  return (deed, path) => {
    if (deed === "alter" && pages.has(path)) return;
    throw new ExpectedError(
      "protected",
      `${showPath(path)} is not one of the pages to be corrected. Edit only those, and leave the rest.`,
    );
  };
}

/** A proposal, and the findings that it stands at. */
interface WordedThere {
  readonly proposal: Finding;
  readonly near: readonly Finding[];
}

/** What differs between two versions of a page, where something was found. */
async function wordedIn(
  { before, after }: { readonly before: Page; readonly after: Page },
  findings: readonly Finding[],
  model: string,
): Promise<WordedThere[]> {
  const worded: WordedThere[] = [];
  for (const edits of groupsOf(await editsBetween(before.lines, after.lines))) {
    const [first, last] = [edits[0], edits.at(-1)];
    if (first === undefined || last === undefined) continue;
    const near = findings.filter(({ line }) => {
      const at = (line ?? 1) - before.skipped;
      return at >= first.start - NEAR && at <= Math.max(last.start, last.end) + NEAR;
    });
    const [found] = near;
    if (found === undefined) continue;
    const title = (language: keyof Said): string =>
      near.map((each) => each.title[language]).join("; ");
    const proposal: Finding = {
      kind: found.kind,
      title: {
        en: `${title("en")} (worded by ${model})`,
        fr: `${title("fr")} (formulé par ${model})`,
      },
      path: before.path,
      line: found.line,
      changes: [{ kind: "edit", path: before.path, hash: before.hash, edits }],
      canBeWorded: false,
    };
    worded.push({ proposal, near });
  }
  return worded;
}

async function editsBetween(
  before: readonly string[],
  after: readonly string[],
): Promise<LineEdit[]> {
  const { diffArrays } = await import("diff");
  const edits: LineEdit[] = [];
  let at = 1;
  for (const { added, removed, value } of diffArrays([...before], [...after])) {
    const last = edits.at(-1);
    if (removed) {
      edits.push({ start: at, end: at + value.length - 1, lines: [] });
      at += value.length;
    } else if (!added) at += value.length;
    else if (last !== undefined && last.end === at - 1 && last.lines.length === 0)
      edits[edits.length - 1] = { ...last, lines: value };
    else edits.push({ start: at, end: at - 1, lines: value });
  }
  return edits;
}

/** Edits close to each other are one proposal. */
function groupsOf(edits: readonly LineEdit[]): LineEdit[][] {
  const groups: LineEdit[][] = [];
  for (const edit of edits) {
    const last = groups.at(-1)?.at(-1);
    if (last !== undefined && edit.start - last.end <= NEAR) groups.at(-1)?.push(edit);
    else groups.push([edit]);
  }
  return groups;
}
