import type { Hono } from "hono";
import { z } from "zod";

import type { FileLink, IndexReader } from "../../index/search-index.ts";
import { parsePath, showPath } from "../../vault/paths.ts";
import { checked } from "../http/request.ts";
import type { AppOptions } from "./app.ts";
import type { DeadLinksAnswer, LinksAnswer, NoteLink, TagsAnswer } from "./contract.ts";

const LinksQuery = z.object({ path: z.string().min(1) });
const DeadQuery = z.object({ limit: z.coerce.number().int().min(1).max(10_000).default(200) });

/** `GET /api/links?path=`: the links of a file, and those of other notes to it. `GET /api/links/dead`: links to files that are not there. `GET /api/tags`: all tags. */
export function addLinkRoutes(app: Hono, { service }: Pick<AppOptions, "service">): void {
  app.get("/api/links/dead", async (c) => {
    const { limit } = checked(DeadQuery, c.req.query(), "The query");
    const { index } = service;
    const dead = await index.links.dead();
    const links = dead.slice(0, limit).map(async (link) => shownLink(link, index));
    return c.json<DeadLinksAnswer>({ total: dead.length, links: await Promise.all(links) });
  });

  app.get("/api/tags", async (c) => c.json<TagsAnswer>({ tags: await service.index.tags() }));

  app.get("/api/links", async (c) => {
    const asked = checked(LinksQuery, c.req.query(), "Say which file, ?path=vault/…");
    const { path } = parsePath(asked.path);
    const { index, vault } = service;
    await vault.get(path);
    const [outgoing, incoming] = [await index.links.from(path), await index.links.to(path)];
    return c.json<LinksAnswer>({
      outgoing: await Promise.all(outgoing.map(async (link) => shownLink(link, index))),
      incoming: await Promise.all(incoming.map(async (link) => shownLink(link, index))),
    });
  });
}

async function shownLink(link: FileLink, index: IndexReader): Promise<NoteLink> {
  const { from, line, kind, isEmbed, target, fragment, to } = link;
  const found = await index.lines(from, { start: line, end: line });
  return {
    path: showPath(from),
    line,
    text: found?.lines[0] ?? "",
    kind,
    embed: isEmbed,
    target,
    fragment,
    to: to === null ? null : showPath(to),
  };
}
