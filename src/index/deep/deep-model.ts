import type { VaultPath } from "../../vault/paths.ts";
import type { IndexedFile } from "../search-index.ts";

/** A text that a model is to place: a section of a file, or what somebody looks for. */
export interface ModelText {
  readonly title: string;
  readonly text: string;
}

/** Places texts so that those of like meaning are near each other. */
export interface Embedder {
  /** Which model: the vectors of one say nothing beside those of another. */
  readonly model: string;
  /** How many texts it is best given at once. */
  readonly batch: number;
  /** Whether the work is done by this machine, and so must give way to the person's. */
  readonly isLocal: boolean;
  /** A vector for each text, of any length above zero. Throws when it cannot give them all. */
  embed(
    texts: readonly ModelText[],
    purpose: "query" | "section",
    signal: AbortSignal,
  ): Promise<Float32Array[]>;
}

/** Another way to ask: by words, by meaning, or as the answer might be written. */
export interface Expansion {
  readonly kind: "lex" | "vec" | "hyde";
  readonly text: string;
}

export interface FileChanges {
  readonly put: readonly IndexedFile[];
  readonly gone: readonly VaultPath[];
}

/** Something that keeps a copy of every indexed file, and must hear of each change. */
export interface FileFollower {
  /** What it has: each file's signature by its path. */
  signatures(): Map<VaultPath, string>;
  /** Several changes at once: all of them, or none when it throws. */
  apply(changes: FileChanges): void;
}

/** What `deep` searches with, besides words. All but the embedder may be missing. */
export interface DeepModel {
  readonly engine: "qmd" | "endpoint";
  readonly embedder: Embedder;
  readonly follower?: FileFollower;
  /** Other ways to ask the same. */
  readonly expand?: (query: string) => Promise<readonly Expansion[]>;
  /** Files that have the words of a query, best first; among those wanted only. */
  readonly filesWith?: (
    query: string,
    isWanted: (path: VaultPath) => boolean,
    most: number,
  ) => readonly VaultPath[];
  /** How well each text answers, 0 to 1. */
  readonly rerank?: (query: string, texts: readonly string[]) => Promise<readonly number[]>;
  close(): Promise<void>;
}
