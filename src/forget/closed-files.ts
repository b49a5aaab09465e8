import { createHash } from "node:crypto";

import { z } from "zod";

import { ExpectedError } from "../errors.ts";
import { splitFrontmatter } from "../vault/files/frontmatter.ts";
import { isMarkdown, joinPath, parentOf, type VaultPath } from "../vault/paths.ts";
import { isTextBytes } from "../text/utf8.ts";
import type { LocalVault } from "../vault/vault.ts";

/** What a file says once it is unpacked and decoded; `isAll` is false when a part could not be read. Throws an {@link ExpectedError} for one that cannot be read. */
export type ReadClosed = (file: {
  readonly name: string;
  readonly bytes: Uint8Array;
}) => Promise<{ readonly texts: readonly string[]; readonly isAll: boolean }>;

type Verdict = "holds" | "lacks" | "unknown";

/** Bytes of kept versions that are looked into in one pass over the history. */
const BATCH = 64 * 1024 * 1024;

/** How files begin whose text is compressed: PDF, ZIP and what is made of it, old Office, gzip, 7z, RAR, xz, bzip2, Zstandard. */
const SIGNATURES = [
  "255044462d",
  "504b0304",
  "d0cf11e0a1b11ae1",
  "1f8b08",
  "377abcaf271c",
  "526172211a07",
  "fd377a585a00",
  "425a68",
  "28b52ffd",
].map((hex) => Buffer.from(hex, "hex"));

/** Some PDFs begin with other bytes, as readers allow. */
const PDF = Buffer.from("%PDF-");
const PDF_WITHIN = 1024;
/** Mails and pages saved as such, and documents that write letters as numbers. */
const ENCODED = /^content-transfer-encoding:\s*(?:base64|quoted-printable)/imu;
const RTF = Buffer.from(String.raw`{\rtf`);

/** Whether a file may hold a text that its bytes do not show. */
export function isClosed(bytes: Buffer): boolean {
  if (SIGNATURES.some((start) => bytes.subarray(0, start.length).equals(start))) return true;
  if (bytes.subarray(0, RTF.length).equals(RTF)) return true;
  if (bytes.subarray(0, PDF_WITHIN).includes(PDF) && !isTextBytes(bytes)) return true;
  return /^[!-9;-~]+:/u.test(firstLine(bytes)) && ENCODED.test(bytes.toString("latin1"));
}

function firstLine(bytes: Buffer): string {
  return bytes
    .subarray(0, 100)
    .toString("latin1")
    .replace(/^From .*\r?\n/u, "");
}

/** Looks for a text in files whose bytes do not show what they say. */
export class ClosedFiles {
  /** What is looked for. */
  readonly value: string;
  readonly #wanted: readonly string[];
  readonly #read: ReadClosed;
  /** By the hash of the bytes: the same file may stand in the vault and in the history, and is looked at again before it is removed. */
  readonly #verdicts = new Map<string, Verdict>();

  constructor(value: string, read: ReadClosed) {
    this.value = value;
    this.#wanted = [plain(value)].filter((text) => text !== "");
    this.#read = read;
  }

  /** Null for a file whose bytes show all that it says, as those of every note do. */
  async look(name: string, bytes: Buffer): Promise<Verdict | null> {
    if (isMarkdown(name) || !isClosed(bytes)) return null;
    const hash = hashOf(bytes);
    const known = this.#verdicts.get(hash);
    if (known !== undefined) return known;
    const verdict = await this.#judge(name, bytes);
    this.#verdicts.set(hash, verdict);
    return verdict;
  }

  async #judge(name: string, bytes: Buffer): Promise<Verdict> {
    try {
      const { texts, isAll } = await this.#read({ name, bytes });
      const isHeld = texts
        .map(plain)
        .some((text) => this.#wanted.some((each) => text.includes(each)));
      return isHeld ? "holds" : isAll ? "lacks" : "unknown";
    } catch (error) {
      if (error instanceof ExpectedError) return "unknown";
      throw error;
    }
  }

  /** Whether bytes that were looked at hold it, for the history. */
  readonly holds = (bytes: Buffer): boolean =>
    isClosed(bytes) && this.#verdicts.get(hashOf(bytes)) === "holds";

  /** Looks into what the history keeps. Returns how many versions could not be read. */
  async lookInHistory(vault: Pick<LocalVault, "erase">): Promise<number> {
    const unknown = new Set<string>();
    for (;;) {
      const next = new Map<string, Buffer>();
      let size = 0;
      const collect = (bytes: Buffer): boolean => {
        if (!isClosed(bytes)) return false;
        const hash = hashOf(bytes);
        if (this.#verdicts.get(hash) === "unknown") unknown.add(hash);
        if (this.#verdicts.has(hash) || size > BATCH) return false;
        next.set(hash, bytes);
        size += bytes.length;
        return false;
      };
      await vault.erase({ texts: [], holds: collect }, true);
      if (next.size === 0) return unknown.size;
      for (const bytes of next.values()) await this.look("a kept version", bytes);
    }
  }
}

function hashOf(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

/** A text without what markdown, XML and the ends of lines add to it: a converter writes `a\_b`, and a page breaks a line where it is full. */
function plain(text: string): string {
  return text
    .normalize("NFC")
    .replaceAll(/&(amp|lt|gt|quot|apos);/gu, (_, name: string) => ENTITIES[name] ?? "")
    .replaceAll(/[\\*_`\u00ad]/gu, "")
    .replaceAll(/\s+/gu, " ")
    .trim();
}

/** The file beside a note that it was made from; null when it has none. */
export function originalOf(file: VaultPath, bytes: Buffer): VaultPath | null {
  const { block } = splitFrontmatter(bytes.subarray(0, HEAD).toString("utf8"));
  const name = /^ {2}original: (".+")$/mu.exec(block?.yaml ?? "")?.[1];
  if (name === undefined) return null;
  try {
    return joinPath(parentOf(file), z.string().parse(JSON.parse(name)));
  } catch {
    return null;
  }
}

/** Bytes at the beginning of a note, in which its frontmatter is. */
const HEAD = 64 * 1024;
