import { ExpectedError } from "../../errors.ts";
import { isMarkdown, isUnder, isDropped, type VaultPath } from "../../vault/paths.ts";
import { nodesUnder } from "../../vault/tree/nodes-under.ts";
import type { TreeNode } from "../../vault/tree/folder-totals.ts";
import { SMALL_FILE, versionHash } from "../../vault/files/version.ts";
import type { CallersVault, VaultWriter } from "../../vault/vault.ts";
import { retryWhenChanged } from "../../vault/write/atomic-write.ts";
import { aliasesOf, factsOf } from "../file-facts.ts";
import { linkKey, placedLinks } from "../links-in.ts";
import { isIndexed, type Alias, type Links } from "../search-index.ts";
import { LinkNames, movedPath, type Move } from "./moved-names.ts";
import { rewriteLinks, type LinkChange } from "./rewrite-links.ts";

/** What became of the links to something that moved, and of its own. */
export interface MovedLinks {
  /** Links that were rewritten, in so many files. */
  readonly rewritten: number;
  readonly files: number;
  /** Links that lead nowhere, or elsewhere, now: their files may not be changed, or no link can say the name. */
  readonly left: number;
  /** The files that they are in. */
  readonly leftIn: readonly VaultPath[];
}

/**
 * Follows a move with the links of the vault: those to what moves, those of what moves, and those to others whose name it takes.
 * Made before the move, outside of any change, because the index may have to follow earlier ones first.
 */
export class MoveLinks {
  readonly #vault: CallersVault;
  readonly #move: Move;
  readonly #keys: ReadonlySet<string>;
  readonly #files: ReadonlySet<VaultPath>;
  readonly #aliases: readonly Alias[];
  /** Files that were written since the index was asked. */
  readonly #late = new Set<VaultPath>();
  readonly #stop: () => void;

  private constructor(
    vault: CallersVault,
    move: Move,
    parts: {
      readonly keys: ReadonlySet<string>;
      readonly files: ReadonlySet<VaultPath>;
      readonly aliases: readonly Alias[];
    },
  ) {
    this.#vault = vault;
    this.#move = move;
    this.#keys = parts.keys;
    this.#files = parts.files;
    this.#aliases = parts.aliases;
    this.#stop = vault.onChange((change) => {
      if (change.kind === "modify" || change.kind === "create") this.#late.add(change.path);
    });
  }

  static async find(vault: CallersVault, links: Links, move: Move): Promise<MoveLinks> {
    const moved = await vault.shape(move.from);
    const keys = new Set<string>();
    for (const { path } of [moved, ...nodesUnder(moved)])
      keys.add(linkKey(path)).add(linkKey(movedPath(path, move)));
    const indexed = await links.aliases();
    for (const { key, path } of indexed) if (isUnder(path, move.from)) keys.add(key);
    const hidden = [moved, ...nodesUnder(moved)].filter((node) => !isIndexed(node.path));
    for (const { key } of await aliasesIn(vault, hidden)) keys.add(key);
    const linking = await links.linking(keys);
    const known = new Set(linking);
    const notes = [...nodesUnder(await vault.shape(""))].filter((node) => isRead(node));
    // The index does not know the files that are always in the agents' context, and those of the inbox.
    const files = notes
      .map(({ path }) => path)
      .filter(
        (path) =>
          linking === null || !isIndexed(path) || known.has(path) || isUnder(path, move.from),
      );
    const aliases = linking === null ? await aliasesIn(vault, notes) : indexed;
    return new MoveLinks(vault, move, { keys, files: new Set(files), aliases });
  }

  /** No longer follows the vault. */
  close(): void {
    this.#stop();
  }

  /** Runs `work`, which moves, and rewrites the links, in one change of the vault. */
  async follow(change: VaultWriter, work: () => Promise<void>): Promise<MovedLinks> {
    const found = await this.#linkChange(change);
    await work();
    let [rewritten, files, left] = [0, 0, 0];
    const leftIn: VaultPath[] = [];
    for (const path of found.paths) {
      const done = await rewriteFile(this.#vault, change, path, found.change);
      rewritten += done.links;
      files += done.links > 0 ? 1 : 0;
      left += done.left;
      if (done.left > 0) leftIn.push(movedPath(path, this.#move));
    }
    return { rewritten, files, left, leftIn };
  }

  /** What the move changes for the files that may have links to rewrite. */
  async #linkChange({
    readWhole,
  }: VaultWriter): Promise<{ paths: VaultPath[]; change: LinkChange }> {
    const move = this.#move;
    const nodes = [...nodesUnder(await this.#vault.shape(""))];
    const present = new Set(nodes.filter((node) => isRead(node)).map(({ path }) => path));
    const paths = [...new Set([...this.#files, ...this.#late])].filter((path) => present.has(path));
    const [keys, moving] = [new Set(this.#keys), new Set(this.#keys)];
    // Those of what moves are read here: the index does not have them of a note that leaves the inbox.
    const aliases = this.#aliases.filter(({ path }) => !isUnder(path, move.from));
    for (const path of paths) {
      if (!isUnder(path, move.from)) continue;
      const text = await readWhole(path).then(
        (file) => file.text,
        () => "",
      );
      for (const alias of aliasesOf(factsOf(path, text))) {
        moving.add(linkKey(alias));
        aliases.push({ key: linkKey(alias), path });
      }
      for (const { target } of placedLinks(text)) keys.add(linkKey(target));
    }
    for (const key of moving) keys.add(key);
    const names = (moved: Move | null): LinkNames => new LinkNames(nodes, aliases, keys, moved);
    return { paths, change: { move, before: names(null), after: names(move), keys: moving } };
  }
}

/** The aliases of notes, read from the notes: the index may not hold them. */
async function aliasesIn(vault: CallersVault, notes: readonly TreeNode[]): Promise<Alias[]> {
  const aliases: Alias[] = [];
  for (const node of notes) {
    if (!isRead(node)) continue;
    const { bytes } = await vault.readBytes(node.path, SMALL_FILE);
    const facts = factsOf(node.path, bytes.toString("utf8"));
    for (const alias of aliasesOf(facts)) aliases.push({ key: linkKey(alias), path: node.path });
  }
  return aliases;
}

/** Whether a file can have links that we rewrite. */
function isRead(node: TreeNode): boolean {
  return (
    node.kind === "file" &&
    node.facts.isGenerated !== true &&
    isMarkdown(node.path) &&
    !isDropped(node.path)
  );
}

/** Rewrites the links of one file, where the caller may. */
async function rewriteFile(
  vault: CallersVault,
  { writer, readWhole }: VaultWriter,
  from: VaultPath,
  change: LinkChange,
): Promise<{ links: number; left: number }> {
  const path = movedPath(from, change.move);
  let wanted = 0;
  try {
    return await retryWhenChanged(async () => {
      const seen = await readWhole(path);
      // Another name of a file whose links are rewritten under its own.
      if (seen.path !== path) return { links: 0, left: 0 };
      const old = seen.bytes.toString("utf8");
      const { text, links, left } = rewriteLinks(old, from, change);
      wanted = links + left;
      if (links === 0) return { links, left };
      if ((await vault.get(path)).isReadOnly) return { links: 0, left: wanted };
      const bytes = Buffer.from(text);
      const relinked = { before: versionHash(seen.bytes), after: versionHash(bytes) };
      await writer.update(seen, bytes, { relinked });
      return { links, left };
    });
  } catch (error) {
    // The move is made: a file that cannot be written keeps its links, and is named.
    if (error instanceof ExpectedError) return { links: 0, left: wanted };
    throw error;
  }
}
