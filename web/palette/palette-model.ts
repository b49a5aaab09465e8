import { Store } from "../api/store.ts";

/** What is open above the page; null for nothing. */
export type PaletteKind = "switcher" | "commands" | "shortcuts" | "install";

/** A form that is open in the view of a file or folder. */
export interface FileForm {
  readonly kind: "move" | "new";
  /** Of what is moved, or of the folder that the new note goes to. */
  readonly path: string;
}

/** Quick switcher, command palette and list of shortcuts: one at a time. */
export class PaletteModel {
  readonly open = new Store<PaletteKind | null>(null);

  /** Opened by its button, or by a command from elsewhere. */
  readonly form = new Store<FileForm | null>(null);

  toggle(kind: PaletteKind): void {
    this.open.set(this.open.get() === kind ? null : kind);
  }

  close(): void {
    this.open.set(null);
  }
}
