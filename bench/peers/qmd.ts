/**
 * QMD (https://github.com/tobi/qmd) through its SDK, when it is installed here: `npm ci --prefix bench/peers`. What it needs
 * for vectors only is left out (see `.npmrc`), so it says once that it misses sqlite-vec.
 */

/** What stands before the path of a file in its answers. */
export const QMD_PREFIX = "qmd://vault/";

/** What of the SDK's store is used. */
export interface QmdStore {
  update(): Promise<{ readonly indexed: number }>;
  searchLex(
    query: string,
    options: { limit: number },
  ): Promise<readonly { readonly filepath: string }[]>;
  close(): Promise<void>;
}

interface Qmd {
  createStore(options: {
    dbPath: string;
    config: { collections: Record<string, { path: string; pattern: string }> };
  }): Promise<QmdStore>;
}

function isQmd(loaded: unknown): loaded is Qmd {
  return (
    typeof loaded === "object" &&
    loaded !== null &&
    "createStore" in loaded &&
    typeof loaded.createStore === "function"
  );
}

/** How to open a store on a folder of markdown; null when QMD is not installed. */
export async function loadQmd(): Promise<
  ((root: string, database: string) => Promise<QmdStore>) | null
> {
  const entry = findPackage("@tobilu/qmd");
  if (entry === null) return null;
  const loaded: unknown = await import(entry);
  if (!isQmd(loaded)) throw new Error(`${entry} has no createStore: is it another version?`);
  return (root, database) =>
    loaded.createStore({
      dbPath: database,
      config: { collections: { vault: { path: root, pattern: "**/*.md" } } },
    });
}

function findPackage(name: string): string | null {
  try {
    return import.meta.resolve(name);
  } catch {
    return null;
  }
}
