import { IS_TEAM } from "../api/access.ts";
import { keptAs } from "../api/base.ts";
import { keep } from "../api/keep.ts";
import { Store } from "../api/store.ts";
import { attachmentOf, type Attachment } from "./attachments.ts";

export type ComposerMode = "update" | "search";

/** The inbox item that is being answered. */
export interface Answering {
  readonly ref: string;
  readonly title: string;
}

export interface ComposerState {
  readonly mode: ComposerMode;
  readonly note: string;
  readonly query: string;
  readonly answering: Answering | null;
  readonly attachments: readonly Attachment[];
  /** Another app shared it: other people's words, until the person says otherwise. */
  readonly isShared: boolean;
  /** What is sent is only tried, and waits for a yes. */
  readonly isPreview: boolean;
}

/** Kept in this tab, so that a reload does not lose what was written. */
const DRAFT = keptAs("coffre-draft");
/** Kept with the draft: a reload must not turn shared words into the person's own. */
const SHARED = keptAs("coffre-draft-shared");
/** Kept with the draft: a reload must not turn an answer into a new note. */
const ANSWERING = keptAs("coffre-draft-answering");
/** Kept in this browser: a person who wants to see changes first wants it tomorrow too. */
const PREVIEW = "coffre-preview";

/** The content of the input at the bottom. */
export class ComposerModel {
  readonly state: Store<ComposerState>;
  /** Counts requests to focus the input. */
  readonly focused = new Store(0);

  constructor(mode: ComposerMode, query: string) {
    const note = window.sessionStorage.getItem(DRAFT) ?? "";
    // The vaults of a team cannot show changes before they are made.
    const isPreview = !IS_TEAM && window.localStorage.getItem(PREVIEW) === "yes";
    const isShared = note !== "" && window.sessionStorage.getItem(SHARED) === "yes";
    const answering = answeringIn(window.sessionStorage.getItem(ANSWERING));
    const draft = { note, answering, attachments: [], isShared };
    this.state = new Store<ComposerState>({ mode, query, ...draft, isPreview });
  }

  change(part: Partial<ComposerState>): void {
    this.state.set({ ...this.state.get(), ...part });
    const { note, isShared, answering } = this.state.get();
    keep(window.sessionStorage, DRAFT, note);
    keep(window.sessionStorage, SHARED, isShared ? "yes" : "no");
    keep(window.sessionStorage, ANSWERING, JSON.stringify(answering));
  }

  setPreview(isPreview: boolean): void {
    this.change({ isPreview });
    keep(window.localStorage, PREVIEW, isPreview ? "yes" : "no");
  }

  focus(mode: ComposerMode): void {
    this.change({ mode });
    this.focused.set(this.focused.get() + 1);
  }

  answer(answering: Answering): void {
    this.change({ answering });
    this.focus("update");
  }

  attach(files: Iterable<File>): void {
    const added = Array.from(files, attachmentOf);
    if (added.length === 0) return;
    this.change({ attachments: [...this.state.get().attachments, ...added], mode: "update" });
  }

  detach(id: string): void {
    const { attachments } = this.state.get();
    this.change({ attachments: attachments.filter((each) => each.id !== id) });
  }

  /** Puts what another app shared below what was written before. */
  share(text: string, files: readonly File[]): void {
    const note = [this.state.get().note, text].filter((part) => part !== "").join("\n\n");
    this.change({ note, isShared: text !== "" || this.state.get().isShared });
    this.attach(files);
    this.focus("update");
  }

  /**
   * Takes away what was sent; what was written or attached meanwhile stays.
   * @param sent the content as it was when it was sent
   */
  clear(sent: ComposerState): void {
    const { note, attachments, answering, isShared } = this.state.get();
    // Changed in its middle, it cannot be told what was sent: nothing of it is lost.
    const rest = note.startsWith(sent.note) ? note.slice(sent.note.length).trimStart() : note;
    const ids = new Set(sent.attachments.map(({ id }) => id));
    this.change({
      note: rest,
      attachments: attachments.filter(({ id }) => !ids.has(id)),
      answering: answering === sent.answering ? null : answering,
      isShared: isShared && rest !== "",
    });
  }
}

function answeringIn(json: string | null): Answering | null {
  try {
    const { ref, title } = JSON.parse(json ?? "null") ?? {};
    return typeof ref === "string" && typeof title === "string" ? { ref, title } : null;
  } catch {
    return null;
  }
}
