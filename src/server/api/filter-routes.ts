import type { Hono } from "hono";
import { z } from "zod";

import { checked } from "../http/request.ts";
import type { AppOptions } from "./app.ts";
import type { FiltersAnswer } from "./contract.ts";

const MOST = 8;
const FiltersQuery = z.object({ typed: z.string().max(200) });

/** `GET /api/filters?typed=`: filters that the end of a query may become, `tag:wo` into `tag:work`. */
export function addFilterRoutes(app: Hono, { service }: Pick<AppOptions, "service">): void {
  app.get("/api/filters", async (c) => {
    const { typed } = checked(FiltersQuery, c.req.query(), "Say what was typed, ?typed=tag:…");
    return c.json<FiltersAnswer>({ filters: await service.index.completions(typed, MOST) });
  });
}
