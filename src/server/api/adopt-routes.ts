import type { Hono } from "hono";
import { z } from "zod";

import type { Frontmatter } from "../../frontmatter.ts";
import { FRONTMATTER_POLICIES } from "../../vault/frontmatter-policy.ts";
import { showPath } from "../../vault/paths.ts";
import { runStream, wantsEvents, type OnEvent } from "../http/event-stream.ts";
import { CALLERS, checked, clientOf, jsonBody } from "../http/request.ts";
import type { AppOptions } from "./app.ts";
import { compare } from "./change-view.ts";
import type { AdoptedAnswer, AdoptionAnswer } from "./contract.ts";

const AdoptBody = z.union([
  z.strictObject({ frontmatter: z.enum(FRONTMATTER_POLICIES) }),
  z.strictObject({ forget_old: z.literal(true) }),
]);

/** `GET /api/adopt`: what is there, and what each setting would change. `POST /api/adopt`: chooses one, and does it. */
export function addAdoptRoutes(
  app: Hono,
  frontmatter: Frontmatter,
  onBug: AppOptions["onBug"],
): void {
  app.get("/api/adopt", async (c) => c.json<AdoptionAnswer>(await adoptionAnswer(frontmatter)));

  app.post("/api/adopt", async (c) => {
    const { raw } = c.req;
    const body = checked(AdoptBody, await jsonBody(raw), 'Send {"frontmatter": "own"}');
    if ("forget_old" in body) return c.json({ forgotten: await frontmatter.forgetOld() });
    const actor = clientOf(raw, CALLERS.page);
    const run = async (onEvent: OnEvent): Promise<AdoptedAnswer> =>
      frontmatter.adopt(body.frontmatter, actor, (done, total) =>
        onEvent({ type: "progress", done, total }),
      );
    if (wantsEvents(raw)) return runStream(c, run, (error) => onBug(error, "an adoption"));
    return c.json<AdoptedAnswer>(await run(() => {}));
  });
}

async function adoptionAnswer(frontmatter: Frontmatter): Promise<AdoptionAnswer> {
  const { policy: setting, isChosen: chosen } = frontmatter;
  const { examples, hasTree, ownKeys, readOnly, unstamped, wrong, ...counts } =
    await frontmatter.preview();
  const diffs = examples.map(async ({ path, before, after }) => {
    const { diff = null, hunks = [] } = await compare(
      path,
      Buffer.from(before),
      Buffer.from(after),
    );
    return { path: showPath(path), diff, hunks };
  });
  const removed = hasTree ? ["vault/tree.md"] : [];
  return {
    setting,
    chosen,
    ...counts,
    own_keys: ownKeys,
    read_only: readOnly,
    choices: {
      all: { changed: unstamped + wrong, removed: [] },
      // After `none`, those are corrected when they change.
      own: { changed: setting === "none" ? 0 : wrong, removed },
      none: { changed: 0, removed },
    },
    examples: await Promise.all(diffs),
  };
}
