import { readFileSync } from "node:fs";
import path from "node:path";

import { connect } from "../storage/sqlite.ts";
import { isTextBytes } from "../text/utf8.ts";
import { isUnder, parentOf, type VaultPath } from "../vault/paths.ts";
import { filesUnder, readOr } from "./raw-files.ts";
import { databasesIn } from "./state-bytes.ts";

/** What goes on with a name, in a text: `old` goes on in `older`, `old-plans` and `old.md`, and ends in `old/a.md` and at the end of a sentence. */
const GOES_ON = /^(?:[\p{L}\p{M}\p{N}_-]|\.(?=[\p{L}\p{N}]))[\p{L}\p{M}\p{N}_-]*/u;
const LONGEST = 80;

/**
 * Names that begin with a path and are those of other things: `projects/older` beside `projects/old`. What is kept of those stays. A name with
 * a space is known by the files of the vault, any other one also where it is only mentioned.
 */
export class LongerNames {
  readonly #erased: VaultPath;
  readonly #found = new Set<string>();

  constructor(erased: VaultPath) {
    this.#erased = erased;
  }

  get all(): readonly string[] {
    return [...this.#found];
  }

  /** Of another file, and of the folders that it is in. */
  addPath(other: VaultPath): void {
    for (let each = other; each.startsWith(this.#erased); each = parentOf(each))
      if (!isUnder(each, this.#erased)) this.#found.add(each);
  }

  /** All that a text mentions. */
  addText(text: string): void {
    const erased = this.#erased;
    for (let at = text.indexOf(erased); at >= 0; at = text.indexOf(erased, at + 1)) {
      const from = at + erased.length;
      const more = GOES_ON.exec(text.slice(from, from + LONGEST));
      if (more !== null) this.#found.add(erased + more[0]);
    }
  }

  /** All that a state folder mentions, but for the index, which is of the files of the vault. */
  addState(state: string): void {
    for (const file of databasesIn(state))
      if (path.relative(state, file).split(path.sep)[0] !== "index") this.#addDatabase(file);
    for (const { place, name } of filesUnder(state).files) {
      if (name.includes(".sqlite")) continue;
      const bytes = readOr(() => readFileSync(place), name, []);
      if (bytes?.includes(this.#erased) === true && isTextBytes(bytes))
        this.addText(bytes.toString());
    }
  }

  /** By its rows: in its bytes, nothing tells where a value ends. */
  #addDatabase(file: string): void {
    const database = connect(file, { readOnly: true });
    try {
      const columns = database
        .prepare(
          `SELECT tables.name AS held, columns.name AS named FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
             WHERE tables.type = 'table' AND columns.type = 'TEXT' AND tables.sql NOT LIKE 'CREATE VIRTUAL%'`,
        )
        .all();
      for (const { held, named } of columns) {
        const column = `"${String(named)}"`;
        const rows = database
          .prepare(`SELECT ${column} AS value FROM "${String(held)}" WHERE instr(${column}, ?) > 0`)
          .iterate(this.#erased);
        for (const { value } of rows) this.addText(String(value));
      }
    } finally {
      database.close();
    }
  }
}
