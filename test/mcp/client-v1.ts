import { Client } from "mcp-sdk-v1/client/index.js";
import { StdioClientTransport } from "mcp-sdk-v1/client/stdio.js";
import { StreamableHTTPClientTransport } from "mcp-sdk-v1/client/streamableHttp.js";
import type { Transport } from "mcp-sdk-v1/shared/transport.js";
import {
  CallToolResultSchema,
  isInitializeRequest,
  ResourceUpdatedNotificationSchema,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "mcp-sdk-v1/types.js";
import { onTestFinished } from "vitest";

import { mainFile } from "../../src/cli/testing/cli.ts";
import {
  Content,
  type AnyClient,
  type Connect,
  type Connecting,
  type Place,
} from "./any-client.ts";
import { reached } from "./reached.ts";

/** All that this library speaks, but for the draft before the first. */
export const V1_VERSIONS = SUPPORTED_PROTOCOL_VERSIONS.filter((each) => each >= "2024-11-05");

/** The official client of the years before, which most programs still have in them. */
export const connectV1: Connect = async (place, connecting) => {
  const transport = transportTo(place, connecting);
  const negotiated = askFor(connecting.version, transport);
  const client = new Client({ name: "tester", version: "1.0.0" });
  onTestFinished(async () => client.close());
  await client.connect(transport);
  return asAny(client, negotiated());
};

function transportTo(place: Place, { transport, profile }: Connecting): Transport {
  const { root, state } = place;
  if (transport === "stdio") {
    return new StdioClientTransport({
      command: process.execPath,
      args: [mainFile, "mcp", "--profile", profile, "--vault", root, "--state", state],
    });
  }
  const { mcp, headers } = reached(place);
  return new StreamableHTTPClientTransport(mcp(profile), { requestInit: { headers } });
}

/**
 * This client always asks for the latest version it knows: has it ask for another one, as its releases of that time did.
 * @returns what tells the version the server answered with
 */
function askFor(version: string, transport: Transport): () => string | undefined {
  let negotiated: string | undefined;
  const send = transport.send.bind(transport);
  const setVersion = transport.setProtocolVersion?.bind(transport);
  transport.send = async (message, options) =>
    isInitializeRequest(message)
      ? send({ ...message, params: { ...message.params, protocolVersion: version } }, options)
      : send(message, options);
  transport.setProtocolVersion = (answered) => {
    negotiated = answered;
    setVersion?.(answered);
  };
  return () => negotiated;
}

function asAny(client: Client, version: string | undefined): AnyClient {
  return {
    version,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args = {}) => {
      const result = await client.callTool({ name, arguments: args });
      const { content, isError = false } = CallToolResultSchema.parse(result);
      return { content: Content.parse(content), isError };
    },
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    readResource: async (uri) => (await client.readResource({ uri })).contents,
    subscribe: async (uri, onTold) => {
      client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
        onTold(params.uri);
      });
      await client.subscribeResource({ uri });
    },
    prompts: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    prompt: async (name, args) => (await client.getPrompt({ name, arguments: args })).messages,
  };
}
