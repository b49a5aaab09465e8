import type { ModelState } from "./agents/model/configured-model.ts";
import type { DeepStatus } from "./index/deep/deep-index.ts";

/** The state of a service, for people and programs. */
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
    /** Whether the system reported a test write in the state folder, at the last comparison with the disk. */
    readonly alive: boolean;
    readonly folders: number;
    readonly unwatched: number;
    /** Local times of the last event, and of the last test that passed. */
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
  /** Files whose frontmatter is not updated, and why. */
  readonly left: readonly { readonly path: string; readonly problem: string }[];
}
