import type { Hono } from "hono";

import type { Memory } from "../../agents/memory.ts";
import type { QueuedUpdate } from "../../agents/queue/update-queue.ts";
import { showPath } from "../../vault/paths.ts";
import type { ProposedFile } from "../../vault/overlay/proposed-files.ts";
import type { UpdateView } from "./agent-contract.ts";
import { compare } from "./change-view.ts";
import type { ChangeView } from "./contract.ts";

const NOTHING = Buffer.alloc(0);

/**
 * Answers to a preview.
 * @param viewOf an update as it is shown
 */
export function addPreviewRoutes(
  app: Hono,
  { previews }: Pick<Memory, "previews">,
  viewOf: (update: QueuedUpdate) => UpdateView,
): void {
  app.post("/api/updates/:id/accept", async (c) =>
    c.json(viewOf(await previews.accept(c.req.param("id")))),
  );

  app.post("/api/updates/:id/reject", async (c) =>
    c.json(viewOf(await previews.reject(c.req.param("id")))),
  );
}

/** What a preview would change, one view a file; null for an update that is none. */
export async function proposedChanges(
  { id, status }: QueuedUpdate,
  { previews }: Pick<Memory, "previews">,
): Promise<ChangeView[] | null> {
  if (status !== "preview") return null;
  return Promise.all((await previews.proposed(id)).map(viewProposed));
}

export async function viewProposed({
  path,
  from,
  before,
  after,
}: ProposedFile): Promise<ChangeView> {
  const facts =
    from === null
      ? { kind: kindOf(before, after), path: showPath(path) }
      : ({ kind: "move", path: showPath(from), to: showPath(path) } as const);
  const isSame = before !== null && after !== null && before.equals(after);
  if (isSame) return facts;
  return {
    ...facts,
    ...(await compare(path, before ?? NOTHING, after ?? NOTHING, before === null)),
  };
}

function kindOf(before: Buffer | null, after: Buffer | null): "create" | "modify" | "remove" {
  if (before === null) return "create";
  return after === null ? "remove" : "modify";
}
