import { problemOf } from "../api/problem.ts";
import { Store } from "../api/store.ts";
import type { Draft, Drafts } from "./drafts.ts";
import { merge, type Choice, type ConflictPart } from "./merge.ts";
import type { NoteApi } from "./note-api.ts";

/** How a note that is being written stands with the vault. */
export type SessionState =
  | { readonly status: "loading" | "clean" | "dirty" | "saving" | "away" | "gone" }
  | { readonly status: "failed"; readonly why: string }
  | { readonly status: "conflict"; readonly parts: readonly ConflictPart[] };

export interface SessionOptions {
  readonly path: string;
  readonly api: NoteApi;
  readonly drafts: Pick<Drafts, "put" | "remove" | "take">;
  readonly isOpenTab: (tab: string) => boolean;
  /** Called when the text changed by something else than {@link NoteSession.edit}. */
  readonly onText: (text: string) => void;
  /** Called with something that a person should know: a text came together, or a draft is back. */
  readonly onNotice: (what: "merged" | "draft") => void;
}

/** Milliseconds without a keystroke before a note is saved, and between attempts to reach a service that is away. */
const QUIET = 700;
const RETRY = 1500;
/** Texts without an answer that are remembered: one for each attempt to save while the service is away. */
const MOST_SENT = 5;

/**
 * One note while it is written. Every keystroke is kept in the browser first, then saved with the version that the text was read at. When
 * somebody else changed the note meanwhile, both changes are merged; where they concern the same lines, nothing is written until the person
 * decides.
 */
export class NoteSession {
  readonly state = new Store<SessionState>({ status: "loading" });
  /** Whether the browser has room to keep what is written. */
  readonly isKept = new Store(true);
  readonly #options: SessionOptions;
  #base: Draft["base"] = null;
  #body = "";
  /** Sent and not answered: the service may have it, and was killed before it said so. */
  #sent: readonly string[] = [];
  #theirs: NonNullable<Draft["base"]> | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #running: Promise<void> | null = null;
  #isClosed = false;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  get body(): string {
    return this.#body;
  }

  /** Loads the note, with what was written before and not saved. */
  async open(): Promise<void> {
    const { path, drafts, isOpenTab, onText, onNotice } = this.#options;
    const draft = drafts.take(path, isOpenTab);
    if (draft !== null) {
      this.#base = draft.base;
      this.#body = draft.body;
      this.#sent = draft.sent ?? [];
      onText(this.#body);
      onNotice("draft");
      this.#set({ status: "dirty" });
    }
    await this.#alone(async () => this.#load(draft !== null));
  }

  async #load(hasDraft: boolean): Promise<void> {
    const { path, api, onText } = this.#options;
    try {
      const { version, body } = await api.load(path);
      if (hasDraft) return this.#meet({ version, body });
      this.#base = { version, body };
      this.#body = body;
      onText(body);
      this.#set({ status: "clean" });
    } catch (error) {
      const problem = problemOf(error);
      if (problem.code === "not_found") this.#leave();
      else this.#fail(problem, async () => this.#alone(async () => this.#load(hasDraft)));
    }
  }

  /** One request at a time: an answer that was overtaken would look like somebody else's change. */
  async #alone(work: () => Promise<void>): Promise<void> {
    while (this.#running !== null) await this.#running;
    this.#running = work().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** The person wrote. */
  edit(body: string): void {
    if (body === this.#body) return;
    this.#body = body;
    this.#keep();
    const { status } = this.state.get();
    if (status === "gone") return;
    if (status === "conflict") return this.#later(QUIET, async () => this.#showConflicts());
    this.#set({ status: "dirty" });
    this.#later(QUIET, async () => this.save());
  }

  #keep(): void {
    const { path, drafts } = this.#options;
    const sent = this.#sent.length === 0 ? {} : { sent: this.#sent };
    this.isKept.set(drafts.put(path, { base: this.#base, body: this.#body, ...sent }));
  }

  /** Saves what was written; resolves when the attempt is over. */
  async save(): Promise<void> {
    this.#stop();
    await this.#alone(async () => {
      // Neither is decided by saving again: a note that is gone would only look saved.
      const waits = ["conflict", "gone"].includes(this.state.get().status);
      if (this.#isClosed || this.#base === null || waits) return;
      if (this.#body === this.#base.body) this.#settle();
      else await this.#save(this.#base, this.#body);
    });
  }

  async #save(base: NonNullable<Draft["base"]>, body: string): Promise<void> {
    const { path, api } = this.#options;
    this.#set({ status: "saving" });
    this.#sent = [...new Set([...this.#sent, body])].slice(-MOST_SENT);
    this.#keep();
    try {
      const saved = await api.save(path, body, base.version);
      if ("theirs" in saved) return this.#meet(saved.theirs);
      this.#sent = [];
      this.#base = { version: saved.version, body };
      if (this.#body === body) this.#settle();
      else {
        this.#keep();
        this.#set({ status: "dirty" });
        this.#later(QUIET, async () => this.save());
      }
    } catch (error) {
      this.#fail(problemOf(error), async () => this.save());
    }
  }

  /** Somebody else may have changed the note. */
  async refresh(): Promise<void> {
    const { path, api } = this.#options;
    await this.#alone(async () => {
      const { status } = this.state.get();
      if (this.#isClosed || status === "loading" || status === "conflict") return;
      try {
        const found = await api.load(path);
        if (status === "gone" || found.version !== this.#base?.version) this.#meet(found);
      } catch (error) {
        const isGone = problemOf(error).code === "not_found" && this.#base !== null;
        if (isGone) this.#leave();
      }
    });
  }

  /** Takes a newer version of the note in. */
  #meet(theirs: NonNullable<Draft["base"]>): void {
    const { onText, onNotice } = this.#options;
    const { version, body } = theirs;
    const before = this.#body;
    // Our own: it came in, and the answer did not come out.
    if (this.#sent.includes(body)) this.#base = { version, body };
    this.#sent = [];
    const merged = merge(this.#base?.body ?? "", before, body);
    if (merged.conflicts.length > 0) {
      this.#theirs = { version, body };
      this.#set({ status: "conflict", parts: merged.conflicts });
      return;
    }
    this.#base = { version, body };
    this.#body = merged.text;
    if (merged.text !== before) onText(merged.text);
    if (merged.text === body) return this.#settle();
    this.#keep();
    if (merged.text !== before) onNotice("merged");
    this.#set({ status: "dirty" });
    this.#later(0, async () => this.save());
  }

  /**
   * The person decided what becomes of each conflict, in the order they are shown; what either side changed elsewhere stays. Shows them again
   * when they are others by now, because the person went on writing.
   */
  decide(choices: readonly Choice[]): void {
    const theirs = this.#theirs;
    const state = this.state.get();
    if (theirs === null || state.status !== "conflict") return;
    const { text, conflicts } = merge(this.#base?.body ?? "", this.#body, theirs.body, choices);
    if (!isSame(conflicts, state.parts)) return this.#set({ ...state, parts: conflicts });
    this.#base = theirs;
    this.#theirs = null;
    this.#body = text;
    this.#keep();
    this.#options.onText(text);
    this.#set({ status: "dirty" });
    void this.save();
  }

  /** Shows the conflicts as they are after what the person wrote since; none are left when that was theirs. */
  #showConflicts(): void {
    const theirs = this.#theirs;
    if (theirs === null) return;
    const { conflicts } = merge(this.#base?.body ?? "", this.#body, theirs.body);
    if (conflicts.length > 0) return this.#set({ status: "conflict", parts: conflicts });
    this.#theirs = null;
    this.#meet(theirs);
  }

  /** Makes a note that is gone again, with what was written. */
  async create(): Promise<void> {
    const { path, api } = this.#options;
    const body = this.#body;
    try {
      const saved = await api.save(path, body, null);
      if ("theirs" in saved) return this.#meet(saved.theirs);
      this.#base = { version: saved.version, body };
      // What was sent to the one that was there is nobody's change to this one.
      this.#sent = [];
      this.#settle();
    } catch (error) {
      this.#fail(problemOf(error), null);
    }
  }

  /** Ends the session. What could not be saved stays a draft. */
  close(): void {
    this.#stop();
    this.#isClosed = true;
  }

  #settle(): void {
    const { path, drafts } = this.#options;
    drafts.remove(path);
    this.isKept.set(true);
    this.#set({ status: "clean" });
  }

  /** The note is not there any more: what was written waits as a draft until the person says what becomes of it. */
  #leave(): void {
    this.#stop();
    this.#set({ status: "gone" });
  }

  #fail(
    problem: { readonly code: string; readonly message: string },
    again: (() => Promise<void>) | null,
  ): void {
    if (problem.code === "not_found" && this.#base !== null) return this.#leave();
    const isAway = ["unreachable", "unavailable", "busy"].includes(problem.code);
    this.#set(isAway ? { status: "away" } : { status: "failed", why: problem.message });
    if (isAway && again !== null) this.#later(RETRY, again);
  }

  #later(delay: number, work: () => Promise<void>): void {
    this.#stop();
    if (!this.#isClosed) this.#timer = setTimeout(() => void work(), delay);
  }

  #stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #set(state: SessionState): void {
    if (!this.#isClosed) this.state.set(state);
  }
}

function isSame(some: readonly ConflictPart[], others: readonly ConflictPart[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ mine, theirs }, at) => mine === others[at]?.mine && theirs === others[at].theirs)
  );
}
