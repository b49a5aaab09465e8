import { z } from "zod";

const Count = z.int().nonnegative();

/** How a service is: for people and programs. */
export const ServiceStatus = z.object({
  vault: z.string(),
  index: z.object({
    engine: z.string(),
    files: Count,
    chunks: Count,
    bytes: Count,
    pending: Count,
  }),
  deep: z.object({
    engine: z.enum(["qmd", "endpoint", "words"]),
    model: z.string().nullable(),
    state: z.enum(["words", "opening", "ready", "embedding", "paused", "failed"]),
    embedded: Count,
    pending: Count,
    problem: z.string().nullable(),
  }),
  watcher: z.object({
    /** Whether the system reported a test write in the state folder, at the last comparison with the disk. */
    alive: z.boolean(),
    folders: Count,
    unwatched: Count,
    lastEvent: z.string().nullable(),
    heartbeat: z.string().nullable(),
  }),
  lastError: z.string().nullable(),
  alarms: z.array(z.string()),
  /** Null when none is configured. */
  model: z.object({ name: z.string(), problem: z.string().nullable() }).nullable(),
  /** How many items wait for an answer. */
  inbox: Count,
  /** How many updates wait, and run. */
  queue: z.object({ waiting: Count, running: Count }),
  /** Files whose frontmatter is left alone, and why. */
  left: z.array(z.object({ path: z.string(), problem: z.string() })),
});

export type ServiceStatus = Readonly<z.infer<typeof ServiceStatus>>;
