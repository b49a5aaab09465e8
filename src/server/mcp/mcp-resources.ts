import { ResourceNotFoundError, type Resource, type Server } from "@modelcontextprotocol/server";

import { ExpectedError } from "../../errors.ts";
import { completePath, type Completer } from "./mcp-completions.ts";
import { protocolError } from "./mcp-errors.ts";
import type { McpOptions } from "./mcp-server.ts";
import { resourcePath, resourceUri, serveSubscriptions } from "./resource-notifications.ts";
import type { ListedFile } from "../api/contract.ts";

const TEMPLATE = {
  name: "file",
  title: "A file of the vault",
  uriTemplate: "vault:///{+path}",
  description: "Any file by its path, as on disk. Lists and tools show the paths.",
};

/** Of one file, sent whole: over stdio more than 10 MiB end a connection, base64 and escapes included. */
export const MAX_RESOURCE_BYTES = 5_000_000;

/**
 * Puts the vault's files on a server as resources that can be listed, read and subscribed to.
 * @returns begins to notify the client of changes; see {@link serveSubscriptions}
 */
export function serveResources(server: Server, options: McpOptions): () => void {
  const { vault, onBug } = options;
  server.registerCapabilities({ resources: { subscribe: true, listChanged: true } });
  const begin = serveSubscriptions(server, options);

  server.setRequestHandler("resources/list", async ({ params }) => {
    begin();
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
      begin();
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
  return begin;
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

/** What the path of the template may be. */
export function resourceCompleter({ vault }: Pick<McpOptions, "vault">): Completer {
  return async (ref, { name, value }) => {
    if (ref.type !== "ref/resource" || ref.uri !== TEMPLATE.uriTemplate) return null;
    return name === "path" ? completePath(value, vault) : null;
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
    throw protocolError(error, asked, onBug);
  }
}
