import { execFileSync } from "node:child_process";
import { chmodSync, linkSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";

import { Random } from "../../src/testing/random.ts";
import { foreignNote } from "./foreign-note.ts";

const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=",
  "base64",
);

/** In every file that no answer may show; all of them hold the word walrus too. */
export const HIDDEN_MARK = "d7f3a-not-for-you";

/** What lies around the notes. `private/` is hidden; `node_modules/` and `site/public/` are in no list. */
const AROUND: Readonly<Record<string, string | Buffer>> = {
  "tree.md": "# Trees\n\nThe oak is 200 years old.\n",
  "README.md": "Notes of many years.\n",
  ".gitignore": "site/public/\n*.log\n",
  ".coffreignore": "private/\n",
  "private/diary.md": `Nobody reads the walrus page. ${HIDDEN_MARK}\n`,
  "private/keys/list.md": `walrus walrus ${HIDDEN_MARK}\n`,
  "node_modules/left-pad/README.md": "# left-pad walrus\n",
  "site/public/index.md": "generated walrus\n",
  "site/hugo.toml": 'baseURL = "https://example.org"\n',
  "blog/_config.yml": "title: blog\n",
  "graph/logseq/config.edn": "{:meta/version 1}\n",
  "graph/logseq/bak/old.md": "- an old bullet\n",
  "Vault/.obsidian/app.json": '{"alwaysUpdateLinks": true}\n',
  "Vault/.obsidian/workspace.json": "{}\n",
  "Vault/.trash/gone.md": `thrown away walrus ${HIDDEN_MARK}\n`,
  "Vault/Board.canvas": '{"nodes":[{"id":"1","type":"text","text":"a card"}],"edges":[]}',
  "Vault/Table.base": "views:\n  - type: table\n",
  "Vault/Drawing.excalidraw.md": "---\nexcalidraw-plugin: parsed\n---\n%%\n```json\n{}\n```\n%%\n",
  "Vault/Template.md": "---\ncreated: <% tp.file.creation_date() %>\ntokens: {{tokens}}\n---\n",
  ...Object.fromEntries([0, 1, 2, 3, 4].map((at) => [`Vault/picture ${at}.png`, PICTURE])),
  "scan.pdf": "%PDF-1.4 not really",
  "plain/long line.md": `${"word ".repeat(20_000)}\n`,
};

export interface ForeignOptions {
  readonly notes: number;
  readonly seed: number;
}

/** Fills a folder as other programs would have over the years, the same for the same seed. Everything is committed to git. */
export function makeForeignVault(root: string, { notes, seed }: ForeignOptions): void {
  const random = new Random(seed);
  const put = (name: string, bytes: string | Buffer, mode = 0o644): void => {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, bytes);
    const time = Date.UTC(2015 + random.below(10), random.below(12), 1 + random.below(28)) / 1000;
    utimesSync(file, time, time + random.below(86_400) + 0.25);
    chmodSync(file, mode);
  };
  for (const [name, bytes] of Object.entries(AROUND)) put(name, bytes);
  for (let at = 0; at < notes; at += 1) {
    const { path: name, bytes, mode } = foreignNote(at, random);
    put(name, bytes, mode);
  }
  const outside = path.join(path.dirname(root), `${path.basename(root)}-outside.md`);
  writeFileSync(outside, "not in the vault\n");
  symlinkSync("../README.md", path.join(root, "plain", "link to readme.md"));
  symlinkSync(outside, path.join(root, "plain", "link out.md"));
  symlinkSync("nowhere.md", path.join(root, "plain", "link to nothing.md"));
  symlinkSync("../Vault", path.join(root, "plain", "link to folder"));
  symlinkSync("../private/diary.md", path.join(root, "plain", "link to hidden.md"));
  linkSync(path.join(root, "README.md"), path.join(root, "plain", "hard link.md"));
  git(root, "init", "--quiet");
  git(root, "config", "core.autocrlf", "false");
  git(root, "add", "--force", "--all");
  git(root, "commit", "--quiet", "--message", "as it was");
}

/** What git says has changed since; empty when nothing did. */
export function gitStatus(root: string): string {
  return git(root, "status", "--porcelain", "--ignored", "--untracked-files=all");
}

function git(root: string, ...args: readonly string[]): string {
  const who = ["-c", "user.name=Person", "-c", "user.email=person@example.org"];
  return execFileSync("git", ["-C", root, ...who, ...args], { encoding: "utf8" });
}
