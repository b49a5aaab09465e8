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
}

/** Kept in this tab, so that a reload does not lose what was written. */
const DRAFT = "coffre-draft";

/** The content of the input at the bottom. */
export class ComposerModel {
  readonly state: Store<ComposerState>;
  /** Counts requests to focus the input. */
  readonly focused = new Store(0);

  constructor(mode: ComposerMode, query: string) {
    const note = window.sessionStorage.getItem(DRAFT) ?? "";
    this.state = new Store<ComposerState>({ mode, note, query, answering: null, attachments: [] });
  }

  change(part: Partial<ComposerState>): void {
    this.state.set({ ...this.state.get(), ...part });
    window.sessionStorage.setItem(DRAFT, this.state.get().note);
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

  /** After it was sent. */
  clear(): void {
    this.change({ note: "", attachments: [], answering: null });
  }
}
