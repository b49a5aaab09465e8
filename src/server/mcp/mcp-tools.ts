import {
  CLIENT_INFO_META_KEY,
  type CallToolResult,
  type InputRequiredResult,
  type Server,
  type ServerContext,
  type Tool as ListedTool,
} from "@modelcontextprotocol/server";
import { z } from "zod";

import { ExpectedError } from "../../errors.ts";
import { runTool, toolNamed } from "../../tools/call.ts";
import { refusal, type CallResult } from "../../tools/call-result.ts";
import { textOutput, type ToolFor } from "../../tools/define.ts";
import { MODEL_TOKENS } from "../../tools/output.ts";
import { inputSchema, toolsOf } from "../../tools/registry.ts";
import { CALLERS } from "../http/request.ts";
import { answerIn, asking, clientCanAsk, processSeal, type PersonQuestion } from "./elicitation.ts";
import { toolIcons } from "./icons.ts";
import { protocolError } from "./mcp-errors.ts";
import type { McpOptions, McpProfile } from "./mcp-server.ts";
import { memoryTools, progressTo, type MemoryContext } from "./memory-tools.ts";
import { outcome } from "./remember-tool.ts";

type Described = Omit<ToolFor<unknown>, "invoke">;

const TOOLS: Readonly<Record<McpProfile, readonly Described[]>> = {
  update: toolsOf("update"),
  search: toolsOf("search"),
  memory: memoryTools,
};

/** Made once, when they are first listed: a server is made for every connection, over HTTP for every request, and schemas take a hundred times longer than it. */
const LISTED = new Map<McpProfile, ListedTool[]>();

function listedTools(profile: McpProfile): ListedTool[] {
  const made = LISTED.get(profile) ?? TOOLS[profile].map(listed);
  LISTED.set(profile, made);
  return made;
}

/**
 * Puts the tools of a profile on a server. The tool itself checks its arguments, so that a mistake gets the same message over every
 * transport.
 */
export function serveTools(server: Server, options: McpOptions): void {
  const { profile, prepare, onBug } = options;
  server.registerCapabilities({ tools: {} });

  server.setRequestHandler("tools/list", () => {
    // A client that lists the tools will call them; one that only negotiates a version may not.
    prepare?.();
    return { tools: listedTools(profile) };
  });

  server.setRequestHandler("tools/call", async ({ params: { name, arguments: args } }, context) => {
    try {
      const { effect } = toolNamed(TOOLS[profile], name);
      const call = { name, args, client: clientName(context, server) };
      if (profile === "memory") return await callMemory(call, context, server, options);
      return answer(await callOnFiles(call, effect === "read", options));
    } catch (error) {
      const isRefusal = error instanceof ExpectedError && error.code !== "unknown_tool";
      if (isRefusal) return answer(refusal(error.code, error.message));
      throw protocolError(error, name, onBug);
    }
  });
}

interface NamedCall {
  readonly name: string;
  readonly args: unknown;
  readonly client: string;
}

/** The tools on files run where the vault is open. */
async function callOnFiles(
  { name, args, client }: NamedCall,
  isRepeatable: boolean,
  { profile, vault, mostTokens = MODEL_TOKENS, writes, isPreview = false }: McpOptions,
): Promise<CallResult> {
  if (profile === "memory") throw new TypeError("the memory has no tools on files");
  const bounds = { mostTokens, writes, preview: isPreview };
  const call = { name, args, profile, client, ...bounds, isRepeatable };
  return vault.callTool({ ...call, answer: "content" });
}

/** The tools of the memory run here, and call the service. One may have the client ask the person first; the call then comes again with the answer. */
async function callMemory(
  { name, args, client }: NamedCall,
  context: ServerContext,
  server: Server,
  { vault, onBug, isPreview = false, seal = processSeal }: McpOptions,
): Promise<CallToolResult | InputRequiredResult> {
  const { signal } = context.mcpReq;
  const own = { memory: vault, client, signal, isPreview, onEvent: progressTo(context) };
  const answered = answerIn(context);
  if (answered !== undefined) return answer(await fileAnswer(answered, own));
  const questions: PersonQuestion[] = [];
  const ask = (wanted: PersonQuestion): boolean => {
    if (!clientCanAsk(context, server)) return false;
    questions.push(wanted);
    return true;
  };
  const result = await runTool(memoryTools, name, args, { ...own, ask }, { onBug });
  const [question] = questions;
  return question === undefined || result.isError ? answer(result) : asking(question, seal);
}

/** Files what the person answered; an item that they did not want to answer waits. */
async function fileAnswer(
  { ref, answer: given }: NonNullable<ReturnType<typeof answerIn>>,
  { memory, client, signal, onEvent, isPreview }: Omit<MemoryContext, "ask">,
): Promise<CallResult> {
  if (given === null) {
    const text = `The person did not answer. It waits in the inbox: inbox_ref ${ref}`;
    return { ...textOutput(text, { ref }), isError: false };
  }
  // Typed by the person into the form that the client showed.
  const answered = { content: given, inboxRef: ref, voice: "person", preview: isPreview } as const;
  const id = await memory.remember(answered, client);
  const update = await memory.follow(id, onEvent, signal);
  const text = `The person answered: ${given}\n\n${outcome(update)}`;
  return { ...textOutput(text, update), isError: false };
}

/** All four hints, because clients assume the worst for those left out. A second call of a changing tool is refused, or changes more. */
function listed(tool: Described): ListedTool {
  const { name, title, description, destructive } = tool;
  const isReading = tool.effect === "read";
  const icons = toolIcons(name);
  return {
    name,
    title,
    description,
    ...(icons === undefined ? {} : { icons }),
    inputSchema: { ...inputSchema(tool), type: "object" },
    annotations: {
      readOnlyHint: isReading,
      destructiveHint: !isReading && destructive,
      idempotentHint: isReading,
      openWorldHint: false,
    },
  };
}

/** Without `structured`: clients that are given both show only that one, and a model reads the content better. */
function answer(result: CallResult): CallToolResult {
  return {
    content: result.content.map((part) =>
      part.type === "text"
        ? { type: "text", text: part.text }
        : { type: "image", data: part.data, mimeType: part.mimeType },
    ),
    ...(result.isError ? { isError: true } : {}),
  };
}

const Envelope = z.object({ [CLIENT_INFO_META_KEY]: z.object({ name: z.string() }) });
const MAX_NAME_LENGTH = 100;

/** Sent with every request since the protocol of 2026, and once for the connection before. */
function clientName({ mcpReq }: ServerContext, server: Server): string {
  const given =
    Envelope.safeParse(mcpReq.envelope).data?.[CLIENT_INFO_META_KEY].name ??
    server.getClientVersion()?.name;
  const name = (given ?? "").toWellFormed().replaceAll(/\s+/gu, " ").trim();
  return name === "" ? CALLERS.mcp : name.slice(0, MAX_NAME_LENGTH).toWellFormed();
}
