import type { VaultPath } from "../../vault/paths.ts";
import type { ChunkText } from "../chunk.ts";
import type { FileFacts } from "../file-facts.ts";
import type { Property } from "../frontmatter-properties.ts";
import { normalise } from "./terms.ts";

/** What all chunks of a file share, normalised. */
export interface SharedColumns {
  readonly path: string;
  readonly names: string;
  readonly tags: string;
}

export function sharedColumns(path: VaultPath, { names, tags }: FileFacts): SharedColumns {
  return {
    path: normalise(path.replace(/\.md$/iu, "")),
    names: names.map((name) => normalise(name).trim()).join("\n"),
    tags: normalise(tags.join(" ")).trim(),
  };
}

/** What is searched of one chunk, all but the headings normalised. */
export interface ChunkColumns {
  /** As they are written, one a line. */
  readonly headings: string;
  readonly heading: string;
  /** What people read there. */
  readonly words: string;
  /** What they do not: values of the frontmatter, targets of links. */
  readonly aside: string;
}

/** @param properties of its file */
export function chunkColumns(chunk: ChunkText, properties: readonly Property[]): ChunkColumns {
  const headings = chunk.headings.join("\n");
  const { read, targets } = withoutTargets(chunk.text.slice(chunk.skip));
  const values = chunk.skip > 0 ? properties.map(({ value }) => value) : [];
  return {
    headings,
    heading: normalise(headings),
    words: normalise(read),
    aside: normalise([...values, ...targets].join(" ")),
  };
}

const LINK_TARGET = /(?<=\])\(\s*<?([^\s()<>]+)>?[^()\n]*\)/gu;

/** A text as people read it, and the addresses that its links lead to, whose words say little of it. */
function withoutTargets(text: string): { readonly read: string; readonly targets: string[] } {
  if (!text.includes("](")) return { read: text, targets: [] };
  const targets: string[] = [];
  const read = text.replace(LINK_TARGET, (_, target: string) => {
    targets.push(target);
    return " ";
  });
  return { read, targets };
}
