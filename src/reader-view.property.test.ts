import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { expect, it, onTestFinished, vi } from "vitest";

import { createService, type Service } from "./compose.ts";
import { deepSettings } from "./settings.ts";
import { createApp } from "./server/api/app.ts";
import { EventFeed } from "./server/api/event-feed.ts";
import { appTransport } from "./server/client/transport.ts";
import { VaultClient } from "./server/client/vault-client.ts";
import { createMcpServer, type McpProfile } from "./server/mcp/mcp-server.ts";
import { startEmbeddingServer, type EmbeddingServer } from "./testing/models/embedding-server.ts";
import {
  scriptedSettings,
  startScriptedModel,
  type ScriptedCall,
  type ScriptedModel,
} from "./testing/models/scripted-model.ts";
import { Random } from "./testing/random.ts";
import { temporaryFolder } from "./testing/temporary-vault.ts";

/*
 * No word of what is private reaches a model, an AI client or an embedding server: random vaults whose private names and notes hold marked words,
 * and random calls through every door that leads to a model.
 */

const PUBLIC_WORDS = ["kiln", "boat", "roof", "garden", "train", "cellar", "bread", "lamp"];
const STEPS = 30;
/** What only the instructions of a tidying run say. */
const TIDYING = "A program looked through it";

/** A vault with marked words, and what a person does to it. */
class MarkedVault {
  readonly root: string;
  readonly random: Random;
  /** Words that stand only in what is private. */
  readonly marks: string[] = [];
  /** Private notes and what the person wrote into each; public ones may be changed by anybody. */
  readonly hidden = new Map<string, string>();
  readonly open: string[] = [];

  constructor(root: string, random: Random) {
    this.root = root;
    this.random = random;
  }

  word(): string {
    return this.random.pick(PUBLIC_WORDS) ?? "kiln";
  }

  mark(): string {
    const letters = Array.from({ length: 9 }, () =>
      String.fromCharCode(97 + this.random.below(26)),
    );
    const mark = `zq${letters.join("")}`;
    this.marks.push(mark);
    return mark;
  }

  write(file: string, text: string): void {
    const place = path.join(this.root, file);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, text);
  }

  publicNote(file: string): void {
    const links = this.open.length === 0 ? "" : ` See [[${this.random.pick(this.open)}]].`;
    this.write(file, `# ${this.word()}\n\nThe ${this.word()} and the ${this.word()}.${links}\n`);
    this.open.push(file);
  }

  /** In a private folder, or marked by itself. */
  privateNote(file: string, isMarkedItself: boolean): void {
    const own = isMarkedItself
      ? this.random.pick(["private: true\n", "tags: [x]\nprivate: yes\n"])
      : "";
    const other = this.random.pick(this.open) ?? "a";
    const front = `---\n${own}aliases: [${this.mark()}]\ntags: [${this.mark()}]\n---\n`;
    const body = `# ${this.mark()} ${this.word()}\n\nThe ${this.word()} is ${this.mark()}.\n\nReplaces: [[${other.replace(/\.md$/u, "")}]] (${this.mark()})\n`;
    this.write(file, front + body);
    this.hidden.set(file, front + body);
  }

  /** Between other steps, the person writes, marks and removes. */
  async act(service: Service): Promise<void> {
    const { random } = this;
    const kind = random.below(5);
    if (kind === 0) this.privateNote(`${this.word()}/${this.mark()}.md`, true);
    if (kind === 1) this.privateNote(`journal/${this.mark()}.md`, false);
    if (kind === 2) this.publicNote(`${this.word()}/${this.word()}-${random.below(99)}.md`);
    if (kind === 3) {
      // Public until now; what is secret in it comes with the mark.
      const file = `${this.word()}/later-${random.below(999)}.md`;
      this.write(file, `The ${this.word()}.\n`);
      await service.rescan();
      this.privateNote(file, true);
    }
    if (kind === 4) {
      const gone = random.pick([...this.hidden.keys()]);
      if (gone === undefined) return;
      rmSync(path.join(this.root, gone));
      this.hidden.delete(gone);
    }
    await service.rescan();
  }

  /** A path that somebody may try: of a public note, a folder, or nearly that of a private one. */
  place(): string {
    const guess = this.random.pick([...this.hidden.keys()]) ?? "journal/x.md";
    return `vault/${this.random.pick([
      this.random.pick(this.open) ?? "a.md",
      this.word(),
      "",
      "journal",
      "tree.md",
      `${guess.slice(0, -6)}.md`,
      `${this.word()}/new-${this.random.below(999)}.md`,
      `journal/new-${this.random.below(999)}.md`,
    ])}`;
  }

  /** A call of a tool, without a whole marked word in it. */
  call(profile: "update" | "search"): ScriptedCall {
    const { random } = this;
    const begun = (random.pick(this.marks) ?? "zqx").slice(0, -1);
    const looking: ScriptedCall[] = [
      { name: "tree", args: { path: this.place(), depth: random.below(4) } },
      { name: "read", args: { paths: [this.place(), this.place()] } },
      { name: "read", args: { paths: this.place(), folded: true } },
      {
        name: "search",
        args: {
          queries: [this.word(), random.pick([begun, this.word(), "tag:", "private:true"])],
          mode: random.pick(["fast", "deep"]),
          limit: 1 + random.below(20),
        },
      },
    ];
    const concat = [{ name: "concat", args: { files: [this.place(), this.place()] } }];
    const writing: ScriptedCall[] = [
      { name: "append", args: { path: this.place(), content: "More.", position: "bottom" } },
      { name: "write", args: { path: this.place(), content: "# New\n" } },
      { name: "edit", args: { path: this.place(), old: "The", new: "A" } },
      { name: "move", args: { from: this.place(), to: this.place() } },
      { name: "move", args: { from: this.place(), to: `vault/moved-${random.below(999)}/x` } },
      { name: "delete", args: { path: this.place() } },
      { name: "delete", args: { path: `vault/${this.word()}/` } },
      { name: "move", args: { from: `vault/${this.word()}/`, to: `vault/m${random.below(99)}/` } },
    ];
    const all = [...looking, ...looking, ...(profile === "update" ? writing : concat)];
    return random.pick(all) ?? { name: "tree", args: {} };
  }
}

interface Doors {
  readonly service: Service;
  readonly model: ScriptedModel;
  readonly embeddings: EmbeddingServer;
  readonly clients: ReadonlyMap<McpProfile, Client>;
  /** Everything that was sent to AI clients, answers and notifications. */
  readonly sent: string[];
}

async function open(vault: MarkedVault, state: string): Promise<Doors> {
  const model = await startScriptedModel("openai", ({ toolChoice, body }) => {
    const isOver = toolChoice === "none" || vault.random.isChance(0.3);
    const profile = body.includes('"name":"concat"') ? "search" : "update";
    return isOver ? { text: "I looked at it, and that is all." } : { calls: [vault.call(profile)] };
  });
  onTestFinished(() => model.close());
  const embeddings = await startEmbeddingServer();
  const environment = { COFFRE_EMBED_URL: embeddings.url, COFFRE_EMBED_MODEL: "toy" };
  const onBug = (error: unknown): void => {
    throw error;
  };
  const service = await createService({
    root: vault.root,
    state,
    frontmatter: "none",
    quiet: 1,
    deep: deepSettings(state, environment),
    memory: {
      model: scriptedSettings(model, "openai"),
      onBug,
      retries: { attempts: 1, firstWait: 1 },
    },
  });
  onTestFinished(async () => service.close());
  await service.privates.add("journal", service.vault);
  const events = new EventFeed({ service });
  onTestFinished(() => events.close());
  const now = (): Date => new Date();
  const { memory } = service;
  const app = createApp({ service, memory, events, now, onBug, version: "1.2.3" });
  const sent: string[] = [];
  const clients = new Map<McpProfile, Client>();
  for (const profile of ["update", "search", "memory"] as const) {
    const client = new VaultClient(appTransport(app), { reader: "model" });
    const server = createMcpServer({
      profile,
      version: "1",
      vault: client,
      now,
      onBug,
      tells: "everything",
    });
    const [one, other] = InMemoryTransport.createLinkedPair();
    const send = one.send.bind(one);
    one.send = async (message, options) => {
      sent.push(JSON.stringify(message));
      return send(message, options);
    };
    await server.connect(one);
    const connected = new Client({ name: `tester ${profile}`, version: "1" });
    await connected.connect(other);
    onTestFinished(async () => connected.close());
    clients.set(profile, connected);
  }
  return { service, model, embeddings, clients, sent };
}

/** The vault is looked through, as a daily run does it by itself, and the model words what is found. */
async function tidy({ service }: Doors): Promise<void> {
  const run = { isDaily: false, signal: new AbortController().signal, onEvent: () => {} };
  await service.memory?.tidy.run(run);
}

/** One thing that an AI client asks. What is refused is refused; only what comes back matters. */
async function ask(vault: MarkedVault, { clients }: Doors): Promise<void> {
  const { random } = vault;
  const profile =
    random.pick(["update", "update", "search", "search", "memory"] as const) ?? "update";
  const client = clients.get(profile);
  if (client === undefined) return;
  const quietly = async (work: Promise<unknown>): Promise<void> => {
    await work.catch(() => {});
  };
  if (profile === "memory") {
    const name = random.pick(["recall", "remember", "inbox", "undo", "verify"]) ?? "inbox";
    const args = {
      recall: { question: `What about the ${vault.word()} and ${vault.word()}?` },
      remember: { content: `The ${vault.word()} is done.`, said_by_person: true, wait: true },
      inbox: {},
      undo: { id: "m" },
      verify: { answer: `[1] ${vault.place()}:1-3 · sha256:${"0".repeat(64)}` },
    }[name];
    await quietly(client.callTool({ name, arguments: args ?? {} }));
    return;
  }
  const kind = random.below(8);
  if (kind === 0) await quietly(client.listResources());
  else if (kind === 1) {
    const uri = `vault:///${vault.place().slice("vault/".length)}`;
    await quietly(client.readResource({ uri }));
    await quietly(client.subscribeResource({ uri }));
  } else if (kind === 2) {
    const ref = { type: "ref/resource", uri: "vault:///{+path}" } as const;
    const value = random.pick(["", "jour", "journal/", `${vault.word()}/`, "zq"]) ?? "";
    await quietly(client.complete({ ref, argument: { name: "path", value } }));
  } else if (kind === 3) {
    const { prompts } = await client.listPrompts();
    const name = prompts[0]?.name ?? "";
    await quietly(client.getPrompt({ name, arguments: {} }));
  } else {
    const { name, args } = vault.call(profile);
    await quietly(
      client.callTool({ name, arguments: Object.fromEntries(Object.entries(args ?? {})) }),
    );
  }
}

function leaks(vault: MarkedVault, texts: readonly string[]): string[] {
  return texts.filter((text) => {
    const lower = text.toLowerCase();
    return vault.marks.some((mark) => lower.includes(mark));
  });
}

it.each([1, 2, 3, 4, 5, 6])(
  "nothing private leaves, with seed %i",
  { timeout: 120_000 },
  async (seed) => {
    const folder = temporaryFolder();
    const [root, state] = [path.join(folder, "notes"), path.join(folder, "state")];
    mkdirSync(path.join(root, "journal"), { recursive: true });
    const vault = new MarkedVault(root, new Random(seed));
    vault.write("overview.md", "# Overview\n\nThe kiln will be lit on 2020-01-02.\n");
    vault.write("projects/boat/state.md", "# Boat\n\nIt will sail on 2020-03-04.\n");
    for (let at = 0; at < 12; at += 1) vault.publicNote(`${vault.word()}/${vault.word()}-${at}.md`);
    for (let at = 0; at < 5; at += 1) vault.privateNote(`journal/${vault.mark()}/${at}.md`, false);
    for (let at = 0; at < 5; at += 1) vault.privateNote(`${vault.word()}/${vault.mark()}.md`, true);
    const doors = await open(vault, state);
    await doors.service.settled();
    for (let step = 0; step < STEPS; step += 1) {
      if (step % 4 === 3) await vault.act(doors.service);
      await ask(vault, doors);
      if (step % 10 === 4) await tidy(doors);
    }
    await doors.service.settled();
    await vi.waitFor(
      async () => {
        expect((await doors.service.status()).deep).toMatchObject({ state: "ready", pending: 0 });
      },
      { timeout: 60_000, interval: 50 },
    );
    const { requests } = doors.model;
    expect(leaks(vault, doors.sent)).toEqual([]);
    expect(
      leaks(
        vault,
        requests.map(({ body }) => body),
      ),
    ).toEqual([]);
    expect(leaks(vault, doors.embeddings.texts)).toEqual([]);
    expect(requests.some(({ body }) => body.includes(TIDYING))).toBe(true);
    // The calls were answered, and the test saw what a leak would be.
    expect(doors.sent.length).toBeGreaterThan(STEPS / 2);
    expect(doors.embeddings.texts.length).toBeGreaterThan(0);
    const words = [...vault.hidden.keys()].join(" ");
    expect(leaks(vault, [words])).toHaveLength(1);
    // No call of theirs changed, moved or removed what they cannot see.
    for (const [file, text] of vault.hidden)
      expect(readFileSync(path.join(root, file), "utf8"), file).toBe(text);
  },
);
