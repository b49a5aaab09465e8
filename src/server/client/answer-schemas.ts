import { z } from "zod";

import { Count } from "../api/contract.ts";

/** What answers of a service are checked with, except those of tools. */
export { InboxItemText, RecallAnswer, RunEvent } from "../../agents/contract.ts";
export { Filed, FilingHelp } from "../../agents/client-model/filing-contract.ts";
export { Verified } from "../../evidence/contract.ts";
export { IngestProgress } from "../../ingest/contract.ts";
export { AcceptedAnswer, InboxAnswer, TidyAnswer, UpdateAnswer } from "../api/agent-contract.ts";
export * as api from "../api/contract.ts";
export { FileChanges } from "../api/contract.ts";
export { ForgottenAnswer, StandingAnswer } from "../api/forget-contract.ts";

/** Of an adoption or an undo. */
export const Progress = z.object({ done: Count, total: Count });
