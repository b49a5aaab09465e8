import type { Services } from "../api/services.ts";
import { problemOf } from "../api/problem.ts";
import {
  editAddress,
  fileAddress,
  historyAddress,
  HOME,
  inboxAddress,
  pathAt,
} from "../app/addresses.ts";
import { COMMAND_KEY } from "../app/shortcuts.ts";
import { texts } from "../texts/texts.ts";
import { removeFile } from "../file/file-changes.ts";
import { folderOf, isEditable, ROOT } from "../tree/paths.ts";
import { showToast } from "../ui/toasts.tsx";
import { paletteTexts } from "./palette-texts.ts";

/** Something that can be done from anywhere. */
export interface Command {
  readonly id: string;
  readonly title: string;
  /** As it is shown. */
  readonly keys?: string;
  readonly run: (services: Services) => void;
  /** Left out: always. */
  readonly isPossible?: (services: Services) => boolean;
}

const { commands } = paletteTexts;
const isAtFile = ({ router }: Services): boolean => pathAt(router.place.get()) !== null;

const mayChange = ({ router, access }: Services): boolean => {
  const path = pathAt(router.place.get());
  return path !== null && path !== ROOT && access.get().mayWrite(path);
};

/** The folder that is open, or that of the file that is; else the whole vault. */
const openFolder = ({ router }: Services): string => {
  const path = pathAt(router.place.get()) ?? ROOT;
  return path.endsWith("/") ? path : folderOf(path);
};

async function removeOpen({ router }: Services): Promise<void> {
  const path = pathAt(router.place.get());
  if (path === null) return;
  try {
    await removeFile(path, () => router.go(fileAddress(path)));
    router.replace(fileAddress(folderOf(path)));
  } catch (error) {
    showToast({ text: problemOf(error).message });
  }
}

/** All commands, in the order they are listed. */
export const COMMANDS: readonly Command[] = [
  {
    id: "switch",
    title: commands.switcher,
    keys: `${COMMAND_KEY} O`,
    run: ({ palette }) => palette.open.set("switcher"),
  },
  {
    id: "search",
    title: commands.search,
    keys: `${COMMAND_KEY} K`,
    run: ({ composer }) => composer.focus("search"),
  },
  {
    id: "note",
    title: commands.note,
    keys: "N",
    isPossible: ({ access }) => access.get().mayAdd,
    run: ({ composer }) => composer.focus("update"),
  },
  {
    id: "edit",
    title: texts.write.edit,
    keys: "E",
    isPossible: (services) =>
      mayChange(services) && isEditable(pathAt(services.router.place.get()) ?? ""),
    run: ({ router }) => router.go(editAddress(pathAt(router.place.get()) ?? "")),
  },
  {
    id: "new-note",
    title: texts.write.newNote,
    isPossible: (services) => services.access.get().mayWrite(openFolder(services)),
    run: (services) => {
      const folder = openFolder(services);
      services.router.go(fileAddress(folder));
      services.palette.form.set({ kind: "new", path: folder });
    },
  },
  {
    id: "move",
    title: texts.write.move,
    isPossible: mayChange,
    run: ({ router, palette }) => {
      const path = pathAt(router.place.get()) ?? "";
      // A note that is written is read first.
      router.go(fileAddress(path));
      palette.form.set({ kind: "move", path });
    },
  },
  {
    id: "delete",
    title: texts.write.remove,
    isPossible: mayChange,
    run: (services) => void removeOpen(services),
  },
  { id: "home", title: commands.home, keys: "G H", run: ({ router }) => router.go(HOME) },
  {
    id: "inbox",
    title: commands.inbox,
    keys: "G I",
    run: ({ router }) => router.go(inboxAddress()),
  },
  {
    id: "history",
    title: commands.history,
    keys: "G Y",
    run: ({ router }) => router.go(historyAddress()),
  },
  {
    id: "file-history",
    title: commands.fileHistory,
    isPossible: isAtFile,
    run: ({ router }) => router.go(historyAddress(pathAt(router.place.get()))),
  },
  {
    id: "folder",
    title: commands.folder,
    keys: "G F",
    isPossible: isAtFile,
    run: ({ router }) => router.go(fileAddress(folderOf(pathAt(router.place.get()) ?? ""))),
  },
  {
    id: "install",
    title: texts.install.title,
    run: ({ palette }) => palette.open.set("install"),
  },
  { id: "back", title: commands.back, keys: "Alt ←", run: () => window.history.back() },
  { id: "forward", title: commands.forward, keys: "Alt →", run: () => window.history.forward() },
  {
    id: "commands",
    title: commands.commands,
    keys: `${COMMAND_KEY} P`,
    run: ({ palette }) => palette.open.set("commands"),
  },
  {
    id: "shortcuts",
    title: commands.shortcuts,
    keys: "?",
    run: ({ palette }) => palette.open.set("shortcuts"),
  },
];
