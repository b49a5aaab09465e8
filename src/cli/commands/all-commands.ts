import type { Command, ListedCommand } from "../table/command.ts";
import { findCommand } from "../table/parse.ts";

type Loader = () => Promise<Command>;

/** The commands by what one wants to do, in the order of the help. Each is loaded when it is run: most command lines need one. */
const GROUPS: Readonly<Record<string, Readonly<Record<string, Loader>>>> = {
  Look: {
    tree: async () => (await import("./tools/tree.ts")).tree,
    read: async () => (await import("./tools/read.ts")).read,
    search: async () => (await import("./tools/search.ts")).search,
    concat: async () => (await import("./tools/concat.ts")).concat,
    recall: async () => (await import("./recall.ts")).recall,
    verify: async () => (await import("./verify.ts")).verify,
    inbox: async () => (await import("./inbox.ts")).inbox,
  },
  Change: {
    remember: async () => (await import("./remember.ts")).remember,
    tidy: async () => (await import("./keep/tidy.ts")).tidy,
    write: async () => (await import("./tools/write.ts")).write,
    edit: async () => (await import("./tools/edit.ts")).edit,
    append: async () => (await import("./tools/append.ts")).append,
    move: async () => (await import("./tools/move.ts")).move,
    delete: async () => (await import("./tools/delete.ts")).remove,
    ingest: async () => (await import("./ingest.ts")).ingest,
  },
  History: {
    log: async () => (await import("./log.ts")).log,
    show: async () => (await import("./show.ts")).show,
    undo: async () => (await import("./undo.ts")).undo,
    backup: async () => (await import("./keep/backup.ts")).backup,
    forget: async () => (await import("./keep/forget.ts")).forget,
    restore: async () => (await import("./keep/restore.ts")).restore,
    import: async () => (await import("./keep/import.ts")).importFolder,
    export: async () => (await import("./keep/export.ts")).exportVault,
  },
  Vault: {
    serve: async () => (await import("./serve.ts")).serve,
    open: async () => (await import("./open.ts")).open,
    mcp: async () => (await import("./mcp.ts")).mcp,
    connect: async () => (await import("./connect.ts")).connect,
    service: async () => (await import("./service.ts")).service,
    init: async () => (await import("./init.ts")).init,
    adopt: async () => (await import("./adopt.ts")).adopt,
    private: async () => (await import("./keep/private.ts")).privateFolders,
    team: async () => (await import("./keep/team.ts")).team,
    status: async () => (await import("./status.ts")).status,
    doctor: async () => (await import("./doctor.ts")).doctor,
    reindex: async () => (await import("./reindex.ts")).reindex,
    models: async () => (await import("./models.ts")).models,
  },
  Help: {
    demo: async () => (await import("./demo.ts")).demo,
    completion: async () => (await import("./completion.ts")).completion,
    help: async () => (await import("./help.ts")).help,
    "__complete-paths": async () => (await import("./complete-paths.ts")).completePaths,
  },
};

const LOADERS = new Map(Object.values(GROUPS).flatMap((group) => Object.entries(group)));

/** The command table: parsing, help and completion are all made from it. */
export async function allCommands(): Promise<ListedCommand[]> {
  const listed = Object.entries(GROUPS).flatMap(([group, commands]) =>
    Object.values(commands).map(async (load) => ({ ...(await load()), group })),
  );
  return Promise.all(listed);
}

/** The command of that name. Throws a usage error with the name that was probably meant. */
export async function commandCalled(name: string): Promise<Command> {
  return (await LOADERS.get(name)?.()) ?? findCommand(name, await allCommands());
}
