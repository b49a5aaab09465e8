import { promisify } from "node:util";
import { zstdCompress, zstdDecompress } from "node:zlib";

import type { Postgres } from "../../storage/postgres/postgres.ts";
import { hashOfParts } from "../history/history.ts";

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Bytes of a row. */
const PART = 4 * 1024 * 1024;

/** A blob that nothing of its vault needs: no file has it, no entry of the history, and it is no new file of an overlay. */
const UNUSED = `
  NOT EXISTS (SELECT 1 FROM uses u WHERE u.vault = b.vault AND u.blob = b.hash)
  AND NOT EXISTS (SELECT 1 FROM tree t WHERE t.vault = b.vault AND t.hash = b.hash)
  AND NOT EXISTS (SELECT 1 FROM overlay_blobs o WHERE o.vault = b.vault AND o.blob = b.hash)`;

/** The bytes of one vault, present and past, by their hash. Each is stored once, compressed, in parts. */
export class Blobs {
  readonly #database: Postgres;
  readonly #vault: number;

  constructor(database: Postgres, vault: number) {
    this.#database = database;
    this.#vault = vault;
  }

  /** Stores bytes that are not stored yet; returns their hash. */
  async put(parts: Iterable<Buffer>, hash = hashOfParts(parts)): Promise<string> {
    const found = await this.#database.one(
      "SELECT 1 FROM blobs WHERE vault = $1 AND hash = $2 AND part = 0",
      [this.#vault, hash],
    );
    if (found !== null) return hash;
    let part = 0;
    for (const bytes of parts)
      for (let at = 0; at === 0 || at < bytes.length; at += PART) {
        await this.#database.execute(
          "INSERT INTO blobs (vault, hash, part, bytes) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING",
          [this.#vault, hash, part, await compress(bytes.subarray(at, at + PART))],
        );
        part += 1;
      }
    return hash;
  }

  /** In order; none when they are not stored. */
  async *parts(hash: string): AsyncGenerator<Buffer> {
    for (let part = 0; ; part += 1) {
      const row = await this.#database.one(
        "SELECT bytes FROM blobs WHERE vault = $1 AND hash = $2 AND part = $3",
        [this.#vault, hash, part],
      );
      if (!(row?.["bytes"] instanceof Uint8Array)) return;
      yield decompress(row["bytes"]);
    }
  }

  /** The first bytes, at most `most` of them; null when they are not stored. */
  async read(hash: string, most = Number.POSITIVE_INFINITY): Promise<Buffer | null> {
    const parts: Buffer[] = [];
    let length = 0;
    for await (const part of this.parts(hash)) {
      parts.push(part);
      length += part.length;
      if (length >= most) break;
    }
    if (parts.length === 0) return null;
    const bytes = parts.length === 1 ? (parts[0] ?? Buffer.alloc(0)) : Buffer.concat(parts);
    return bytes.length > most ? bytes.subarray(0, most) : bytes;
  }

  /**
   * Removes what nothing needs any more.
   * @param hash only this one
   */
  async removeUnused(hash: string | null = null): Promise<void> {
    await this.#database.execute(
      `DELETE FROM blobs b WHERE b.vault = $1 AND ($2::text IS NULL OR b.hash = $2) AND ${UNUSED}`,
      [this.#vault, hash],
    );
  }
}
