import { Hono } from "hono";
import { z } from "zod";

import type { Service } from "../compose.ts";
import { callTool, type CallResult } from "../tools/call.ts";
import type { Profile } from "../tools/define.ts";
import { ExpectedError } from "../vault/errors.ts";
import { parsePath } from "../vault/paths.ts";
import { ClientSessions } from "./client-sessions.ts";
import { ChangedBody, CLIENT_HEADER, ProfileName, type Status } from "./contract.ts";
import { bugResponse, problemResponse } from "./problem.ts";
import { jsonBody } from "./request-body.ts";

/** What of the service is put within reach. */
export type Served = Pick<Service, "vault" | "index" | "changed" | "rescan" | "status">;

export interface AppOptions {
  readonly service: Served;
  readonly version: string;
  readonly now: () => Date;
  /** Hears of errors nobody expected, with their stack, and of what was asked. */
  readonly onBug: (error: unknown, asked: string) => void;
}

/** Of callers that do not say who they are: all of them are one client. */
const NAMELESS = "http";
const LONGEST_NAME = 200;

/** The service over HTTP, whatever carries it: a socket of this machine, or TCP with its guards before it. */
export function createApp({ service, version, now, onBug }: AppOptions): Hono {
  const { vault, index } = service;
  const sessions = new ClientSessions();
  const app = new Hono();

  app.get("/api/alive", (c) => c.body(null, 204));

  app.get("/api/status", async (c) => {
    const status: Status = { ...(await service.status()), version };
    return c.json(status);
  });

  app.post("/api/tools/:name", async (c) => {
    const name = c.req.param("name");
    const profile = profileOf(c.req.query("profile"));
    const session = sessions.of(clientName(c.req.header(CLIENT_HEADER)));
    const args = await jsonBody(c.req.raw);
    const common = { vault, index, session, now };
    const result =
      profile === "search"
        ? await callTool(name, args, { ...common, profile }, { onBug })
        : await callTool(name, args, { ...common, profile, batch: null }, { onBug });
    refuseUnknown(result);
    return Response.json({ ...result, structured: result.structured ?? null });
  });

  app.post("/api/changed", async (c) => {
    const body = ChangedBody.safeParse(await jsonBody(c.req.raw));
    if (!body.success) {
      throw new ExpectedError(
        "invalid_argument",
        `Send {"paths": ["vault/…", …]}: ${z.prettifyError(body.error)}`,
      );
    }
    await service.changed(body.data.paths.map((text) => parsePath(text).path));
    return c.body(null, 204);
  });

  app.post("/api/rescan", async (c) => c.json(await service.rescan()));

  app.notFound((c) =>
    problemResponse({
      code: "not_found",
      message: `There is no ${c.req.method} ${c.req.path} here.`,
    }),
  );

  app.onError((error, c) => {
    if (error instanceof ExpectedError) return problemResponse(error);
    onBug(error, `${c.req.method} ${c.req.path}`);
    return bugResponse();
  });

  return app;
}

function profileOf(text: string | undefined): Profile {
  const profile = ProfileName.default("update").safeParse(text);
  if (profile.success) return profile.data;
  throw new ExpectedError(
    "invalid_argument",
    `There is no profile ${JSON.stringify(text)}. There are: ${ProfileName.options.join(", ")}.`,
  );
}

/** Headers carry no accents, so a client encodes its name; one that does not need to may leave it plain. */
function clientName(header: string | undefined): string {
  if (header === undefined || header === "") return NAMELESS;
  if (header.length > LONGEST_NAME) {
    throw new ExpectedError(
      "invalid_argument",
      `The name in ${CLIENT_HEADER} has ${header.length} characters; at most ${LONGEST_NAME} are accepted.`,
    );
  }
  try {
    return decodeURIComponent(header);
  } catch {
    return header;
  }
}

const UnknownTool = z.object({
  error: z.object({ code: z.literal("unknown_tool"), message: z.string() }),
});

/** A tool that does not exist is a wrong address; whatever an existing tool answers is an answer. */
function refuseUnknown({ isError, structured }: CallResult): void {
  const unknown = UnknownTool.safeParse(structured);
  if (isError && unknown.success) {
    throw new ExpectedError("unknown_tool", unknown.data.error.message);
  }
}
