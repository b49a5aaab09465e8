import { z } from "zod";

import { allTools } from "../../../tools/registry.ts";
import { Challenge, metadataAddress } from "../../../team/identity/challenge.ts";
import { jsonBody } from "../../http/request.ts";
import { memoryTools } from "../../mcp/memory-tools.ts";
import type { TeamCaller } from "../callers.ts";

const CHANGING = new Set(
  [...allTools, ...memoryTools].filter(({ effect }) => effect !== "read").map(({ name }) => name),
);

const Call = z.object({
  method: z.literal("tools/call"),
  params: z.object({ name: z.string() }),
});

/**
 * Whether a request to an MCP server needs a scope that its token was not given: then the client can ask its person for more (RFC 6750). Others
 * than a provider's tokens cannot be given more: their tools answer what is not allowed.
 * @param resource the address of the MCP server
 * @returns the refusal; null when there is none
 */
export async function scopeRefusal(
  request: Request,
  { credential, limit }: TeamCaller,
  resource: string,
): Promise<Challenge | null> {
  const isLimited = credential === "oidc" && !limit.scopes.includes("vault:write");
  if (!isLimited || request.method !== "POST") return null;
  const body: unknown = await jsonBody(request.clone()).catch(() => null);
  const isChanging = (Array.isArray(body) ? body : [body]).some((each) => {
    const call = Call.safeParse(each);
    return call.success && CHANGING.has(call.data.params.name);
  });
  return isChanging ? new Challenge("insufficient_scope", metadataAddress(resource)) : null;
}
