import { AFTER_EACH_TOOL } from "./after-each-tool.ts";
import { AVAILABILITY } from "./availability.ts";
import { JOB_STEPS } from "./job-steps.ts";
import type { DoorStatement } from "./statement.ts";
import { TOOLS_INDEX } from "./tools-index.ts";

/** Over the doors that can write. The service has no model, so no model takes part in it. */
export const AFTER_A_WRITE: readonly DoorStatement[] = [...AFTER_EACH_TOOL, ...JOB_STEPS].map(
  (statement) => ({ ...statement, profile: "update" }),
);

export const TOOLS: readonly DoorStatement[] = [...TOOLS_INDEX, ...AVAILABILITY];
