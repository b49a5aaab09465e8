import { Store } from "../api/store.ts";

/** What is open above the page; null for nothing. */
export type PaletteKind = "switcher" | "commands" | "shortcuts" | "install";

/** Quick switcher, command palette and list of shortcuts: one at a time. */
export class PaletteModel {
  readonly open = new Store<PaletteKind | null>(null);

  toggle(kind: PaletteKind): void {
    this.open.set(this.open.get() === kind ? null : kind);
  }

  close(): void {
    this.open.set(null);
  }
}
