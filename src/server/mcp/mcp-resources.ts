import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Resource,
  type Server,
} from "@modelcontextprotocol/server";

import { ExpectedError } from "../../errors.ts";
import type { McpOptions } from "./mcp-server.ts";
import { ResourceNotifications, resourcePath, resourceUri } from "./resource-notifications.ts";
import type { ListedFile } from "../api/contract.ts";

const TEMPLATE = {
  name: "file",
  title: "A file of the vault",
  uriTemplate: "vault:///{+path}",
  description: "Any file by its path, as on disk. Lists and tools show the paths.",
};

/** Of one file, sent whole: over stdio more than 10 MiB end a connection, base64 and escapes included. */
export const MAX_RESOURCE_BYTES = 5_000_000;

/** Puts the vault's files on a server as resources that can be listed, read and subscribed to. */
export function serveResources(server: Server, options: McpOptions): void {
  const { vault, onBug } = options;
  const notifications = new ResourceNotifications(server, options);
  server.registerCapabilities({ resources: { subscribe: true, listChanged: true } });

  server.setRequestHandler("resources/list", async ({ params }) => {
    const { files, next } = await answered(onBug, "resources/list", async () =>
      vault.listFiles(params?.cursor ?? null),
    );
    return {
      resources: files.map((file) => listed(file)),
      ...(next === null ? {} : { nextCursor: next }),
    };
  });

  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [TEMPLATE] }));

  server.setRequestHandler("resources/read", async ({ params: { uri } }) =>
    answered(onBug, "resources/read", async () => {
      const path = resourcePath(uri);
      try {
        const { mimeType, isText, bytes } = await vault.readFile(path, MAX_RESOURCE_BYTES);
        const body = isText ? { text: bytes.toString("utf8") } : { blob: bytes.toString("base64") };
        return { contents: [{ uri, mimeType, ...body }] };
      } catch (error) {
        if (!(error instanceof ExpectedError) || error.code !== "not_found") throw error;
        throw new ResourceNotFoundError(uri, error.message);
      }
    }),
  );

  server.setRequestHandler("resources/subscribe", ({ params: { uri } }) => {
    notifications.subscribe(uri);
    return {};
  });

  server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
    notifications.unsubscribe(uri);
    return {};
  });
}

function listed({ path, bytes, changed }: ListedFile): Resource {
  const time = changed === null ? Number.NaN : Date.parse(changed);
  return {
    uri: resourceUri(path),
    name: path,
    size: bytes,
    ...(/\.md$/iu.test(path) ? { mimeType: "text/markdown" } : {}),
    ...(Number.isNaN(time) ? {} : { annotations: { lastModified: new Date(time).toISOString() } }),
  };
}

/** Turns expected errors into those of the protocol. */
async function answered<T>(
  onBug: McpOptions["onBug"],
  asked: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    if (error instanceof ExpectedError) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
    }
    onBug(error, asked);
    throw new ProtocolError(ProtocolErrorCode.InternalError, `${asked} failed; see the log.`);
  }
}
