import type { ModelState } from "./agents/model/providers.ts";
import type { DeepStatus } from "./index/deep/deep-index.ts";

/** How a service is: what it says of itself to people and programs. */
export interface ServiceStatus {
  readonly vault: string;
  readonly index: {
    readonly engine: string;
    readonly files: number;
    readonly chunks: number;
    readonly bytes: number;
    readonly pending: number;
  };
  readonly deep: DeepStatus;
  readonly watcher: {
    /** Proven just now: a file was written in the state folder, and the system told of it. */
    readonly alive: boolean;
    readonly folders: number;
    readonly unwatched: number;
    readonly lastEvent: string | null;
    readonly heartbeat: string | null;
  };
  readonly lastError: string | null;
  readonly alarms: readonly string[];
  /** Null when none is configured. */
  readonly model: ModelState | null;
  /** How many items wait for an answer. */
  readonly inbox: number;
  /** How many updates wait, and run. */
  readonly queue: { readonly waiting: number; readonly running: number };
  /** Files whose frontmatter is left alone, and why. */
  readonly left: readonly { readonly path: string; readonly problem: string }[];
}
