import {
  dynamicTool,
  jsonSchema,
  streamText,
  type JSONSchema7,
  type ModelMessage,
  type ToolSet,
} from "ai";

import type { Tool } from "../../tools/define.ts";
import { inputSchema } from "../../tools/registry.ts";
import { countTokens } from "../../text/tokens.ts";
import type {
  ChatModel,
  Conversation,
  Part,
  ToolReply,
  ToolRequest,
  Turn,
  TurnOptions,
} from "./chat-model.ts";
import { CACHE_MARKS, PROVIDERS, type ModelChoice, type ProvidedModel } from "./providers.ts";
import {
  BrokenStream,
  DEFAULT_RETRIES,
  explainFailure,
  withRetries,
  type RetryPolicy,
} from "./retry.ts";

/*
 * The only file that speaks to models through the AI SDK. One turn is one call of it: the loop, its limits and the running of tools are
 * ours, because the SDK runs tools without our executor and does not retry when an answer breaks off.
 */

/** A model through its provider, which is loaded now. */
export async function openModel(
  { provider, model, baseUrl, apiKey }: ModelChoice,
  policy: RetryPolicy = DEFAULT_RETRIES,
): Promise<ChatModel> {
  // The SDK would print warnings in the middle of our output.
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const provided = await PROVIDERS[provider].open(model, {
    ...(baseUrl === null ? {} : { baseURL: baseUrl }),
    ...(apiKey === null ? {} : { apiKey }),
  });
  const name = `${provider}/${model}`;
  return {
    name,
    begin: ({ instructions, tools }) =>
      new SdkConversation({ provided, name, key: apiKey, instructions, tools, policy }),
  };
}

interface ConversationParts {
  readonly provided: ProvidedModel;
  readonly name: string;
  readonly key: string | null;
  readonly instructions: string;
  readonly tools: readonly Tool[];
  readonly policy: RetryPolicy;
}

class SdkConversation implements Conversation {
  readonly #parts: ConversationParts;
  readonly #tools: ToolSet;
  readonly #messages: ModelMessage[] = [];

  constructor(parts: ConversationParts) {
    this.#parts = parts;
    this.#tools = Object.fromEntries(parts.tools.map((tool) => [tool.name, described(tool)]));
  }

  say(parts: readonly Part[]): void {
    this.#messages.push({
      role: "user",
      content: parts.map((part) =>
        part.type === "text"
          ? { type: "text", text: part.text }
          : { type: "file", data: part.data, mediaType: part.mimeType },
      ),
    });
  }

  reply(replies: readonly ToolReply[]): void {
    const { takesImagesInResults } = this.#parts.provided;
    this.#messages.push({
      role: "tool",
      content: replies.map((reply) => ({
        type: "tool-result",
        toolCallId: reply.id,
        toolName: reply.name,
        output: resultOf(reply, takesImagesInResults),
      })),
    });
    if (takesImagesInResults) return;
    const images = replies.flatMap(({ content }) => content).filter(({ type }) => type === "image");
    if (images.length > 0) this.say(images);
  }

  async turn(options: TurnOptions): Promise<Turn> {
    const { policy, name, key } = this.#parts;
    const { signal, onEvent } = options;
    try {
      return await withRetries(async () => this.#attempt(options), {
        policy,
        signal,
        onRetry: (retry) => onEvent({ type: "retry", ...retry }),
      });
    } catch (error) {
      signal.throwIfAborted();
      throw explainFailure(error, name, key);
    }
  }

  async #attempt(options: TurnOptions): Promise<Turn> {
    const streamed = { text: "" };
    try {
      const turn = await this.#ask(options, streamed);
      options.onSpent?.(turn.usage);
      return turn;
    } catch (error) {
      const output = countTokens(streamed.text);
      if (output > 0) options.onSpent?.({ input: this.#estimate(), output, cached: 0 });
      throw error;
    }
  }

  /** @param streamed gets all that the model says and thinks, also when it breaks off */
  async #ask({ mayCall, signal, onEvent }: TurnOptions, streamed: { text: string }): Promise<Turn> {
    const { provided, instructions, tools } = this.#parts;
    const messages = withCachePoint(this.#messages);
    const result = streamText({
      model: provided.model,
      instructions: { role: "system", content: instructions, providerOptions: CACHE_MARKS },
      messages,
      tools: this.#tools,
      toolOrder: tools.map((tool) => tool.name),
      toolChoice: mayCall ? "auto" : "none",
      maxRetries: 0,
      abortSignal: signal,
      // By default the SDK prints the error.
      onError: () => {},
    });
    let text = "";
    const calls: ToolRequest[] = [];
    for await (const part of result.stream) {
      if (part.type === "error") throw part.error;
      if (part.type === "abort") throw signal.reason;
      if (part.type === "reasoning-delta" || part.type === "text-delta") streamed.text += part.text;
      if (part.type === "reasoning-delta") onEvent({ type: "thinking", text: part.text });
      if (part.type === "text-delta") {
        text += part.text;
        onEvent({ type: "text", text: part.text });
      }
      if (part.type === "tool-call")
        calls.push({ id: part.toolCallId, name: part.toolName, args: part.input });
    }
    const reason = await result.finishReason;
    if (reason === "error" || (reason === "other" && calls.length === 0)) throw new BrokenStream();
    const said = (await result.responseMessages).filter(({ role }) => role === "assistant");
    this.#messages.push(...said.map((message) => withReadableCalls(message)));
    const { inputTokens, outputTokens, inputTokenDetails } = await result.usage;
    return {
      text,
      calls: mayCall ? calls : [],
      usage: {
        input: inputTokens ?? this.#estimate(),
        output: outputTokens ?? countTokens(text + JSON.stringify(calls)),
        cached: inputTokenDetails.cacheReadTokens ?? 0,
      },
    };
  }

  /** For servers that do not count. */
  #estimate(): number {
    return countTokens(this.#parts.instructions + JSON.stringify(this.#messages));
  }
}

function described(tool: Tool): ToolSet[string] {
  // Not checked by the SDK: the executor checks arguments for every caller, with the same messages.
  const schema: JSONSchema7 = { ...inputSchema(tool), type: "object" };
  return dynamicTool({ description: tool.description, inputSchema: jsonSchema(schema) });
}

/** Providers refuse messages with a call whose arguments are not an object. */
function withReadableCalls(message: ModelMessage): ModelMessage {
  if (message.role !== "assistant" || typeof message.content === "string") return message;
  const content = message.content.map((part) =>
    part.type === "tool-call" && (typeof part.input !== "object" || part.input === null)
      ? { ...part, input: {} }
      : part,
  );
  return { ...message, content };
}

type ResultOutput = Extract<
  Extract<ModelMessage, { role: "tool" }>["content"][number],
  { type: "tool-result" }
>["output"];

function resultOf({ content, isError }: ToolReply, takesImages: boolean): ResultOutput {
  const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
  if (isError) return { type: "error-text", value: text };
  if (!takesImages || content.every(({ type }) => type === "text"))
    return { type: "text", value: text };
  return {
    type: "content",
    value: content.map((part) =>
      part.type === "text"
        ? { type: "text", text: part.text }
        : {
            type: "file",
            data: { type: "data", data: part.data },
            mediaType: part.mimeType,
          },
    ),
  };
}

/** Marks the last message as the end of the part that the next turn repeats. */
function withCachePoint(messages: readonly ModelMessage[]): ModelMessage[] {
  const last = messages.at(-1);
  if (last === undefined || last.role === "system") return [...messages];
  return [...messages.slice(0, -1), { ...last, providerOptions: CACHE_MARKS }];
}
