import type { VaultPath } from "../../vault/paths.ts";
import type { FileChanges } from "../search-index.ts";

/** A text to embed: a section of a file, or a query. */
export interface ModelText {
  readonly title: string;
  readonly text: string;
}

/** Turns texts into vectors: the nearer their meaning, the nearer the vectors. */
export interface Embedder {
  /** Which model: vectors of different models cannot be compared. */
  readonly model: string;
  /** How many texts to embed in one call. */
  readonly batch: number;
  /** Whether this process does the work, which then pauses while other programs need the machine. */
  readonly isLocal: boolean;
  /** A vector for each text. Throws when one is missing. */
  embed(
    texts: readonly ModelText[],
    purpose: "query" | "section",
    signal: AbortSignal,
  ): Promise<Float32Array[]>;
}

/** Another wording of a query: for a search by words, for one by meaning, or as the answer might be written. */
export interface Expansion {
  readonly kind: "lex" | "vec" | "hyde";
  readonly text: string;
}

/** A store of the model's own with a copy of every indexed file. */
export interface FileFollower {
  /** The signature of every file it has. */
  signatures(): Map<VaultPath, string>;
  /** All of the changes, or none when it throws. */
  apply(changes: FileChanges): void;
}

/** What `deep` searches with, besides words. All but the embedder may be missing. */
export interface DeepModel {
  readonly engine: "qmd" | "endpoint";
  readonly embedder: Embedder;
  readonly follower?: FileFollower;
  /** Other wordings of a query. */
  readonly expand?: (query: string) => Promise<readonly Expansion[]>;
  /** Files that have the words of a query, best first; only those for which `isWanted` is true. */
  readonly filesWith?: (
    query: string,
    isWanted: (path: VaultPath) => boolean,
    most: number,
  ) => readonly VaultPath[];
  /** How well each text answers the query, 0 to 1. */
  readonly rerank?: (query: string, texts: readonly string[]) => Promise<readonly number[]>;
  close(): Promise<void>;
}
