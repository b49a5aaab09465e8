import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

import { splitFrontmatter } from "../../src/vault/files/frontmatter.ts";
import { TEMPORARY_PREFIX } from "../../src/vault/write/open-folder.ts";
import type { Random } from "../../src/testing/random.ts";
import type { Call } from "../mcp/call.ts";
import { FILES } from "../mcp/calls.ts";
import { CHANGING } from "../mcp/changing-calls.ts";
import type { Answer, ServiceClient } from "../model/service-client.ts";
import { differences, type Texts } from "../model/vault-model.ts";

/** The folders and files at the top of the vault that the scenarios are about; what is anywhere else is not theirs. */
const TOPS = ["archive", "bucket", "changelog.md", "inbox", "new", "projects", "tasks.md"];

const OURS = /^(?:created|updated|tokens):.*\n?/gmu;

/** Whether a path belongs to the scenarios. */
export function isOfScene(name: string): boolean {
  return TOPS.includes(name.split("/")[0] ?? "");
}

/** What a scenario comes to where nothing fails. */
interface Outcome {
  readonly isRefused: boolean;
  readonly after: Texts;
}

/** The tools' own scenarios that change something, each on the files that it was written for. */
export class Scenes {
  readonly #root: string;
  readonly #outcomes = new Map<Call, Outcome>();

  constructor(root: string) {
    this.#root = root;
  }

  /** One of them; calls that only look are made elsewhere. */
  pick(random: Random): Call | undefined {
    return random.pick(CHANGING.filter(({ tool }) => tool !== "read" && tool !== "search"));
  }

  /** Writes the files as the scenarios expect them, and removes what they made. */
  put(): void {
    // Moved first: while it is removed, the job may make a file in it.
    const removed = path.join(this.#root, "../removed");
    rmSync(removed, { recursive: true, force: true });
    mkdirSync(removed);
    for (const top of TOPS) {
      const place = path.join(this.#root, top);
      if (existsSync(place)) renameSync(place, path.join(removed, top));
    }
    for (const [name, content] of Object.entries(FILES)) {
      if (!isOfScene(name)) continue;
      const file = path.join(this.#root, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, content);
    }
  }

  /** Puts the files back, as another program would, and has what they expect to have been read read. */
  async set(service: ServiceClient): Promise<void> {
    this.put();
    await service.ask({ kind: "settle", isThorough: true });
    for (const { tool, args } of CHANGING) if (tool === "read") await service.call(tool, args);
  }

  /** How a scenario ends where nothing fails, found out once. The files must be {@link set}, and are so again. */
  async outcome(call: Call, service: ServiceClient): Promise<Outcome> {
    const known = this.#outcomes.get(call);
    if (known !== undefined) return known;
    const { isError } = await service.call(call.tool, call.args);
    const found = { isRefused: isError, after: this.texts() };
    this.#outcomes.set(call, found);
    await this.set(service);
    return found;
  }

  /** What is in the files of the scenarios: of frontmatter, all but what the background job writes. */
  texts(): Map<string, string> {
    const entries = readdirSync(this.#root, { recursive: true, withFileTypes: true });
    const texts = new Map<string, string>();
    for (const entry of entries) {
      const place = path.join(entry.parentPath, entry.name);
      const name = path.relative(this.#root, place).normalize("NFC");
      const isUnderWay = entry.name.startsWith(TEMPORARY_PREFIX);
      if (entry.isFile() && !isUnderWay && isOfScene(name))
        texts.set(name, textOf(readFileSync(place, "latin1")));
    }
    return texts;
  }
}

/** A byte-order mark, read as Latin-1. */
const MARK = /^\u00EF\u00BB\u00BF/u;

/** Bytes that are no text stay apart from each other too. */
function textOf(content: string): string {
  const { block, body } = splitFrontmatter(content.replace(MARK, ""));
  const own = (block?.yaml ?? "").replaceAll(OURS, "");
  return `${own}\n${body.replace(/^(?:\r?\n)+/u, "")}`;
}

/** What is wrong after a scenario that met a fault: it was done, as it is where nothing fails, or refused with nothing changed. */
export function wrongAfter(
  { isError, text }: Pick<Answer, "isError" | "text">,
  found: Texts,
  expected: { readonly before: Texts; readonly outcome: Outcome; readonly isLasting: boolean },
): string[] {
  const { before, outcome, isLasting } = expected;
  if (!isError && outcome.isRefused)
    return [`was done, and is refused where nothing fails: ${text}`];
  // On a disk that goes on failing, what was refused may be there, whole.
  if (isError && isLasting && differences(found, outcome.after).length === 0) return [];
  const wrong = differences(found, isError ? before : outcome.after);
  return wrong.map(
    (each) => `${isError ? "refused" : "done"}, but ${each} (${text.slice(0, 300)})`,
  );
}
