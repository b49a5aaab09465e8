import { createServer } from "node:http";

import { z } from "zod";

import { startScriptedModel } from "../src/testing/models/scripted-model.ts";
import type { CleanUp } from "./clean-up.ts";

const VECTOR_LENGTH = 8;
const Embedded = z.object({ input: z.array(z.string()) });

/** A model that appends one entry and reports it; its address. */
export async function startModel(cleanUp: CleanUp): Promise<string> {
  const content = "# 2026-11-16\n\n## The note\nFiled.";
  const args = { path: "vault/projects/house/changelog.md", content, position: "top" };
  const model = await startScriptedModel("openai", ({ last }) =>
    last.includes("History: ")
      ? { text: "House: one entry." }
      : { calls: [{ name: "append", args }] },
  );
  cleanUp.add(() => model.close());
  return model.baseUrl;
}

/** An embedding server whose vectors mean nothing; its address. */
export async function startEmbeddings(cleanUp: CleanUp): Promise<string> {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => (body += String(part)));
    request.on("end", () => {
      const { input } = Embedded.parse(JSON.parse(body));
      const data = input.map((text, index) => ({ index, embedding: vectorOf(text) }));
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanUp.add(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/v1`;
}

function vectorOf(text: string): number[] {
  return Array.from({ length: VECTOR_LENGTH }, (_, at) => (text.charCodeAt(at) || 1) / 500);
}
