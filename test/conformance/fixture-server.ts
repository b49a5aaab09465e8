import {
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
  McpServer,
  MissingRequiredClientCapabilityError,
  ResourceNotFoundError,
  type CallToolResult,
  type ElicitRequestFormParams,
  type EmbeddedResource,
  type GetPromptResult,
  type InputRequiredResult,
  type ReadResourceResult,
  type Server,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";

import { clientCanAsk } from "../../src/server/mcp/elicitation.ts";
import { serveCompletions } from "../../src/server/mcp/mcp-completions.ts";
import { protocolError } from "../../src/server/mcp/mcp-errors.ts";
import { demoImage } from "../../src/testing/demo-image.ts";
import { DEFAULTS, ENUMS, NEWER_SCHEMA, USER } from "./fixture-schemas.ts";

/*
 * The tools, resources and prompts that the suite asks for by name, on the same HTTP transport, sessions and error answers as the vault's.
 */

const IMAGE = Buffer.from(demoImage()).toString("base64");
const AUDIO = Buffer.from("RIFF$\0\0\0WAVEfmt ").toString("base64");

type Answer = CallToolResult | InputRequiredResult;
type FixtureTool = (context: ServerContext, server: Server) => Promise<Answer> | Answer;

const codec = createRequestStateCodec<{ readonly step: number }>({ key: "k".repeat(32) });

const text = (shown: string): CallToolResult => ({ content: [{ type: "text", text: shown }] });
const image = { type: "image", data: IMAGE, mimeType: "image/png" } as const;
const resource = (uri: string, mimeType: string, shown: string): EmbeddedResource => ({
  type: "resource",
  resource: { uri, mimeType, text: shown },
});

type Form = ElicitRequestFormParams["requestedSchema"];

/** A form of one field. */
const one = (name: string, field: Form["properties"][string]): Form => ({
  type: "object",
  properties: { [name]: field },
  required: [name],
});

/** Asks the person for one thing, and answers when it is there. */
function asking(
  key: string,
  message: string,
  field: string,
  answered: (value: string) => string,
): FixtureTool {
  return ({ mcpReq }) => {
    const given = acceptedContent(mcpReq.inputResponses, key);
    if (typeof given?.[field] === "string") return text(answered(given[field]));
    const request = inputRequired.elicit({
      message,
      requestedSchema: one(field, { type: "string" }),
    });
    return inputRequired({ inputRequests: { [key]: request } });
  };
}

/** The whole form goes to the client, and what came of it to the model. */
function withForm(requestedSchema: Form): FixtureTool {
  return ({ mcpReq }) => {
    const given = acceptedContent(mcpReq.inputResponses, "form");
    if (given !== undefined) {
      return text(`Elicitation completed: action=accept, content=${JSON.stringify(given)}`);
    }
    const form = inputRequired.elicit({ message: "Fill in the form", requestedSchema });
    return inputRequired({ inputRequests: { form } });
  };
}

/** Asks with a state that must come back as it was sent. */
const withState: FixtureTool = async ({ mcpReq }) => {
  const state = mcpReq.requestState<{ readonly step: number }>();
  if (state !== undefined && acceptedContent(mcpReq.inputResponses, "confirm") !== undefined) {
    return text("state-ok");
  }
  const confirm = inputRequired.elicit({
    message: "Please confirm",
    requestedSchema: one("ok", { type: "boolean" }),
  });
  return inputRequired({
    inputRequests: { confirm },
    requestState: await codec.mint({ step: 1 }),
  });
};

const steps: FixtureTool = async ({ mcpReq }) => {
  const { step = 0 } = mcpReq.requestState<{ readonly step: number }>() ?? {};
  if (step === 2) return text("Both steps are done.");
  const [key, message, field] =
    step === 0
      ? ["step1", "Step 1: What is your name?", "name"]
      : ["step2", "Step 2: What is your favorite color?", "color"];
  const request = inputRequired.elicit({
    message,
    requestedSchema: one(field, { type: "string" }),
  });
  return inputRequired({
    inputRequests: { [key]: request },
    requestState: await codec.mint({ step: step + 1 }),
  });
};

const TOOLS: Readonly<Record<string, FixtureTool>> = {
  test_simple_text: () => text("This is a simple text response for testing."),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({
    content: [{ type: "audio", data: AUDIO, mimeType: "audio/wav" }],
  }),
  test_embedded_resource: () => ({
    content: [resource("test://embedded-resource", "text/plain", "This is an embedded resource.")],
  }),
  test_multiple_content_types: () => ({
    content: [
      { type: "text", text: "Multiple content types test:" },
      image,
      resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
    ],
  }),
  test_error_handling: () => ({
    ...text("This tool intentionally returns an error for testing"),
    isError: true,
  }),
  test_tool_with_progress: async ({ mcpReq }) => {
    const { _meta: meta } = mcpReq;
    const progressToken = meta?.progressToken;
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      const params = { progressToken, progress, total: 100 };
      await mcpReq.notify({ method: "notifications/progress", params });
    }
    return text("Done.");
  },
  json_schema_2020_12_tool: () => text("Done."),
  test_elicitation: withForm(USER),
  test_elicitation_sep1034_defaults: withForm(DEFAULTS),
  test_elicitation_sep1330_enums: withForm(ENUMS),
  test_input_required_result_elicitation: asking(
    "user_name",
    "What is your name?",
    "name",
    (given) => `Hello, ${given}!`,
  ),
  test_input_required_result_request_state: withState,
  test_input_required_result_tampered_state: withState,
  test_input_required_result_multi_round: steps,
  test_missing_capability: () => {
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
  },
  test_streaming_elicitation: (context, server) =>
    clientCanAsk(context, server)
      ? asking("name", "What is your name?", "name", (given) => given)(context, server)
      : text("This client cannot be asked."),
  test_logging_tool: () => text("Nothing is logged to clients."),
};

function listed(): Tool[] {
  return Object.keys(TOOLS).map((name) => ({
    name,
    description: `For the conformance suite: ${name}`,
    inputSchema: name === "json_schema_2020_12_tool" ? NEWER_SCHEMA : { type: "object" },
  }));
}

const said = (...content: GetPromptResult["messages"][number]["content"][]): GetPromptResult => ({
  messages: content.map((each) => ({ role: "user", content: each })),
});

type FixturePrompt = (
  given: Readonly<Record<string, string>>,
  context: ServerContext,
) => GetPromptResult | InputRequiredResult;

const PROMPTS: Readonly<Record<string, FixturePrompt>> = {
  test_simple_prompt: () => said({ type: "text", text: "This is a simple prompt for testing." }),
  test_prompt_with_arguments: ({ arg1, arg2 }) =>
    said({ type: "text", text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
  test_prompt_with_embedded_resource: ({ resourceUri = "test://example-resource" }) =>
    said(resource(resourceUri, "text/plain", "Embedded."), { type: "text", text: "Process it." }),
  test_prompt_with_image: () => said(image, { type: "text", text: "Analyze the image." }),
  test_input_required_result_prompt: (_, { mcpReq }) => {
    const given = acceptedContent(mcpReq.inputResponses, "user_context");
    if (given !== undefined) return said({ type: "text", text: JSON.stringify(given) });
    const message = "What context should the prompt use?";
    const request = inputRequired.elicit({
      message,
      requestedSchema: one("context", { type: "string" }),
    });
    return inputRequired({ inputRequests: { user_context: request } });
  },
};

const TEMPLATE = /^test:\/\/template\/([^/]+)\/data$/u;

function contentOf(uri: string): ReadResourceResult["contents"][number] {
  const found = TEMPLATE.exec(uri);
  if (found !== null) {
    return { uri, mimeType: "application/json", text: JSON.stringify({ id: found[1] }) };
  }
  if (uri === "test://static-text") return { uri, mimeType: "text/plain", text: "Static text." };
  if (uri === "test://static-binary") return { uri, mimeType: "image/png", blob: IMAGE };
  throw new ResourceNotFoundError(uri);
}

const onBug = (error: unknown): void => {
  throw error;
};

/** The server that the suite expects, without what coffre does not declare: logging, sampling and roots. */
export function createFixtureServer(): McpServer {
  const mcp = new McpServer(
    { name: "coffre-fixture", version: "1.0.0" },
    { requestState: { verify: async (state, context) => codec.verify(state, context) } },
  );
  const { server } = mcp;
  server.registerCapabilities({
    tools: {},
    prompts: {},
    resources: { subscribe: true, listChanged: true },
  });
  server.setRequestHandler("tools/list", () => ({ tools: listed() }));
  server.setRequestHandler("tools/call", async ({ params: { name } }, context) => {
    const run = TOOLS[name];
    if (run === undefined) throw protocolError(new Error(`no tool ${name}`), name, onBug);
    return run(context, server);
  });
  server.setRequestHandler("prompts/list", () => ({
    prompts: Object.keys(PROMPTS).map((name) => ({ name, description: name })),
  }));
  server.setRequestHandler("prompts/get", ({ params }, context) => {
    const prompt = PROMPTS[params.name];
    if (prompt === undefined) throw protocolError(new Error("no prompt"), params.name, onBug);
    return prompt(params.arguments ?? {}, context);
  });
  server.setRequestHandler("resources/list", () => ({
    resources: ["test://static-text", "test://static-binary"].map((uri) => ({ uri, name: uri })),
  }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [{ name: "template", uriTemplate: "test://template/{id}/data" }],
  }));
  server.setRequestHandler("resources/read", ({ params: { uri } }) => ({
    contents: [contentOf(uri)],
  }));
  server.setRequestHandler("resources/subscribe", () => ({}));
  server.setRequestHandler("resources/unsubscribe", () => ({}));
  serveCompletions(server, async () => ["paris", "park", "party"], onBug);
  return mcp;
}
