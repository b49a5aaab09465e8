import { readFile } from "node:fs/promises";
import path from "node:path";

import { errnoOf } from "../../errors.ts";

/** A file of the page. Browsers may cache it: its name changes with its content. */
export interface PageAsset {
  readonly mimeType: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** What the build makes; other files are not served. */
const MIME_TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** Where the build puts the page: as far above the sources as above what is built from them. */
export const PAGE_FOLDER = path.join(import.meta.dirname, "..", "..", "..", "dist", "web");

/** The built page. Its files are read at each request, so that a new build is served without a restart. */
export class PageFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The document of every view; null when the page was not built. */
  async index(): Promise<string | null> {
    return (await this.#read("index.html"))?.toString("utf8") ?? null;
  }

  /** @param name of a file in the folder `assets`; null when there is none */
  async asset(name: string): Promise<PageAsset | null> {
    const mimeType = MIME_TYPES[path.extname(name)];
    // A name and nothing else: no separator, no dot in front.
    if (mimeType === undefined || !/^[\w-][\w.-]*$/u.test(name)) return null;
    const bytes = await this.#read(path.join("assets", name));
    return bytes === null ? null : { mimeType, bytes: new Uint8Array(bytes) };
  }

  async #read(name: string): Promise<Buffer | null> {
    try {
      return await readFile(path.join(this.#folder, name));
    } catch (error) {
      if (errnoOf(error) === "ENOENT") return null;
      throw error;
    }
  }
}
