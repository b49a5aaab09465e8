import type { Hono } from "hono";
import { z } from "zod";

import { showPath } from "../../vault/paths.ts";
import { checked } from "../http/request.ts";
import type { AppOptions } from "./app.ts";
import type { PlacesAnswer, ValuesAnswer } from "./contract.ts";

const Limit = z.coerce.number().int().min(1).max(200).default(20);
const PlacesQuery = z.object({ q: z.string().max(500), limit: Limit });
const ValuesQuery = z.object({
  key: z.string().min(1).max(200).optional(),
  q: z.string().max(500).default(""),
  limit: Limit,
});

/** For somebody who types: `GET /api/places?q=` finds notes by name and alias, and headings; `GET /api/properties?key=&q=` what keys and values there are. */
export function addPlaceRoutes(app: Hono, { service }: Pick<AppOptions, "service">): void {
  app.get("/api/places", async (c) => {
    const { q, limit } = checked(PlacesQuery, c.req.query(), "Say what to look for, ?q=…");
    const found = await service.index.places.find(q, limit);
    const places = found.map((place) => ({ ...place, path: showPath(place.path) }));
    return c.json<PlacesAnswer>({ places });
  });

  app.get("/api/properties", async (c) => {
    const { key = null, q, limit } = checked(ValuesQuery, c.req.query(), "The query");
    return c.json<ValuesAnswer>({ values: await service.index.places.values(key, q, limit) });
  });
}
