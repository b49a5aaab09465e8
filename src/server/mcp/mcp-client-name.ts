import {
  CLIENT_INFO_META_KEY,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";

const Envelope = z.object({ [CLIENT_INFO_META_KEY]: z.object({ name: z.string() }) });

/** Of clients that do not say who they are. */
const NAMELESS = "mcp";
const LONGEST_NAME = 100;

/** Said with every request since the protocol of 2026, and once for the connection before. */
export function mcpClientName({ mcpReq }: ServerContext, server: Server): string {
  const told =
    Envelope.safeParse(mcpReq.envelope).data?.[CLIENT_INFO_META_KEY].name ??
    server.getClientVersion()?.name;
  const name = (told ?? "").toWellFormed().replaceAll(/\s+/gu, " ").trim();
  return name === "" ? NAMELESS : name.slice(0, LONGEST_NAME).toWellFormed();
}
