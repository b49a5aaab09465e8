import { isDeepStrictEqual } from "node:util";

import { ExpectedError } from "../../errors.ts";
import { localDay, localTime } from "../../text/local-time.ts";
import { applyChanges } from "../../tidy/apply.ts";
import { contextOf, findAll, withoutCollisions } from "../../tidy/find.ts";
import type { Finding, ProposedChange } from "../../tidy/finding.ts";
import { keyOf, type KeptProposals, type TidyItem } from "../../tidy/kept-proposals.ts";
import type { ChangeAuthor } from "../../vault/history/history-types.ts";
import { landOverlay } from "../../vault/overlay/land-overlay.ts";
import type { Overlays } from "../../vault/overlay/overlays.ts";
import { joinPath, type VaultPath } from "../../vault/paths.ts";
import type { CallersVault, Vault } from "../../vault/vault.ts";
import type { ReadingParts, RunControl, UnopenedRun } from "../agent-run.ts";
import { NO_USAGE, type UpdateInput, type UpdateReport } from "../contract.ts";
import { countInbox, exists, INBOX, REVIEW } from "../inbox/inbox.ts";
import { touchedFiles, undoBatch } from "../update/batch.ts";
import { keepInboxLine, saysCount } from "../update/inbox-line.ts";
import { OwnPaths, relayedGuard } from "../update/write-guards.ts";
import { languageFor } from "../without-model/program-texts.ts";
import { chosenNumbers } from "./tidy-answer.ts";
import { tidyReview, tidyTexts } from "./tidy-texts.ts";
import { wordFindings } from "./word-findings.ts";

export interface TidyingOptions extends ReadingParts {
  readonly vault: CallersVault;
  /** Whether something is at a path of the whole vault, also what models do not see. */
  readonly isThere: (path: VaultPath) => Promise<boolean>;
  readonly overlays: Overlays;
  /** What models may see of an overlay. */
  readonly seen: (vault: Vault) => CallersVault;
  readonly kept: Pick<KeptProposals, "read" | "write">;
  readonly limits: RunControl["limits"];
  readonly openModel: UnopenedRun["openModel"];
  readonly daily: DailySetting;
}

/** Whether it runs by itself, once a day: a setting of the vault. */
export interface DailySetting {
  readonly isOn: () => boolean;
  readonly choose: (isOn: boolean) => Promise<void> | void;
}

export interface TidyRun extends Omit<RunControl, "limits"> {
  /** Leaves out what the person did not want before. */
  readonly isDaily: boolean;
}

/** What a run came to. */
export interface TidyResult {
  /** Null when nothing is untidy. */
  readonly item: TidyItem | null;
  /** Why the model could not help; null when it did, or there is none. */
  readonly problem: string | null;
}

/** Proposals and notes of one item: more are found the next time. */
const MAX_PROPOSALS = 40;
const MAX_NOTES = 40;
/** Names that are remembered: those of a day are far fewer. */
const MAX_USED = 100;

const AUTHOR = { actor: "coffre", call: "tidy", batch: null };

/** Looks for what is untidy, and puts it as one item into the inbox. Only an answer to that item changes any other file. */
export class Tidying {
  readonly #options: TidyingOptions;
  readonly #closed = new AbortController();
  #running: Promise<TidyResult> | null = null;

  constructor(options: TidyingOptions) {
    this.#options = options;
  }

  get daily(): DailySetting {
    return this.#options.daily;
  }

  /** Local time of the last run; null when there was none. */
  get last(): string | null {
    return this.#options.kept.read().ran;
  }

  /** Never throws: a settings file that is not valid is said where the setting is used. */
  status(): { readonly daily: boolean; readonly last: string | null } {
    const { last } = this;
    try {
      return { daily: this.daily.isOn(), last };
    } catch {
      return { daily: false, last };
    }
  }

  /** The item that waits for an answer. */
  async waiting(): Promise<TidyItem | null> {
    const { item } = this.#options.kept.read();
    return item !== null && (await this.#isThere(item.ref)) ? item : null;
  }

  /** Looks, and replaces the item of the last time. A second call while one runs gets the same. */
  async run(control: TidyRun): Promise<TidyResult> {
    const signal = AbortSignal.any([control.signal, this.#closed.signal]);
    this.#running ??= this.#run({ ...control, signal }).finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #run({ isDaily, ...control }: TidyRun): Promise<TidyResult> {
    const { vault, index, kept, now, isThere } = this.#options;
    const before = kept.read();
    const wasThere = before.item !== null && (await this.#isThere(before.item.ref));
    // An item that somebody took away is answered too: with no.
    const isRefused = before.item !== null && !wasThere && !before.item.isAnswered;
    const declined = new Set([
      ...before.declined,
      ...(isRefused ? (before.item?.about ?? []) : []),
    ]);
    const all = await countInbox(vault);
    const inbox = { all, others: wasThere ? all - 1 : all };
    const found = await findAll(
      await contextOf({ vault, isThere, index, today: localDay(now()), inbox }),
    );
    const wanted = isDaily ? found.filter((finding) => !declined.has(keyOf(finding))) : found;
    const basis = wanted.map((finding) => keyOf(finding));
    // Nothing new: a model need not be asked for the same words every day.
    if (
      isDaily &&
      wasThere &&
      before.item !== null &&
      isDeepStrictEqual(basis, before.item.basis)
    ) {
      kept.write({ ...before, ran: localTime(now()) });
      return { item: before.item, problem: null };
    }
    const { findings, problem } = await this.#worded(wanted, control);
    const shown = withoutCollisions(findings);
    const proposals = shown.filter(({ changes }) => changes.length > 0).slice(0, MAX_PROPOSALS);
    const notes = shown.filter(({ changes }) => changes.length === 0).slice(0, MAX_NOTES);
    control.signal.throwIfAborted();
    const put = new Set([...proposals, ...notes]);
    const cut = new Set(findings.filter((each) => !put.has(each)).map((each) => keyOf(each)));
    const about = basis.filter((key) => !cut.has(key));
    const made = { proposals, notes, basis, about };
    // It may have been answered while a model was asked.
    const item = await this.#put(made, await this.waiting());
    const latest = kept.read();
    const names = [...latest.used, ...(item === null ? [] : [item.ref])];
    // What is no longer found need not be remembered.
    const still = new Set(found.map((finding) => keyOf(finding)));
    const refused = new Set([...latest.declined, ...declined]);
    kept.write({
      ran: localTime(now()),
      // One that this run took away was not refused by anybody.
      item: item ?? (latest.item === null ? null : { ...latest.item, isAnswered: true }),
      used: [...new Set(names)].slice(-MAX_USED),
      declined: [...refused].filter((key) => still.has(key)),
    });
    return { item, problem };
  }

  /** With the model's wording in the place of what it could word. */
  async #worded(
    found: readonly Finding[],
    control: Omit<RunControl, "limits">,
  ): Promise<{ findings: readonly Finding[]; problem: string | null }> {
    const asked = found.filter(({ canBeWorded }) => canBeWorded);
    if (asked.length === 0) return { findings: found, problem: null };
    try {
      const model = await this.#options.openModel();
      if (model === null) return { findings: found, problem: null };
      const { proposals, left } = await wordFindings(asked, model, {
        ...this.#options,
        ...control,
      });
      const others = found.filter(({ canBeWorded }) => !canBeWorded);
      return { findings: [...others, ...proposals, ...left], problem: null };
    } catch (error) {
      control.signal.throwIfAborted();
      if (!(error instanceof ExpectedError)) throw error;
      return { findings: found, problem: error.message };
    }
  }

  /** Writes the item in place of the old one, which stays when it says the same. */
  async #put(
    given: Omit<TidyItem, "ref" | "language" | "isAnswered">,
    old: TidyItem | null,
  ): Promise<TidyItem | null> {
    const { vault, now } = this.#options;
    const { proposals, notes } = given;
    if (old !== null && isDeepStrictEqual([old.proposals, old.notes], [proposals, notes]))
      return { ...old, ...given, isAnswered: false };
    const isEmpty = proposals.length === 0 && notes.length === 0;
    const language = await languageFor("", vault);
    const texts = tidyTexts(language);
    const text = isEmpty ? "" : await tidyReview({ ...given, language }, vault);
    const oldPaths = old === null ? [] : await this.#pathsOf(old.ref);
    let ref = "";
    await vault.change(AUTHOR, async ({ writer }) => {
      for (const path of oldPaths) await writer.remove(path);
      if (isEmpty) return;
      ref = await this.#freeName(`${localDay(now())}-${texts.slug}`);
      await writer.create(joinPath(INBOX, joinPath(ref, REVIEW)), Buffer.from(text));
    });
    return isEmpty ? null : { ...given, ref, language, isAnswered: false };
  }

  /** A name that no item has, or had. */
  async #freeName(stem: string): Promise<string> {
    const { vault, kept } = this.#options;
    const used = new Set(kept.read().used);
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? stem : `${stem}-${number}`;
      if (!used.has(name) && !(await exists(vault, joinPath(INBOX, name)))) return name;
    }
  }

  /** What goes with an item: its folder, or the review alone when somebody put other files beside it. */
  async #pathsOf(ref: string): Promise<VaultPath[]> {
    const { vault } = this.#options;
    const folder = joinPath(INBOX, ref);
    const files = await Array.fromAsync(vault.walk(folder), ({ path }) => path);
    const review = joinPath(folder, REVIEW);
    if (files.every((path) => path === review)) return [folder];
    return files.includes(review) ? [review] : [];
  }

  async #isThere(ref: string): Promise<boolean> {
    return exists(this.#options.vault, joinPath(INBOX, joinPath(ref, REVIEW)));
  }

  /** Whether an inbox item is ours, by the name of its folder. */
  isItem(ref: string | null): boolean {
    return ref !== null && this.#options.kept.read().item?.ref === ref;
  }

  /** Throws for an answer that cannot be followed. */
  check({ content, isUntrusted }: Pick<UpdateInput, "content" | "isUntrusted">): void {
    if (isUntrusted) {
      throw new ExpectedError(
        "no_permission",
        "Only the person answers an inbox item: what was piped in, or came with a file, does not.",
      );
    }
    chosenNumbers(content, this.#options.kept.read().item?.proposals.length ?? 0);
  }

  /**
   * Makes the proposals that an answer chooses: all of them as one batch, or none when a file is no longer as it was. The item goes with them.
   * @param vault the vault, or the overlay of a preview
   */
  async answer(
    input: UpdateInput,
    { batch, vault, isPreview }: { batch: string; vault: CallersVault; isPreview: boolean },
  ): Promise<UpdateReport> {
    const { item } = this.#options.kept.read();
    this.check(input);
    if (item === null || input.inboxRef !== item.ref || !(await this.#isThere(item.ref)))
      throw new ExpectedError("not_found", "These proposals are no longer kept: run coffre tidy.");
    const chosen = chosenNumbers(input.content, item.proposals.length);
    const made = chosen.flatMap((number) => item.proposals[number - 1] ?? []);
    const changes = made.flatMap((proposal) => proposal.changes);
    const [removed = null] = await this.#pathsOf(item.ref);
    const guard = input.isRelayed
      ? { guard: relayedGuard(new OwnPaths([joinPath(INBOX, item.ref)])) }
      : {};
    const author = { actor: "coffre", call: "tidy", batch, ...guard };
    const wasRight = await saysCount(vault, await countInbox(vault));
    try {
      if (isPreview) await applyChanges(vault, author, changes, removed);
      else await this.#land(author, changes, removed, vault);
      // The line is the program's: one that counted this item is right again, any other is left as it was.
      if (wasRight) await keepInboxLine({ ...this.#options, vault, batch });
    } catch (error) {
      await undoBatch(vault, batch);
      throw error;
    }
    if (!isPreview) this.#keepAnswer(item, new Set(made.map(keyOf)));
    const texts = tidyTexts(item.language);
    const touched = await touchedFiles(vault, batch);
    return {
      outcome: "filed",
      text: made.length === 0 ? texts.none : texts.made(made.length, item.proposals.length),
      touched,
      inbox: null,
      batch: touched.length === 0 ? null : batch,
      model: null,
      steps: 0,
      usage: NO_USAGE,
    };
  }

  /** Makes changes in the vault: all of them in one entry of its history, or none. */
  async #land(
    author: ChangeAuthor & { readonly batch: string },
    changes: readonly ProposedChange[],
    removed: VaultPath | null,
    vault: CallersVault,
  ): Promise<void> {
    const { overlays } = this.#options;
    const name = `tidy-${author.batch}`;
    const overlay = await overlays.create(name);
    try {
      await applyChanges(overlay, author, changes, removed);
      await landOverlay(overlay, vault, author);
    } finally {
      overlay.close();
      await overlays.remove(name);
    }
  }

  /** What an item is about and was not made is not wanted: the daily run leaves it out. */
  #keepAnswer(item: TidyItem, made: ReadonlySet<string>): void {
    const { kept } = this.#options;
    const before = kept.read();
    const refused = item.about.filter((key) => !made.has(key));
    kept.write({
      ...before,
      item: { ...item, isAnswered: true },
      declined: [...new Set([...before.declined, ...refused])],
    });
  }

  /** Ends a run that is under way. */
  async close(): Promise<void> {
    this.#closed.abort(new ExpectedError("unavailable", "The service ended."));
    await this.#running?.catch(() => {});
  }
}
