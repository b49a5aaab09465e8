/** A call of a tool, as the client named it when it offered its tools. */
export interface ToolCall {
  readonly name: string;
  /** Codex puts the tools of a server into a namespace. */
  readonly namespace: string | null;
  readonly args: object;
}

type Event = readonly [type: string, data: object];

/** How a provider's model answers: with a call, or with "Done." */
export interface WireFormat {
  /** How the address of its requests ends. */
  readonly path: RegExp;
  readonly whole: (call: ToolCall | null) => object;
  readonly events: (call: ToolCall | null) => readonly Event[];
  /** Whether a streamed event has its type in a line of its own. */
  readonly namesEvents: boolean;
  readonly ends?: string;
}

/** By it the result of the call is recognised. */
export const CALL_ID = "call_scripted_1";

const USAGE = { input: 1000, output: 50 };

function typed(type: string, data: object): Event {
  return [type, { type, ...data }];
}

const anthropic: WireFormat = {
  path: /\/messages$/u,
  namesEvents: true,
  whole: (call) => ({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "scripted",
    content: [
      call === null
        ? { type: "text", text: "Done." }
        : { type: "tool_use", id: CALL_ID, name: call.name, input: call.args },
    ],
    stop_reason: call === null ? "end_turn" : "tool_use",
    stop_sequence: null,
    usage: { input_tokens: USAGE.input, output_tokens: USAGE.output },
  }),
  events: (call) => {
    const block =
      call === null
        ? { start: { type: "text", text: "" }, delta: { type: "text_delta", text: "Done." } }
        : {
            start: { type: "tool_use", id: CALL_ID, name: call.name, input: {} },
            delta: { type: "input_json_delta", partial_json: JSON.stringify(call.args) },
          };
    return [
      typed("message_start", {
        message: {
          id: "msg_1",
          type: "message",
          role: "assistant",
          model: "scripted",
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: USAGE.input, output_tokens: 1 },
        },
      }),
      typed("content_block_start", { index: 0, content_block: block.start }),
      typed("content_block_delta", { index: 0, delta: block.delta }),
      typed("content_block_stop", { index: 0 }),
      typed("message_delta", {
        delta: { stop_reason: call === null ? "end_turn" : "tool_use", stop_sequence: null },
        usage: { output_tokens: USAGE.output },
      }),
      typed("message_stop", {}),
    ];
  },
};

const chat: WireFormat = {
  path: /\/chat\/completions$/u,
  namesEvents: false,
  ends: "data: [DONE]\n\n",
  whole: (call) => ({
    id: "chat_1",
    object: "chat.completion",
    created: 0,
    model: "scripted",
    choices: [
      {
        index: 0,
        message: { role: "assistant", ...chatMessage(call) },
        finish_reason: call === null ? "stop" : "tool_calls",
      },
    ],
    usage: CHAT_USAGE,
  }),
  events: (call) => {
    const chunk = (delta: object, finish: string | null): Event => [
      "",
      {
        id: "chat_1",
        object: "chat.completion.chunk",
        created: 0,
        model: "scripted",
        choices: [{ index: 0, delta, finish_reason: finish }],
        ...(finish === null ? {} : { usage: CHAT_USAGE }),
      },
    ];
    return [
      chunk({ role: "assistant", ...chatMessage(call) }, null),
      chunk({}, call === null ? "stop" : "tool_calls"),
    ];
  },
};

const CHAT_USAGE = {
  prompt_tokens: USAGE.input,
  completion_tokens: USAGE.output,
  total_tokens: USAGE.input + USAGE.output,
};

function chatMessage(call: ToolCall | null): object {
  if (call === null) return { content: "Done." };
  const asked = { name: call.name, arguments: JSON.stringify(call.args) };
  return {
    content: null,
    tool_calls: [{ index: 0, id: CALL_ID, type: "function", function: asked }],
  };
}

const responses: WireFormat = {
  path: /\/responses$/u,
  namesEvents: true,
  whole: (call) => responseOf(call),
  events: (call) => {
    const item = responseItem(call);
    return [
      typed("response.created", { response: { id: "resp_1", status: "in_progress", output: [] } }),
      typed("response.output_item.added", { output_index: 0, item }),
      typed("response.output_item.done", { output_index: 0, item }),
      typed("response.completed", { response: responseOf(call) }),
    ];
  },
};

function responseOf(call: ToolCall | null): object {
  return {
    id: "resp_1",
    object: "response",
    created_at: 0,
    status: "completed",
    model: "scripted",
    output: [responseItem(call)],
    usage: {
      input_tokens: USAGE.input,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: USAGE.output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: USAGE.input + USAGE.output,
    },
  };
}

function responseItem(call: ToolCall | null): object {
  if (call === null) {
    const part = { type: "output_text", text: "Done.", annotations: [] };
    return {
      type: "message",
      id: "item_1",
      role: "assistant",
      status: "completed",
      content: [part],
    };
  }
  return {
    type: "function_call",
    id: "item_1",
    call_id: CALL_ID,
    name: call.name,
    ...(call.namespace === null ? {} : { namespace: call.namespace }),
    arguments: JSON.stringify(call.args),
    status: "completed",
  };
}

const gemini: WireFormat = {
  path: /:(?:streamG|g)enerateContent$/u,
  namesEvents: false,
  whole: (call) => geminiAnswer(call),
  events: (call) => [["", geminiAnswer(call)]],
};

function geminiAnswer(call: ToolCall | null): object {
  const part =
    call === null ? { text: "Done." } : { functionCall: { name: call.name, args: call.args } };
  return {
    candidates: [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }],
    usageMetadata: {
      promptTokenCount: USAGE.input,
      candidatesTokenCount: USAGE.output,
      totalTokenCount: USAGE.input + USAGE.output,
    },
    modelVersion: "scripted",
  };
}

export const FORMATS: readonly WireFormat[] = [anthropic, chat, responses, gemini];
