import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { onTestFinished } from "vitest";

import type { RunLimits } from "../agents/agent-run.ts";
import { DEFAULT_LIMITS } from "../agents/agent-run.ts";
import type { Memory } from "../agents/memory.ts";
import type { QueuedUpdate } from "../agents/queue/update-queue.ts";
import type { RememberInput, RunEvent } from "../agents/contract.ts";
import { createService, type Service } from "../compose.ts";
import {
  scriptedSettings,
  startScriptedModel,
  type ScriptedModel,
  type WireFormat,
} from "./models/scripted-model.ts";
import { temporaryFolder, writeFiles, type Files } from "./temporary-vault.ts";

type Script = Parameters<typeof startScriptedModel>[1];

/** A service with its memory, on real folders, and a model that follows a script. */
export interface AgentHome {
  readonly service: Service;
  readonly memory: Memory;
  readonly model: ScriptedModel;
  readonly events: RunEvent[];
  /** What nobody expected. */
  readonly bugs: unknown[];
  readonly read: (name: string) => string;
  readonly write: (name: string, text: string) => void;
  /** Hands over a text and waits until it is filed. */
  readonly remember: (content: string, more?: Partial<RememberInput>) => Promise<QueuedUpdate>;
}

export interface HomeOptions {
  readonly format?: WireFormat;
  readonly limits?: Partial<RunLimits>;
  readonly now?: () => Date;
  readonly attempts?: number;
  readonly dailyTokens?: number;
}

export async function agentHome(
  files: Files,
  script: Script,
  { format = "openai", limits = {}, now, attempts = 4, dailyTokens }: HomeOptions = {},
): Promise<AgentHome> {
  const folder = temporaryFolder();
  const [root, state] = [path.join(folder, "notes"), path.join(folder, "state")];
  mkdirSync(root);
  writeFiles(root, files);
  const model = await startScriptedModel(format, script);
  onTestFinished(() => model.close());
  const bugs: unknown[] = [];
  const service = await createService({
    frontmatter: "all",
    root,
    state,
    isWatching: false,
    ...(now === undefined ? {} : { now }),
    memory: {
      model: scriptedSettings(model, format),
      ...(dailyTokens === undefined ? {} : { dailyTokens }),
      onBug: (error) => bugs.push(error),
      limits: { ...DEFAULT_LIMITS, ...limits },
      retries: { attempts, firstWait: 1 },
    },
  });
  // Some tests close it themselves.
  onTestFinished(async () => service.close().catch(() => {}));
  const { memory } = service;
  if (memory === null) throw new Error("no memory");
  const events: RunEvent[] = [];
  return {
    service,
    memory,
    model,
    events,
    bugs,
    read: (name) => readFileSync(path.join(root, name), "utf8"),
    write: (name, text) => writeFileSync(path.join(root, name), text),
    remember: async (content, more = {}) => {
      const { id } = await memory.remember({ content, from: "test", ...more });
      memory.follow(id, (event) => events.push(event));
      return memory.updates.ended(id);
    },
  };
}
