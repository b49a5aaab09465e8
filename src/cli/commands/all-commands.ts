import type { Command, ListedCommand } from "../table/command.ts";
import { append } from "./tools/append.ts";
import { completePaths } from "./complete-paths.ts";
import { completion } from "./completion.ts";
import { concat } from "./tools/concat.ts";
import { connect } from "./connect.ts";
import { remove } from "./tools/delete.ts";
import { demo } from "./demo.ts";
import { doctor } from "./doctor.ts";
import { edit } from "./tools/edit.ts";
import { help } from "./help.ts";
import { inbox } from "./inbox.ts";
import { ingest } from "./ingest.ts";
import { init } from "./init.ts";
import { log } from "./log.ts";
import { mcp } from "./mcp.ts";
import { models } from "./models.ts";
import { move } from "./tools/move.ts";
import { open } from "./open.ts";
import { read } from "./tools/read.ts";
import { recall } from "./recall.ts";
import { reindex } from "./reindex.ts";
import { remember } from "./remember.ts";
import { search } from "./tools/search.ts";
import { serve } from "./serve.ts";
import { service } from "./service.ts";
import { show } from "./show.ts";
import { status } from "./status.ts";
import { tree } from "./tools/tree.ts";
import { undo } from "./undo.ts";
import { write } from "./tools/write.ts";

/** The commands by what one wants to do, in the order of the help. */
const GROUPS: Readonly<Record<string, readonly Command[]>> = {
  Look: [tree, read, search, concat, recall, inbox],
  Change: [remember, write, edit, append, move, remove, ingest],
  History: [log, show, undo],
  Vault: [serve, open, mcp, connect, service, init, status, doctor, reindex, models],
  Help: [demo, completion, help, completePaths],
};

/** The command table: parsing, help and completion are all made from it. */
export const allCommands: readonly ListedCommand[] = Object.entries(GROUPS).flatMap(
  ([group, commands]) => commands.map((command) => ({ ...command, group })),
);
