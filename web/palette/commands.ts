import type { Services } from "../api/services.ts";
import { fileAddress, historyAddress, HOME, inboxAddress, pathAt } from "../app/addresses.ts";
import { COMMAND_KEY } from "../app/shortcuts.ts";
import { texts } from "../texts/texts.ts";
import { folderOf } from "../tree/paths.ts";

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

const { commands } = texts.palette;
const isAtFile = ({ router }: Services): boolean => pathAt(router.place.get()) !== null;

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
