import {
  Client,
  StreamableHTTPClientTransport,
  type ClientOptions,
} from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";

import { connectMcp } from "../../src/cli/testing/mcp-client.ts";
import { Content, type AnyClient, type Connect } from "./any-client.ts";
import { reached } from "./reached.ts";

/** The first version without greeting and sessions. */
const MODERN = "2026-07-28";

export const V2_VERSIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", MODERN];

/** The official client of today. */
export const connectV2: Connect = async (place, { transport, version, profile }) => {
  const options = speaking(version);
  if (transport === "stdio") {
    const { client } = await connectMcp(place, { profile, ...options });
    return asAny(client);
  }
  const { mcp, headers } = reached(place);
  const client = new Client({ name: "tester", version: "1.0.0" }, options);
  onTestFinished(async () => client.close());
  await client.connect(
    new StreamableHTTPClientTransport(mcp(profile), { requestInit: { headers } }),
  );
  return asAny(client);
};

/** Has the client speak this version and no other. */
export function speaking(version: string): ClientOptions {
  return version === MODERN
    ? { versionNegotiation: { mode: { pin: version } } }
    : { supportedProtocolVersions: [version] };
}

function asAny(client: Client): AnyClient {
  const version = client.getNegotiatedProtocolVersion();
  return {
    version,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args = {}) => {
      const { content, isError = false } = await client.callTool({ name, arguments: args });
      return { content: Content.parse(content), isError };
    },
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    readResource: async (uri) => (await client.readResource({ uri })).contents,
    subscribe: async (uri, onTold) => {
      client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
        onTold(params.uri);
      });
      if (version === MODERN) await client.listen({ resourceSubscriptions: [uri] });
      else await client.subscribeResource({ uri });
    },
    prompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    prompt: async (name, args) => (await client.getPrompt({ name, arguments: args })).messages,
  };
}
