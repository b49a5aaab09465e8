/** A server with one tool that answers with a text and a structure: to see which of them a client shows its model. With `schema` it declares the structure, too. */
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const isDeclared = process.argv[2] === "schema";

serveStdio(() => {
  const server = new McpServer({ name: "coffre", version: "1" });
  server.registerTool(
    "look_up",
    {
      description: "Looks up what the vault says.",
      annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
      ...(isDeclared ? { outputSchema: z.object({ words: z.string() }) } : {}),
    },
    () => ({
      content: [{ type: "text", text: "These words are in the text." }],
      structuredContent: { words: "These words are in the structure." },
    }),
  );
  return server;
});
