import type { Hono } from "hono";
import { z } from "zod";

import type { Forgetting } from "../../forget/forget.ts";
import { checked, jsonBody } from "../http/request.ts";
import type { ForgottenAnswer, StandingAnswer } from "./forget-contract.ts";

const Body = z.strictObject({
  value: z.string().min(1),
  as: z.enum(["path", "text"]).nullable().default(null),
  /** Only shows where it stands. */
  dry_run: z.boolean().default(false),
});

/** `POST /api/forget`: shows where a path or text stands, or removes it for good. */
export function addForgetRoutes(app: Hono, forgetting: Forgetting): void {
  app.post("/api/forget", async (c) => {
    const body = checked(Body, await jsonBody(c.req.raw), 'Send {"value": "…"}');
    const { dry_run: isDry, ...target } = body;
    if (isDry) return c.json<StandingAnswer>(await forgetting.find(target));
    return c.json<ForgottenAnswer>(await forgetting.erase(target));
  });
}
