/**
 * Run as a process, until it is killed: prints `ready` when all is loaded, waits for an {@link Order} on its input, then opens the
 * vault as a service and calls tools without end. It writes down each call before it makes it, prints a dot, and writes down what
 * came of it.
 */
import { createInterface } from "node:readline";
import { inspect } from "node:util";

import { z } from "zod";

import { createService, type Service } from "../../compose.ts";
import { callTool } from "../../tools/call.ts";
import { createSession } from "../../tools/session.ts";
import { ExpectedError } from "../../errors.ts";
import {
  NO_EFFECT,
  Order,
  reversed,
  StepLog,
  type DocumentState,
  type Effect,
} from "./chaos-log.ts";
import {
  documentText,
  journalLine,
  LARGE,
  nextHead,
  personText,
  readDocument,
} from "./chaos-text.ts";
import { Random } from "../random.ts";

const AREA = "outil";
const FOLDERS = ["a", "b", "été", "a/sous dossier"].map((name) => `${AREA}/${name}`);
const JOURNALS = ["un", "deux", "trois", "gros"].map((name) => `partagé/${name}.md`);
const IDS = Array.from({ length: 9 }, (_, at) => `o${at}`);
const LARGE_ID = "og";

const Reply = z.object({ history: z.string().nullable() });
const Refusal = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

interface Outcome {
  readonly history: string | null;
  /** The error's code; null when it was done. */
  readonly refusal: string | null;
}

/** An agent that never stops: it has the documents of its folder to itself, and shares the journals. */
class Agent {
  readonly #service: Service;
  readonly #order: Order;
  readonly #log: StepLog;
  readonly #random: Random;
  readonly #session = createSession("chaos");
  readonly #documents = new Map<string, DocumentState>();
  /** What it did, for taking back the last. */
  readonly #done: { readonly history: string; readonly effect: Effect }[] = [];
  #bug: string | null = null;
  #next: number;

  constructor(service: Service, order: Order, log: StepLog) {
    this.#service = service;
    this.#order = order;
    this.#log = log;
    this.#random = new Random(order.seed);
    this.#next = order.first;
  }

  /** Learns the documents that are there. Once, before the first act. */
  async lookAround(): Promise<void> {
    const { vault } = this.#service;
    if ((await vault.find(AREA)).kind !== "folder") return;
    for await (const { path } of vault.walk(AREA)) {
      const found = readDocument(await this.#text(path));
      if (found !== null) this.#documents.set(found.id, { ...found, at: path });
    }
  }

  async #text(path: string): Promise<string> {
    const { bytes } = await this.#service.vault.readBytes(path, 10_000_000);
    return personText(bytes.toString("utf8"));
  }

  async act(): Promise<void> {
    const work = this.#random.weighed<() => Promise<void>>([
      [5, () => this.#write()],
      [4, () => this.#edit()],
      [8, () => this.#append()],
      [3, () => this.#move()],
      [1, () => this.#moveFolder()],
      [1, () => this.#moveJournal()],
      [2, () => this.#delete()],
      [1, () => this.#deleteFolder()],
      [4, () => this.#undo()],
    ]);
    await work?.();
  }

  async #write(): Promise<void> {
    const id = this.#random.isChance(0.05) ? LARGE_ID : (this.#random.pick(IDS) ?? "");
    const known = this.#documents.get(id);
    const folder = this.#random.pick(FOLDERS) ?? AREA;
    const at = known?.at ?? `${folder}/${id}.md`;
    const version = this.#number();
    const size = id === LARGE_ID ? LARGE : { lines: this.#random.below(20), width: 40 };
    const content = documentText(id, version, size);
    if (known !== undefined) await this.#read(at);
    await this.#change("write", { path: `vault/${at}`, content }, this.#to(id, { at, version }));
  }

  async #edit(): Promise<void> {
    const known = this.#pickDocument();
    if (known === undefined) return;
    const { id, at } = known;
    const version = this.#number();
    const { old, next } = nextHead(await this.#text(at), version);
    await this.#read(at);
    const args = { path: `vault/${at}`, old_content: old, new_content: next };
    await this.#change("edit", args, this.#to(id, { at, version }));
  }

  async #append(): Promise<void> {
    const path = this.#random.pick(JOURNALS) ?? "";
    const position = this.#random.isChance(0.4) ? "top" : "bottom";
    const writer = `${this.#order.name}-${position}`;
    const number = this.#number();
    const args = { path: `vault/${path}`, content: journalLine(writer, number), position };
    await this.#change("append", args, { ...NO_EFFECT, added: [`${writer}.${number}`] });
  }

  async #move(): Promise<void> {
    const known = this.#pickDocument();
    if (known === undefined) return;
    const to = `${this.#random.pick(FOLDERS)}/${known.id} ${this.#random.below(9)}.md`;
    await this.#change(
      "move",
      { from: `vault/${known.at}`, to: `vault/${to}` },
      this.#to(known.id, { ...known, at: to }),
    );
  }

  async #moveFolder(): Promise<void> {
    const from = this.#random.pick(FOLDERS) ?? "";
    const to = this.#random.pick(FOLDERS) ?? "";
    const { vault } = this.#service;
    if ((await vault.find(from)).kind !== "folder") return;
    if ((await vault.find(to)).kind !== "missing") return;
    const effects = this.#under(from).map((known) =>
      this.#to(known.id, { ...known, at: to + known.at.slice(from.length) }),
    );
    await this.#change("move", { from: `vault/${from}`, to: `vault/${to}` }, joined(effects));
  }

  async #moveJournal(): Promise<void> {
    const from = this.#random.pick(JOURNALS.slice(0, -1)) ?? "";
    const to = from.replace(".md", ` ${this.#number()}.md`);
    await this.#change("move", { from: `vault/${from}`, to: `vault/${to}` }, NO_EFFECT);
  }

  async #delete(): Promise<void> {
    const known = this.#pickDocument();
    if (known === undefined) return;
    await this.#change("delete", { path: `vault/${known.at}` }, this.#to(known.id, null));
  }

  async #deleteFolder(): Promise<void> {
    const folder = this.#random.pick(FOLDERS) ?? "";
    const effects = this.#under(folder).map(({ id }) => this.#to(id, null));
    await this.#change("delete", { path: `vault/${folder}/` }, joined(effects));
  }

  async #undo(): Promise<void> {
    const last = this.#done.pop();
    if (last === undefined) return;
    const { vault } = this.#service;
    await this.#step("undo", reversed(last.effect), async () => {
      try {
        const { id } = await vault.undo(last.history, { actor: "chaos", force: false });
        return { history: id, refusal: null };
      } catch (error) {
        if (!(error instanceof ExpectedError)) throw error;
        return { history: null, refusal: error.code };
      }
    });
  }

  #number(): number {
    this.#next += 1;
    return this.#next;
  }

  #pickDocument(): (DocumentState & { readonly at: string }) | undefined {
    return this.#random.pick(this.#under(AREA));
  }

  #under(folder: string): (DocumentState & { readonly at: string })[] {
    return [...this.#documents.values()].flatMap((known) =>
      known.at?.startsWith(`${folder}/`) === true ? [{ ...known, at: known.at }] : [],
    );
  }

  #to(id: string, next: Omit<DocumentState, "id"> | null): Effect {
    const gone = { id, at: null, version: 0 };
    const before = this.#documents.get(id) ?? gone;
    const after = next === null ? gone : { id, at: next.at, version: next.version };
    return { ...NO_EFFECT, before: [before], after: [after] };
  }

  async #read(path: string): Promise<void> {
    await this.#call("read", { paths: `vault/${path}`, head: 50 });
  }

  async #change(name: string, args: unknown, effect: Effect): Promise<void> {
    await this.#step(name, effect, () => this.#call(name, args));
  }

  async #step(call: string, effect: Effect, work: () => Promise<Outcome>): Promise<void> {
    this.#log.add({ phase: "try", call, effect, history: null, note: "" });
    process.stdout.write(".");
    this.#bug = null;
    const { history, refusal } = await work().catch((error: unknown) => {
      this.#bug = inspect(error);
      return { history: null, refusal: "bug" };
    });
    if (refusal !== null) {
      // What was done before a call that could not be taken back is no longer as it was.
      if (call === "undo") this.#done.length = 0;
      const phase = this.#bug === null ? "refused" : "bug";
      this.#log.add({ phase, call, effect, history, note: this.#bug ?? refusal });
      return;
    }
    this.#log.add({ phase: "done", call, effect, history, note: "" });
    for (const { id, ...state } of effect.after) {
      if (state.at === null) this.#documents.delete(id);
      else this.#documents.set(id, { id, ...state });
    }
    if (history !== null) this.#done.push({ history, effect });
  }

  async #call(name: string, args: unknown): Promise<Outcome> {
    const { vault, index } = this.#service;
    const context = { vault, index, session: this.#session, now: () => new Date() };
    const result = await callTool(
      name,
      args,
      { ...context, profile: "update", batch: null },
      { onBug: (error) => (this.#bug = inspect(error)) },
    );
    if (result.isError)
      return {
        history: null,
        refusal: Refusal.safeParse(result.structured).data?.error.code ?? "",
      };
    return { history: Reply.safeParse(result.structured).data?.history ?? null, refusal: null };
  }
}

function joined(effects: readonly Effect[]): Effect {
  return {
    ...NO_EFFECT,
    before: effects.flatMap(({ before }) => before),
    after: effects.flatMap(({ after }) => after),
  };
}

/** The first line of the input. When the input ends, whoever gives the orders is gone, and so is this process. */
async function firstLine(): Promise<string> {
  process.stdin.on("end", () => process.exit(0));
  return new Promise((resolve) => createInterface({ input: process.stdin }).once("line", resolve));
}

process.stdout.write("ready\n");
const order = Order.parse(JSON.parse(await firstLine()));
const service = await createService({
  frontmatter: "all",
  root: order.root,
  state: order.state,
  quiet: 30,
});
const agent = new Agent(service, order, new StepLog(order.log));
await agent.lookAround();
for (;;) await agent.act();
