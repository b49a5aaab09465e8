import { ExpectedError } from "../../errors.ts";
import type { ChangeGuard } from "../../vault/history/history-types.ts";
import { isUnder, nameOf, showPath, type VaultPath } from "../../vault/paths.ts";
import type { VaultReader } from "../../vault/vault.ts";
import { projectNames } from "../without-model/closest-projects.ts";
import { foldersIn, INBOX } from "../inbox/inbox.ts";
import { isForeignLayout } from "./vault-layout.ts";

/*
 * What a run may change. The guards are asked where bytes are written, so nothing depends on what a model understood.
 */

/** What stood in the vault when a run began. */
export interface Before {
  /** It is laid out otherwise than ours. */
  readonly isForeign: boolean;
  readonly projects: ReadonlySet<string>;
  /** Names of inbox items. */
  readonly items: ReadonlySet<string>;
}

export async function standingBefore(vault: VaultReader): Promise<Before> {
  const items = (await foldersIn(vault, INBOX)).map((folder) => nameOf(folder));
  const isForeign = await isForeignLayout(vault);
  return { isForeign, projects: new Set(await projectNames(vault)), items: new Set(items) };
}

/** Inside `bucket/`, the `bucket/` of a project that was there, or an inbox item that was not; those folders themselves are not. */
function isReceiving(path: VaultPath, { projects, items }: Before): boolean {
  const project = /^projects\/([^/]+)\/bucket\/./u.exec(path)?.[1];
  if (project !== undefined) return projects.has(project);
  const item = /^inbox\/([^/]+)/u.exec(path)?.[1];
  return item === undefined ? path.startsWith("bucket/") : !items.has(item);
}

/** What a run was given to file, and what it added itself. */
export class OwnPaths {
  readonly #given: readonly VaultPath[];
  readonly #added = new Set<VaultPath>();

  /** @param given folders of the inbox */
  constructor(given: readonly (VaultPath | null)[]) {
    this.#given = given.filter((path) => path !== null);
  }

  add(path: VaultPath): void {
    this.#added.add(path);
  }

  isGiven(path: VaultPath): boolean {
    return this.#given.some((each) => isUnder(path, each));
  }

  has(path: VaultPath): boolean {
    return this.isGiven(path) || [...this.#added].some((each) => isUnder(path, each));
  }
}

/**
 * For a run that carries text from outside: even if that text misleads the model, it can only add to `inbox/` and `bucket/` folders, and
 * change or remove what it added itself.
 */
export function untrustedGuard(before: Before, own: OwnPaths): ChangeGuard {
  return (deed, path) => {
    if (!own.isGiven(path) && !isReceiving(path, before)) {
      throw refused(
        `${showPath(path)} cannot be changed in this run: it carries text from outside, so it may only add new files inside bucket/ folders of projects there are, and new items to inbox/. Leave it in the inbox, and propose the change in its review.md with every path; the person confirms it.`,
      );
    }
    if (deed !== "add" && !own.has(path)) {
      throw refused(
        `${showPath(path)} was there before this run, which carries text from outside and may only add. Write a new file instead.`,
      );
    }
  };
}

/** Our places at the top of a vault, beside `projects/`. */
const OUR_PAGES: ReadonlySet<VaultPath> = new Set(["overview.md", "tasks.md", "changelog.md"]);

/** A vault with a structure of its own gets none of our places unless the note asks for them: `projects/` for a project, a page by its name. */
export function foreignGuard(note: string): ChangeGuard {
  const isForProject = /\bproje(?:c)?ts?\b/iu.test(note);
  return (deed, path) => {
    if (deed !== "add") return;
    if (path.startsWith("projects/") && !isForProject) {
      throw refused(
        `${showPath(path)}: this vault has no projects/ folder, and the note asks for none. File it in the folders and notes there are.`,
      );
    }
    if (OUR_PAGES.has(path) && !note.includes(path)) {
      throw refused(
        `${showPath(path)}: this vault has no such page, and the note does not name it. File it in the folders and notes there are.`,
      );
    }
  };
}

const PROFILE: VaultPath = "profile.md";

/** For what a client says that the person said: append and edit, but no delete, move, or change of the profile. */
export function relayedGuard(own: OwnPaths): ChangeGuard {
  return (deed, path) => {
    if (path === PROFILE) {
      throw refused(
        `${showPath(path)} is changed only by the person's own word: on the page, or as text of coffre remember. Propose it in the inbox.`,
      );
    }
    if (deed !== "take" || own.has(path)) return;
    throw refused(
      `${showPath(path)} cannot be moved or deleted on the word of a client; the person says yes to that. Edit it, or propose it in the inbox with its path.`,
    );
  };
}

/**
 * For a run that answers an inbox item: beside the item itself, only what its review proposes can be moved or deleted, since that is what the
 * person said yes to.
 * @param proposed the part of the review that proposes and asks; empty when the item came from outside
 */
export function answeringGuard(item: VaultPath, proposed: string, own: OwnPaths): ChangeGuard {
  const named = namedPaths(proposed);
  return (deed, path) => {
    if (deed !== "take" || isUnder(path, item) || own.has(path)) return;
    if (named.has(path) || named.has(`${path}/`)) return;
    throw refused(
      `${showPath(path)} cannot be moved or deleted while an inbox item is filed, since the item's review does not propose it; ${showPath(item, "folder")} can. Edit it instead.`,
    );
  };
}

/**
 * For the answer to an item that came from outside: beside adding to inbox and buckets, only the files that its review proposes can be added or
 * changed, since these are what the person said yes to.
 * @param proposed the part of the review that proposes and asks
 */
export function namedGuard(proposed: string, before: Before, own: OwnPaths): ChangeGuard {
  const named = namedPaths(proposed);
  const otherwise = untrustedGuard(before, own);
  return (deed, path) => {
    if (path === PROFILE) {
      throw refused(
        `${showPath(path)} cannot be changed with what came from outside; the person does it on the page.`,
      );
    }
    if (deed !== "take" && named.has(path)) return;
    otherwise(deed, path);
  };
}

/** The files of the vault that a text names, as they are shown to people: `vault/projects/house/state.md`. */
export function namedPaths(text: string): ReadonlySet<VaultPath> {
  const quoted = text.matchAll(/`vault\/([^`\n]+)`/gu);
  const bare = text.matchAll(/vault\/([^\s`'"()[\]<>|,;:*]+)/gu);
  const named = [...quoted, ...bare].map(([, path = ""]) => path.replace(/[.…?!]+$/u, ""));
  return new Set(named.map((path) => path.normalize("NFC")));
}

function refused(message: string): ExpectedError {
  return new ExpectedError("protected", message);
}
