import type { Command } from "./command.ts";
import { append } from "../commands/tools/append.ts";
import { completePaths } from "../commands/complete-paths.ts";
import { completion } from "../commands/completion.ts";
import { concat } from "../commands/tools/concat.ts";
import { connect } from "../commands/connect.ts";
import { remove } from "../commands/tools/delete.ts";
import { demo } from "../commands/demo.ts";
import { doctor } from "../commands/doctor.ts";
import { edit } from "../commands/tools/edit.ts";
import { help } from "../commands/help.ts";
import { inbox } from "../commands/inbox.ts";
import { ingest } from "../commands/ingest.ts";
import { init } from "../commands/init.ts";
import { log } from "../commands/log.ts";
import { mcp } from "../commands/mcp.ts";
import { models } from "../commands/models.ts";
import { move } from "../commands/tools/move.ts";
import { open } from "../commands/open.ts";
import { read } from "../commands/tools/read.ts";
import { recall } from "../commands/recall.ts";
import { reindex } from "../commands/reindex.ts";
import { remember } from "../commands/remember.ts";
import { search } from "../commands/tools/search.ts";
import { serve } from "../commands/serve.ts";
import { service } from "../commands/service.ts";
import { show } from "../commands/show.ts";
import { status } from "../commands/status.ts";
import { tree } from "../commands/tools/tree.ts";
import { undo } from "../commands/undo.ts";
import { write } from "../commands/tools/write.ts";

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
  ingest,
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
  models,
  demo,
  completion,
  help,
  completePaths,
];
