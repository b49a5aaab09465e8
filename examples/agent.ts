/**
 * An agent on the AI SDK that answers from a vault with the four tools that look.
 *
 *     OPENAI_API_KEY=… node examples/agent.ts VAULT STATE "why did we move the opening?"
 */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { jsonSchema, stepCountIs, streamText, tool, type ToolSet } from "ai";

// In a program of your own: from "coffre".
import { callTool, createService, createSession, inputSchema, toolsOf } from "../src/index.ts";

const [root = "", state = "", question = ""] = process.argv.slice(2);
const { OPENAI_BASE_URL: baseURL = "https://api.openai.com/v1", OPENAI_API_KEY: apiKey = "" } =
  process.env;

const service = await createService({ root, state, isWatching: false });
const { vault, index } = service;
const context = {
  profile: "search",
  vault,
  index,
  session: createSession("agent"),
  now: () => new Date(),
} as const;

const tools: ToolSet = {};
for (const each of toolsOf("search")) {
  tools[each.name] = tool({
    description: each.description,
    inputSchema: jsonSchema({ ...inputSchema(each), type: "object" }),
    execute: async (args: unknown) => {
      const { content } = await callTool(each.name, args, context);
      return content
        .map((part) => (part.type === "text" ? part.text : `[image ${part.path}]`))
        .join("\n");
    },
  });
}

try {
  const model = createOpenAICompatible({ name: "openai", baseURL, apiKey })(
    process.env["MODEL"] ?? "gpt-5",
  );
  const { textStream } = streamText({
    model,
    tools,
    stopWhen: stepCountIs(10),
    instructions:
      "Answer from the person's vault. Look with the tools first, and name your sources with their lines.",
    prompt: question,
  });
  for await (const text of textStream) process.stdout.write(text);
} finally {
  await service.close();
}
