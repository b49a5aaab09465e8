import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { onTestFinished } from "vitest";

import type { RunLimits } from "../agents/limits.ts";
import { DEFAULT_LIMITS } from "../agents/limits.ts";
import type { Memory, RememberInput, UpdateTask } from "../agents/memory.ts";
import type { RunEvent } from "../agents/run-events.ts";
import { createService, type Service } from "../compose.ts";
import { startScriptedModel, type ScriptedModel, type WireFormat } from "./scripted-model.ts";
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
  readonly remember: (content: string, more?: Partial<RememberInput>) => Promise<UpdateTask>;
}

export interface HomeOptions {
  readonly format?: WireFormat;
  readonly limits?: Partial<RunLimits>;
  readonly now?: () => Date;
  readonly attempts?: number;
}

/** A key that must appear nowhere. */
export const SECRET_KEY = "sk-very-secret-key-0123456789";

/** Settings for a scripted model. */
export function scriptedSettings(
  { baseUrl }: Pick<ScriptedModel, "baseUrl">,
  format: WireFormat = "openai",
): { name: string; baseUrl: string; keys: Record<string, string> } {
  const provider = format === "openai" ? "openai-compatible" : "anthropic";
  return { name: `${provider}/scripted`, baseUrl, keys: { [provider]: SECRET_KEY } };
}

export async function agentHome(
  files: Files,
  script: Script,
  { format = "openai", limits = {}, now, attempts = 4 }: HomeOptions = {},
): Promise<AgentHome> {
  const folder = temporaryFolder();
  const [root, state] = [path.join(folder, "notes"), path.join(folder, "state")];
  mkdirSync(root);
  writeFiles(root, files);
  const model = await startScriptedModel(format, script);
  onTestFinished(() => model.close());
  const bugs: unknown[] = [];
  const service = await createService({
    root,
    state,
    isWatching: false,
    ...(now === undefined ? {} : { now }),
    memory: {
      model: scriptedSettings(model, format),
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

/** A small vault to file things in. */
export const houseFiles: Files = {
  "overview.md":
    "# Overview\n\n## Projects\n\n- **house** (active): the roof. Start not known.\n- **boat** (asleep): a dinghy to paint.\n\n## Inbox\n\nNothing waits.\n",
  "profile.md": "# Profile\n\nMaud Ferrer, carpenter.\n",
  "tasks.md":
    "# Renew the library card\nstatus: todo | prio: low | added: 2026-11-01 | project: —\n",
  "changelog.md": "# 2026-11-01\n\n## Moved in\nAt last.\n",
  "projects/house/description.md": "# The house\n\nA new roof before winter.\n",
  "projects/house/state.md":
    "## Status\n\nActive.\n\n## Roof\n\nStart not known. Deposit not paid.\n",
  "projects/house/tasks.md":
    "# Pay the deposit to Hale\nstatus: todo | prio: high | added: 2026-11-03 | project: house\n",
  "projects/house/changelog.md":
    "# 2026-11-04\n\n## [decision] Hale does the roof\nDearer by 300, but before the frost.\n",
  "projects/house/bucket/2026-11-03-mail-quotes.md":
    "# Quotes\n\nHale: 4,300. Brand: 4,000, in spring.\n",
  "projects/boat/state.md": "## Status\n\nAsleep until spring. The varnish is ordered.\n",
  "projects/boat/changelog.md": "# 2026-10-02\n\n## Hull sanded\nBefore the rain.\n",
};
