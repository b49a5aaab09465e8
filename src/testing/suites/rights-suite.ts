import { expect, it } from "vitest";

import type { IndexReader } from "../../index/search-index.ts";
import { personView, type PersonView } from "../../team/rights/person-view.ts";
import { Rights, type Grant, type Role } from "../../team/rights/rights.ts";
import { callTool } from "../../tools/call.ts";
import { createSession, type Session } from "../../tools/session.ts";
import type { Change } from "../../vault/history/history-types.ts";
import { isUnder } from "../../vault/paths.ts";
import type { Vault } from "../../vault/vault.ts";
import { Random } from "../random.ts";
import { create, move, remove, undo as undoChange, update } from "./changes.ts";

/** A vault with its index, and what differs when anything in it differs. */
export interface RightsHome {
  readonly vault: Vault;
  readonly index: IndexReader;
  readonly version: () => Promise<string>;
}

const WORDS = ["kiln", "boat", "roof", "garden", "train", "cellar", "bread", "lamp"];
const FOLDERS = ["hr", "hr/open", "work", "work/pay", "work/pay/old", "boat"];
const STEPS = 60;

/** What one reader may not see has marked words in its names and texts. */
class MarkedTeam {
  readonly random: Random;
  /** Folders that others made, under the names that they have by now. */
  readonly folders: string[] = [...FOLDERS];
  #grants: readonly Grant[];
  #rights: Rights;
  readonly marks: string[] = [];
  readonly hidden = new Map<string, string>();
  readonly seen = new Map<string, string>();

  constructor(seed: number) {
    this.random = new Random(seed);
    const roles: readonly Role[] = ["none", "viewer", "editor"];
    const grants: Grant[] = [{ folder: "", role: this.random.pick(roles) ?? "viewer" }];
    for (const folder of FOLDERS)
      if (this.random.isChance(0.6))
        grants.push({ folder, role: this.random.pick(roles) ?? "none" });
    this.#grants = grants;
    this.#rights = new Rights(grants);
    for (let at = 0; at < 40; at += 1) this.note();
  }

  get rights(): Rights {
    return this.#rights;
  }

  /** A folder with a role of its own, which goes with it: nothing in it is seen by others for a move. */
  folder(): Grant | undefined {
    return this.random.pick(this.#grants.filter(({ folder }) => this.folders.includes(folder)));
  }

  /** What is under a folder is under another now, and the roles there with it. */
  move(from: string, to: string): void {
    const moved = (path: string): string =>
      isUnder(path, from) ? to + path.slice(from.length) : path;
    for (const notes of [this.seen, this.hidden])
      for (const [path, text] of Array.from(notes)) {
        notes.delete(path);
        notes.set(moved(path), text);
      }
    this.folders.splice(0, Infinity, ...this.folders.map(moved));
    this.#grants = this.#grants.map(({ folder, role }) => ({ folder: moved(folder), role }));
    this.#rights = new Rights(this.#grants);
  }

  word(): string {
    return this.random.pick(WORDS) ?? "kiln";
  }

  mark(): string {
    const letter = (): string => String.fromCharCode(97 + this.random.below(26));
    const mark = `zq${Array.from({ length: 9 }, letter).join("")}`;
    this.marks.push(mark);
    return mark;
  }

  /** A new note, marked where the reader may not see it. Names are the same here and there, so that links could mean either. */
  note(): readonly [path: string, text: string] {
    const folder = this.random.pick(["", ...FOLDERS]) ?? "";
    const unmarked = `${folder === "" ? "" : `${folder}/`}${this.word()}-${this.random.below(20)}.md`;
    if (this.rights.mayRead(unmarked)) {
      const text = this.text(this.word(), this.word());
      this.seen.set(unmarked, text);
      return [unmarked, text];
    }
    const isNamed = this.random.isChance(0.5);
    const path = isNamed ? unmarked.replace(/(\w+-\d+)\.md$/u, `$1/${this.mark()}.md`) : unmarked;
    const front = `---\naliases: [${this.mark()}]\ntags: [${this.mark()}]\n---\n`;
    const text = front + this.text(this.mark(), `${this.word()} ${this.word()} ${this.mark()}`);
    this.hidden.set(path, text);
    return [path, text];
  }

  text(title: string, words: string): string {
    const other = `${this.word()}-${this.random.below(20)}`;
    const replaces = this.random.isChance(0.3) ? `\nReplaces: [[${other}]] (${title})\n` : "";
    return `# ${title}\n\nThe ${words} and the ${this.word()}. See [[${other}]].\n${replaces}`;
  }

  place(): string {
    const known = [...this.seen.keys()];
    const guess = this.random.pick([...this.hidden.keys()]) ?? "hr/x.md";
    const places = [
      this.random.pick(known),
      this.random.pick(known),
      this.random.pick(this.folders),
    ];
    const others = [
      "",
      "tree.md",
      `${guess.slice(0, -5)}.md`,
      `${this.random.pick(FOLDERS)}/new.md`,
    ];
    return `vault/${this.random.pick([...places, ...others]) ?? ""}`;
  }

  call(): { readonly name: string; readonly args: object } {
    const { random } = this;
    const begun = (random.pick(this.marks) ?? "zqx").slice(0, -1);
    const query = random.pick([
      begun,
      this.word(),
      `${this.word()} ${this.word()}`,
      "kilm",
      "tag:a",
    ]);
    const calls = [
      { name: "tree", args: { path: this.place(), depth: random.below(4) } },
      { name: "read", args: { paths: [this.place(), this.place()] } },
      { name: "search", args: { queries: [query, this.word()], limit: 1 + random.below(20) } },
      { name: "search", args: { queries: [this.word()], limit: 3 } },
      { name: "concat", args: { files: [this.place(), this.place()] } },
      { name: "append", args: { path: this.place(), content: "More.", position: "bottom" } },
      { name: "write", args: { path: this.place(), content: "# New\n\nThe lamp.\n" } },
      { name: "edit", args: { path: this.place(), old: "The", new: "A" } },
      { name: "move", args: { from: this.place(), to: this.place() } },
      { name: "move", args: { from: this.place(), to: `vault/m${random.below(99)}/x.md` } },
      { name: "delete", args: { path: this.place() } },
    ];
    return random.pick(calls) ?? { name: "tree", args: {} };
  }

  leaksIn(text: string): string[] {
    const lower = text.toLowerCase();
    return this.marks.filter((mark) => lower.includes(mark));
  }
}

/** One reader of one vault, and all that came back to them. */
class Reader {
  readonly #home: RightsHome;
  #view: PersonView;
  readonly #session: Session = createSession("reader");
  readonly events: string[] = [];
  #unfollow = (): void => {};

  constructor(home: RightsHome, rights: Rights) {
    this.#home = home;
    this.#view = this.#open(rights);
  }

  get view(): PersonView {
    return this.#view;
  }

  #open(rights: Rights): PersonView {
    const view = personView({ ...this.#home, rights });
    this.#unfollow = view.vault.onChange((change) =>
      this.events.push(JSON.stringify(placesOf(change))),
    );
    return view;
  }

  /** As it is asked at every call: with the rights of now. */
  async may(rights: Rights): Promise<void> {
    this.#unfollow();
    await this.#view.close();
    this.#view = this.#open(rights);
  }

  async call(name: string, args: object): Promise<unknown> {
    const { vault, index } = this.view;
    const common = { vault, index, session: this.#session, now: () => new Date() };
    const onBug = (error: unknown): void => {
      throw error;
    };
    return name === "concat"
      ? callTool(name, args, { ...common, profile: "search" }, { onBug })
      : callTool(name, args, { ...common, profile: "update", batch: null }, { onBug });
  }

  /** Everything that can be read without a tool. */
  async looks(paths: readonly string[], word: string): Promise<unknown[]> {
    const { vault, index } = this.view;
    const { links, places } = index;
    const log = await vault.log({ path: null, limit: 50 });
    const looked: unknown[] = [
      log.map(({ call, changes }) => [call, changes.map(placesOf)]),
      await links.dead(),
      await links.aliases(),
      await places.find(word, 20),
      await places.values(null, "", 20),
      await places.values("tag", "", 20),
      await index.completions("ta", 20),
      await index.tags(),
      await index.replacements.stated(),
      { ...(await index.stats()), bytes: 0, engine: "" },
      [...(await Array.fromAsync(vault.walk("")))].map(({ path }) => path),
    ];
    const root = await vault.shape("");
    looked.push(root.kind === "folder" ? [root.files, root.tokens] : root.kind);
    for (const path of paths)
      looked.push([await links.from(path), await links.to(path), await this.text(path)]);
    looked.push(await this.text("tree.md"));
    return looked;
  }

  async text(path: string): Promise<unknown> {
    try {
      const file = await this.view.vault.openText(path);
      return file.totalLines === 0 ? [] : file.range(1, file.totalLines).lines;
    } catch (error) {
      return error instanceof Error ? error.message : error;
    }
  }
}

function placesOf(change: Change): readonly string[] {
  return change.kind === "move" ? [change.path, change.to] : [change.path];
}

/** Without what no two changes share: ids and times. */
function plain(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll(/History: \w+/gu, "History: ID")
    .replaceAll(/"(history|signature|version)":"[^"]*"/gu, '"$1":"ID"')
    .replaceAll(/\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?/gu, "TIME");
}

/**
 * Nothing outside one's rights comes back, and nothing differs by what is there: every answer is that of a vault which has only what the reader may
 * see, with the same rights.
 */
export function rightsSuite(
  open: (files: Readonly<Record<string, string>>) => Promise<RightsHome>,
  seeds: readonly number[],
): void {
  it.each(seeds)(
    "shows nothing of what is hidden, with seed %i",
    { timeout: 300_000 },
    async (seed) => {
      const team = new MarkedTeam(seed);
      const visible = Object.fromEntries(team.seen);
      const whole = await open({ ...Object.fromEntries(team.hidden), ...visible });
      const other = await open(visible);
      const [reader, twin] = [new Reader(whole, team.rights), new Reader(other, team.rights)];
      let answers = 0;
      const compare = async (
        what: string,
        ask: (each: Reader) => Promise<unknown>,
      ): Promise<void> => {
        const [answer, expected] = [await ask(reader), await ask(twin)];
        const leaks = team.leaksIn(JSON.stringify(answer));
        expect({ what, leaks, answer: plain(answer) }).toEqual({
          what,
          leaks: [],
          answer: plain(expected),
        });
        answers += 1;
      };
      for (let step = 0; step < STEPS; step += 1) {
        if (step % 5 === 4) await act(team, whole.vault, other.vault);
        if (step % 5 === 1) {
          await actOnFolder(team, whole.vault, other.vault);
          for (const each of [reader, twin]) await each.may(team.rights);
        }
        const { name, args } = team.call();
        await compare(`${name} ${JSON.stringify(args)}`, async (each) => each.call(name, args));
        if (step % 6 !== 5) continue;
        const paths = [...team.seen.keys()].slice(0, 3);
        const word = team.word();
        await compare("looks", async (each) => each.looks(paths, word));
        const back = step % 12 === 5 ? 0 : team.random.below(12);
        await compare(`undo of change ${back}`, async (each) => {
          const log = await each.view.vault.log({ path: null, limit: back + 1 });
          return undo(each, log.at(-1)?.id ?? "x");
        });
      }
      expect(reader.events).toEqual(twin.events);
      expect(answers).toBeGreaterThan(STEPS);
      const entries = await whole.vault.log({ path: null, limit: 1000 });
      const hidden = entries.filter(({ changes }) =>
        changes.some(
          (change) =>
            !team.rights.mayRead(change.path) || team.leaksIn(JSON.stringify(change)).length > 0,
        ),
      );
      for (const { id } of hidden) expect(await undo(reader, id)).toContain("No change has the id");
      // No call of theirs changed what they cannot see.
      for (const [path, text] of team.hidden) {
        const file = await whole.vault.openText(path);
        const found = `${file.range(1, file.totalLines).lines.join("\n")}\n`;
        expect({ path, found }).toEqual({ path, found: text });
      }
      await Promise.all([reader.view.close(), twin.view.close()]);
    },
  );
}

async function undo({ view }: Reader, id: string): Promise<string> {
  try {
    const { changes, skipped } = await view.vault.undo(id, { actor: "reader", force: false });
    return JSON.stringify([changes.map(placesOf), skipped]);
  } catch (error) {
    return error instanceof Error ? error.message.replaceAll(id, "ID") : String(error);
  }
}

/** Somebody else writes: what the reader sees into both vaults, the rest into one. */
async function act(team: MarkedTeam, whole: Vault, other: Vault): Promise<void> {
  const [path, text] = team.note();
  const vaults = team.rights.mayRead(path) ? [whole, other] : [whole];
  for (const vault of vaults) {
    const found = await vault.find(path);
    if (found.kind === "missing") await create(vault, path, text);
    else await update(vault, path, text);
  }
  const gone = team.random.pick([...team.hidden.keys()]);
  if (gone === undefined || team.random.isChance(0.5)) return;
  await remove(whole, gone);
  team.hidden.delete(gone);
}

/** Somebody else who sees all deletes or moves a folder, or brings a hidden one back that was deleted. */
async function actOnFolder(team: MarkedTeam, whole: Vault, other: Vault): Promise<void> {
  const { random } = team;
  const folder = team.folder()?.folder;
  if (folder === undefined) return;
  const isHidden = !team.rights.mayPass(folder);
  const vaults = isHidden ? [whole] : [whole, other];
  for (const vault of vaults) if ((await vault.find(folder)).kind !== "folder") return;
  const under = (notes: ReadonlyMap<string, string>): string[] =>
    [...notes.keys()].filter((path) => isUnder(path, folder));
  if (random.isChance(0.5)) {
    // Beside where it was: a folder that is made for it could be seen by others.
    const to = `${folder}-${random.below(1000)}`;
    for (const vault of vaults) await move(vault, folder, to);
    team.move(folder, to);
    return;
  }
  // A folder with something hidden in it is deleted by nobody: in the other vault, it would be another one.
  if (!isHidden && team.rights.hidesUnder(folder)) return;
  const notes = under(team.hidden).map((path) => [path, team.hidden.get(path) ?? ""] as const);
  for (const vault of vaults) {
    const id = await remove(vault, folder);
    if (isHidden && random.isChance(0.5)) await undoChange(vault, id);
    else for (const [path] of notes) team.hidden.delete(path);
  }
}
