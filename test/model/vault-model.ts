/** The texts that a vault must hold, by path: what people wrote, without the frontmatter of the background job. */
export type Texts = ReadonlyMap<string, string>;

/** What somebody does to a vault. Paths are without the prefix `vault/`. */
export type Deed =
  | { readonly kind: "write"; readonly path: string; readonly text: string }
  | {
      readonly kind: "append";
      readonly path: string;
      readonly text: string;
      readonly position: "top" | "bottom";
    }
  | { readonly kind: "edit"; readonly path: string; readonly old: string; readonly text: string }
  | { readonly kind: "move"; readonly path: string; readonly to: string }
  | { readonly kind: "delete"; readonly path: string };

/** Cannot be moved or deleted. */
const STRUCTURAL = "overview.md";

/**
 * What a deed makes of a vault; null when it must be refused. So simple that it is seen to be right: no disk, no history, no watcher.
 */
export function after(texts: Texts, deed: Deed): Texts | null {
  const next = new Map(texts);
  const { path } = deed;
  if ((deed.kind === "move" || deed.kind === "delete") && path === STRUCTURAL) return null;
  // A file where a folder would have to be, or the other way round.
  const isBlocked = (at: string): boolean =>
    [...texts.keys()].some((each) => each.startsWith(`${at}/`) || at.startsWith(`${each}/`));
  switch (deed.kind) {
    case "write":
      if (isBlocked(path)) return null;
      next.set(path, deed.text);
      return next;
    case "append": {
      if (isBlocked(path)) return null;
      const old = texts.get(path);
      next.set(path, old === undefined ? deed.text : joined(old, deed));
      return next;
    }
    case "edit": {
      const old = texts.get(path);
      if (old === undefined || old.split(deed.old).length !== 2) return null;
      next.set(
        path,
        old.replace(deed.old, () => deed.text),
      );
      return next;
    }
    case "delete": {
      const gone = under(texts, path);
      for (const each of gone) next.delete(each);
      return gone.length === 0 ? null : next;
    }
    case "move": {
      const moved = under(texts, path);
      if (deed.to === path && moved.length > 0) return texts;
      if (moved.length === 0 || isBlocked(deed.to) || texts.has(deed.to)) return null;
      if (`${deed.to}/`.startsWith(`${path}/`)) return null;
      for (const each of moved) next.delete(each);
      for (const each of moved) next.set(deed.to + each.slice(path.length), texts.get(each) ?? "");
      return next;
    }
  }
}

/** The file of that path, or all files in the folder. */
export function under(texts: Texts, path: string): string[] {
  return [...texts.keys()].filter((each) => each === path || each.startsWith(`${path}/`));
}

/** One empty line stands between what is there and what is added. */
function joined(old: string, { text, position }: Deed & { kind: "append" }): string {
  if (old.trim() === "") return text;
  return position === "top"
    ? `${text}\n${old.replace(/^\n+/u, "")}`
    : `${old.replace(/\n+$/u, "")}\n\n${text}`;
}

/** How two vaults differ, for a report; nothing when they are equal. */
export function differences(actual: Texts, expected: Texts): string[] {
  const paths = [...new Set([...actual.keys(), ...expected.keys()])].toSorted();
  return paths.flatMap((path) => {
    const [is, should] = [actual.get(path), expected.get(path)];
    if (is === should) return [];
    const shown = (text: string | undefined): string =>
      text === undefined ? "not there" : JSON.stringify(text.slice(0, 200));
    return [`${path} is ${shown(is)}, should be ${shown(should)}`];
  });
}
