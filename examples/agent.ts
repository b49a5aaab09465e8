/** An agent that answers from a vault: `OPENAI_API_KEY=… node examples/agent.ts VAULT STATE "why did we move the opening?"` */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { jsonSchema, stepCountIs, streamText, tool, type ToolSet } from "ai";

// In a program of your own: from "coffre".
import { callTool, createService, createSession, inputSchema, toolsOf } from "../src/index.ts";

const [root = "", state = "", question = ""] = process.argv.slice(2);
const { OPENAI_BASE_URL, OPENAI_API_KEY: apiKey = "", MODEL = "gpt-5" } = process.env;
const baseURL = OPENAI_BASE_URL ?? "https://api.openai.com/v1";

const service = await createService({ root, state, isWatching: false });
const { vault, index } = service;
const session = createSession("agent");
const context = { profile: "search", vault, index, session, now: () => new Date() } as const;

const tools: ToolSet = {};
for (const each of toolsOf("search")) {
  tools[each.name] = tool({
    description: each.description,
    inputSchema: jsonSchema({ ...inputSchema(each), type: "object" }),
    execute: async (args: unknown) => {
      const { content } = await callTool(each.name, args, context);
      return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
    },
  });
}

const { textStream } = streamText({
  model: createOpenAICompatible({ name: "openai", baseURL, apiKey })(MODEL),
  tools,
  stopWhen: stepCountIs(10),
  instructions: "Answer from the person's vault: look first, and name your sources.",
  prompt: question,
});
for await (const text of textStream) process.stdout.write(text);
await service.close();
