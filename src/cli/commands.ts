import type { Command } from "./command.ts";
import { append } from "./commands/append.ts";
import { completePaths } from "./commands/complete-paths.ts";
import { completion } from "./commands/completion.ts";
import { concat } from "./commands/concat.ts";
import { connect } from "./commands/connect.ts";
import { remove } from "./commands/delete.ts";
import { demo } from "./commands/demo.ts";
import { doctor } from "./commands/doctor.ts";
import { edit } from "./commands/edit.ts";
import { help } from "./commands/help.ts";
import { inbox } from "./commands/inbox.ts";
import { init } from "./commands/init.ts";
import { log } from "./commands/log.ts";
import { mcp } from "./commands/mcp.ts";
import { move } from "./commands/move.ts";
import { open } from "./commands/open.ts";
import { read } from "./commands/read.ts";
import { recall } from "./commands/recall.ts";
import { reindex } from "./commands/reindex.ts";
import { remember } from "./commands/remember.ts";
import { search } from "./commands/search.ts";
import { serve } from "./commands/serve.ts";
import { service } from "./commands/service.ts";
import { show } from "./commands/show.ts";
import { status } from "./commands/status.ts";
import { tree } from "./commands/tree.ts";
import { undo } from "./commands/undo.ts";
import { write } from "./commands/write.ts";

/** The command table, in the order of the help: parsing, help and completion are all made from it. */
export const allCommands: readonly Command[] = [
  tree,
  read,
  search,
  concat,
  recall,
  inbox,
  remember,
  write,
  edit,
  append,
  move,
  remove,
  log,
  show,
  undo,
  serve,
  open,
  mcp,
  connect,
  service,
  init,
  status,
  doctor,
  reindex,
  demo,
  completion,
  help,
  completePaths,
];
