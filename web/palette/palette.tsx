import type { ReactNode } from "react";

import { useServices } from "../api/services.ts";
import { useStore } from "../api/store.ts";
import { CommandPalette } from "./command-palette.tsx";
import { InstallDialog } from "./install-dialog.tsx";
import { QuickSwitcher } from "./quick-switcher.tsx";
import { ShortcutList } from "./shortcut-list.tsx";

/** Whatever is open above the page. */
export function Palette(): ReactNode {
  const { palette } = useServices();
  const open = useStore(palette.open);
  const close = (): void => palette.close();
  if (open === "switcher") return <QuickSwitcher onClose={close} />;
  if (open === "commands") return <CommandPalette onClose={close} />;
  if (open === "install") return <InstallDialog onClose={close} />;
  return open === "shortcuts" ? <ShortcutList onClose={close} /> : null;
}
