import { z } from "zod";

import { callTool, type CallResult } from "../../tools/call.ts";
import type { Profile } from "../../tools/define.ts";
import type { Session } from "../../tools/session.ts";
import type { AppOptions } from "./app.ts";
import { silentLog } from "../http/log.ts";

export interface ToolCall {
  readonly name: string;
  readonly args: unknown;
  readonly profile: Profile;
  /** Who calls, for the history. */
  readonly client: string;
  /** What `search` and `tree` may show; all there is when left out. */
  readonly mostTokens?: number;
}

const NOT_WHOLE = {
  type: "text",
  text: "The vault is still being looked at for the first time: files are missing here. Call tree again in a moment.",
} as const;

const Refused = z.object({ error: z.object({ code: z.string() }) });

/** Runs tools on the vault of this process, for whoever asks over whatever, and keeps account of it. */
export function toolCalls({
  service,
  now,
  onBug,
  log = silentLog,
}: Pick<AppOptions, "service" | "now" | "onBug" | "log">): (
  call: ToolCall,
  session: Session,
) => Promise<CallResult> {
  const { vault, index } = service;
  return async ({ name, args, profile, client, mostTokens }, session) => {
    const started = performance.now();
    const bound = mostTokens === undefined ? {} : { mostTokens };
    const common = { vault, index, session, now, ...bound };
    const isWhole = name !== "tree" || (await service.surveyed());
    const result =
      profile === "search"
        ? await callTool(name, args, { ...common, profile }, { onBug })
        : await callTool(name, args, { ...common, profile, batch: null }, { onBug });
    const ms = Math.round((performance.now() - started) * 10) / 10;
    const code = Refused.safeParse(result.structured).data?.error.code;
    const refused = result.isError ? { refused: code ?? true } : {};
    log.info({ tool: name.slice(0, 50), profile, client, ms, ...refused }, "tool");
    return isWhole ? result : { ...result, content: [...result.content, NOT_WHOLE] };
  };
}
