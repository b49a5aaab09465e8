import { problemOf, type RequestProblem } from "../api/problem.ts";
import { Store } from "../api/store.ts";
import { splitFrontmatter, type Property } from "../markdown/frontmatter.ts";
import type { PropertiesChange, PropertiesResult } from "./note-api.ts";
import { listOf, newValue, textOf, valueOf } from "./property-value.ts";

/** What a person typed into a property, until the note has it. */
interface PropertyDraft {
  readonly text: string;
  readonly isList: boolean;
  /** The frontmatter it was typed over: the service compares the key with it. */
  readonly head: string;
  /** What may stand there without being somebody else's: what was read, and what was saved. Null: no such property. */
  readonly seen: readonly (string | null)[];
}

/** A property as it is shown. */
export interface PropertyRow {
  readonly key: string;
  readonly text: string;
  readonly isList: boolean;
  /** Somebody else changed it while the person typed: what is there now, null when it was removed. */
  readonly theirs?: string | null;
}

/** A property that is being added. */
export interface NewProperty {
  readonly key: string;
  readonly value: string;
}

export interface PropertiesState {
  readonly rows: readonly PropertyRow[];
  readonly adding: NewProperty;
  readonly problem: RequestProblem | null;
  /** It was to be removed, and somebody else changed it first. */
  readonly notRemoved: string | null;
}

export interface PropertyDraftsOptions {
  readonly path: string;
  readonly save: (change: PropertiesChange) => Promise<PropertiesResult>;
  /** Of this tab: what was typed survives a reload. */
  readonly storage: Pick<Storage, "getItem" | "setItem" | "removeItem">;
  /** The name it is kept under there. */
  readonly name: string;
  /** The properties that are a person's. */
  readonly isOwn: (key: string) => boolean;
}

const NOTHING: NewProperty = { key: "", value: "" };
const AWAY = new Set(["unreachable", "unavailable", "busy"]);

/**
 * The properties of one note while they are written. What is typed is kept in the browser until the note has it, and is saved with the frontmatter
 * it was typed over: what somebody else changed meanwhile is shown beside it, and written over by nobody but the person.
 */
export class PropertyDrafts {
  readonly state: Store<PropertiesState>;
  readonly #options: PropertyDraftsOptions;
  readonly #drafts: Map<string, PropertyDraft>;
  /** Null until the note was read. */
  #head: string | null = null;
  #properties: readonly Property[] = [];
  #adding: NewProperty;
  #problem: RequestProblem | null = null;
  #notRemoved: string | null = null;
  #last: Promise<void> = Promise.resolve();

  constructor(options: PropertyDraftsOptions) {
    this.#options = options;
    const kept = keptIn(options.storage.getItem(options.name));
    this.#drafts = new Map(kept.drafts);
    this.#adding = kept.adding;
    this.state = new Store<PropertiesState>(this.#shown());
  }

  /** The note as it is now. What was typed before a reload is saved when it is first read. */
  read(text: string): void {
    const isFirst = this.#head === null;
    const { body, properties } = splitFrontmatter(text);
    const plain = text.replace(/^\u{FEFF}/u, "");
    this.#head = plain.slice(0, plain.length - body.length);
    this.#properties = properties;
    this.#show();
    if (isFirst) void this.#commitAll();
  }

  /** The person typed. */
  edit(key: string, text: string): void {
    const draft = this.#drafts.get(key);
    const next = draft === undefined ? this.#draftOf(key, text, [this.#present(key)]) : draft;
    this.#drafts.set(key, { ...next, text });
    this.#show();
  }

  #draftOf(key: string, text: string, seen: PropertyDraft["seen"]): PropertyDraft {
    return { text, seen, isList: this.#property(key)?.isList ?? false, head: this.#head ?? "" };
  }

  /** Saves what was typed into a property, unless somebody else changed it: that is the person's to decide. */
  async commit(key: string): Promise<void> {
    return this.#alone(async () => {
      const draft = this.#drafts.get(key);
      if (draft === undefined || this.#head === null) return;
      if (this.#isSame(key, draft)) this.#drafts.delete(key);
      else if (!this.#isOther(key, draft)) await this.#save(key, draft);
    });
  }

  /** The service is back: what could not be saved is. */
  async retry(): Promise<void> {
    if (this.#problem === null || !AWAY.has(this.#problem.code)) return;
    this.#problem = null;
    await this.#commitAll();
    this.#show();
  }

  /** Saves what is typed and was not left yet; what cannot be saved waits in this tab. */
  async close(): Promise<void> {
    await this.#commitAll();
  }

  async #commitAll(): Promise<void> {
    await Promise.all([...this.#drafts.keys()].map(async (key) => this.commit(key)));
  }

  /** The person decided between what they typed and what somebody else wrote. */
  async decide(key: string, choice: "mine" | "theirs"): Promise<void> {
    const draft = this.#drafts.get(key);
    if (draft === undefined) return;
    if (choice === "theirs") {
      this.#drafts.delete(key);
      return this.#show();
    }
    const head = this.#head ?? "";
    this.#drafts.set(key, { ...draft, head, seen: [this.#present(key)] });
    return this.commit(key);
  }

  async remove(key: string): Promise<void> {
    return this.#alone(async () => {
      const isThere = this.#present(key) !== null;
      const isSaved = !isThere || (await this.#send({ set: {}, remove: [key] }, this.#head ?? ""));
      if (isSaved === true) this.#drafts.delete(key);
      this.#notRemoved = isSaved === false ? key : null;
    });
  }

  /** The person typed a new one. */
  editNew(adding: NewProperty): void {
    this.#adding = adding;
    this.#show();
  }

  /** Adds it; what was typed stays until it is there. */
  async add(): Promise<void> {
    const adding = this.#adding;
    const key = adding.key.trim();
    if (key === "") return;
    return this.#alone(async () => {
      const set = { [key]: newValue(key, adding.value) };
      const isSaved = await this.#send({ set, remove: [] }, this.#head ?? "");
      if (isSaved === null || this.#adding !== adding) return;
      // Somebody else added one of this name: the two stand beside each other there.
      if (!isSaved) this.#drafts.set(key, this.#draftOf(key, adding.value, []));
      this.#adding = NOTHING;
    });
  }

  /** Sends what was typed; what is typed while it is under way is a draft over it. */
  async #save(key: string, draft: PropertyDraft): Promise<void> {
    const value = valueFor(draft, draft.text);
    const isSaved = await this.#send({ set: { [key]: value }, remove: [] }, draft.head);
    const present = this.#drafts.get(key);
    if (isSaved === null || present === undefined) return;
    // The note may have it all the same: it came in, and the answer did not come out.
    const isThere = isSaved ? present === draft : this.#isSame(key, present);
    if (isThere) this.#drafts.delete(key);
    else if (!isSaved) this.#drafts.set(key, { ...present, seen: [] });
    // Typed on meanwhile: over what was saved, though the page may read the note from before once more.
    else {
      const seen = [this.#present(key), ...present.seen];
      this.#drafts.set(key, { ...present, head: this.#head ?? "", seen });
    }
  }

  /** True when it is saved, false when somebody else was faster, null when neither is known. */
  async #send(
    change: Pick<PropertiesChange, "set" | "remove">,
    head: string,
  ): Promise<boolean | null> {
    const { path, save } = this.#options;
    try {
      const answer = await save({ path, ...change, head });
      this.#problem = null;
      this.read("theirs" in answer ? answer.theirs.head : answer.head);
      return !("theirs" in answer);
    } catch (error) {
      this.#problem = problemOf(error);
      return null;
    }
  }

  /** One request at a time: the next one is made over what the one before left. */
  async #alone(work: () => Promise<void>): Promise<void> {
    const run = async (): Promise<void> => {
      await work();
      this.#show();
    };
    this.#last = this.#last.then(run, run);
    return this.#last;
  }

  #property(key: string): Property | undefined {
    return this.#properties.find((each) => each.key === key);
  }

  #present(key: string): string | null {
    const property = this.#property(key);
    return property === undefined ? null : textOf(property);
  }

  /** Whether the note says what was typed, maybe in other words. */
  #isSame(key: string, draft: PropertyDraft): boolean {
    const present = this.#present(key);
    if (present === null) return false;
    return JSON.stringify(valueFor(draft, present)) === JSON.stringify(valueFor(draft, draft.text));
  }

  #isOther(key: string, draft: PropertyDraft): boolean {
    const isKnown = this.#head !== null && !draft.seen.includes(this.#present(key));
    return isKnown && !this.#isSame(key, draft);
  }

  #shown(): PropertiesState {
    const own = this.#properties.filter(({ key }) => this.#options.isOwn(key));
    const keys = new Set([...own.map(({ key }) => key), ...this.#drafts.keys()]);
    const rows = [...keys].map((key): PropertyRow => {
      const draft = this.#drafts.get(key);
      const isList = draft?.isList ?? this.#property(key)?.isList ?? false;
      if (draft === undefined) return { key, isList, text: this.#present(key) ?? "" };
      const theirs = this.#isOther(key, draft) ? { theirs: this.#present(key) } : {};
      return { key, isList, text: draft.text, ...theirs };
    });
    return {
      rows,
      adding: this.#adding,
      problem: this.#problem,
      notRemoved: this.#notRemoved,
    };
  }

  #show(): void {
    const { storage, name } = this.#options;
    if (this.#drafts.size === 0 && this.#adding === NOTHING) storage.removeItem(name);
    else {
      const kept = JSON.stringify({ drafts: [...this.#drafts], adding: this.#adding });
      try {
        storage.setItem(name, kept);
      } catch {
        // Without room it is lost by a reload, and by nothing else.
      }
    }
    this.state.set(this.#shown());
  }
}

function valueFor({ isList }: Pick<PropertyDraft, "isList">, text: string): unknown {
  return isList ? listOf(text) : valueOf(text);
}

interface Kept {
  readonly drafts: readonly (readonly [string, PropertyDraft])[];
  readonly adding: NewProperty;
}

function keptIn(json: string | null): Kept {
  const nothing: Kept = { drafts: [], adding: NOTHING };
  try {
    const kept: unknown = JSON.parse(json ?? "null");
    return isKept(kept) ? kept : nothing;
  } catch {
    return nothing;
  }
}

function isKept(value: unknown): value is Kept {
  if (typeof value !== "object" || value === null) return false;
  if (!("drafts" in value) || !("adding" in value) || !Array.isArray(value.drafts)) return false;
  const { adding } = value;
  const isAdding = typeof adding === "object" && adding !== null && "key" in adding;
  return isAdding && value.drafts.every((each) => Array.isArray(each) && each.length === 2);
}
