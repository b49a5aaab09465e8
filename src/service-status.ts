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
    /** Files that it will have when all that is there is indexed. */
    total: Count.optional(),
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
  /** Tokens that models read and wrote today, and how many they may; null where nobody counts. */
  spent: z
    .object({ day: z.string(), input: Count, output: Count, cached: Count, most: Count.nullable() })
    .nullable()
    // A service of an older version does not say.
    .default(null),
  /** How many items wait for an answer. */
  inbox: Count,
  /** How many updates wait, and run. */
  queue: z.object({ waiting: Count, running: Count }),
  /** Whether the vault is looked through for what is untidy every day, and the local time when it was last. */
  tidy: z
    .object({ daily: z.boolean(), last: z.string().nullable() })
    .default({ daily: false, last: null }),
  /** Files, and folders with all in them, that a `.coffreignore` hides, and that a `.gitignore` or their name keeps out of lists. */
  ignored: z
    .object({ hidden: Count, unlisted: Count })
    // A service of an older version does not say.
    .default({ hidden: 0, unlisted: 0 }),
  /** Who gets frontmatter, whether that was chosen or is the default, and how many files are left as they are for which reason. */
  frontmatter: z.object({
    setting: z.enum(["all", "own", "none"]),
    chosen: z.boolean(),
    left: z.record(z.string(), Count),
  }),
  /** Some of the files whose frontmatter, or a key of it, is left as it is for a reason of their own. */
  left: z.array(z.object({ path: z.string(), problem: z.string(), reason: z.string().optional() })),
});

export type ServiceStatus = Readonly<z.infer<typeof ServiceStatus>>;
