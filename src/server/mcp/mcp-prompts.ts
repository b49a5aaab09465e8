import {
  ProtocolError,
  ProtocolErrorCode,
  type Prompt,
  type Server,
} from "@modelcontextprotocol/server";

import { instructionsFor } from "../../agents/prompts.ts";
import type { Profile } from "../../tools/define.ts";
import { toolsOf } from "../../tools/registry.ts";
import { ExpectedError } from "../../errors.ts";
import { localTime, showMinute } from "../../text/local-time.ts";
import { completeRef, type Completer } from "./mcp-completions.ts";
import { protocolError } from "./mcp-errors.ts";
import { MAX_RESOURCE_BYTES } from "./mcp-resources.ts";
import type { McpOptions, McpProfile } from "./mcp-server.ts";

const PROMPTS: Readonly<Record<McpProfile, Prompt>> = {
  update: {
    name: "update",
    title: "File something in the vault",
    description:
      "Play the agent that files new material: its instructions, and the vault as it is.",
    arguments: [
      { name: "content", description: "What to file", required: false },
      { name: "inbox_ref", description: "The inbox item that it answers", required: false },
    ],
  },
  search: {
    name: "search",
    title: "Answer from the vault",
    description:
      "Play the agent that answers with sources: its instructions, and the vault as it is.",
    arguments: [{ name: "question", description: "What to answer", required: false }],
  },
  memory: {
    name: "inbox",
    title: "Answer what waits",
    description: "Go through what could not be filed: each question, for the person to answer.",
    arguments: [{ name: "ref", description: "One item; all when left out", required: false }],
  },
};

/** The argument of each prompt that names an item of the inbox. */
const REF_ARGUMENT: Readonly<Partial<Record<McpProfile, string>>> = {
  update: "inbox_ref",
  memory: "ref",
};

/** What an agent always has before it, when it exists. */
const CONTEXT = ["vault/overview.md", "vault/profile.md", "vault/tree.md"];

/** Puts the prompt of a profile on a server. */
export function servePrompts(server: Server, options: McpOptions): void {
  const { profile, onBug } = options;
  const prompt = PROMPTS[profile];
  server.registerCapabilities({ prompts: {} });

  server.setRequestHandler("prompts/list", () => ({ prompts: [prompt] }));

  server.setRequestHandler("prompts/get", async ({ params: { name, arguments: given = {} } }) => {
    if (name !== prompt.name) {
      const message = `There is no prompt ${JSON.stringify(name)} here. There is: ${prompt.name}.`;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, message);
    }
    try {
      const parts =
        profile === "memory"
          ? await inboxParts(given, options)
          : await agentParts(profile, given, options);
      const content = { type: "text", text: parts.join("\n\n") } as const;
      return { description: prompt.title ?? name, messages: [{ role: "user", content }] };
    } catch (error) {
      throw protocolError(error, "prompts/get", onBug);
    }
  });
}

/** What the arguments of a profile's prompt may be. */
export function promptCompleter({ profile, vault }: McpOptions): Completer {
  return async (ref, { name, value }) => {
    const prompt = PROMPTS[profile];
    if (ref.type !== "ref/prompt" || ref.name !== prompt.name) return null;
    if (prompt.arguments?.some((each) => each.name === name) !== true) return null;
    return name === REF_ARGUMENT[profile] ? completeRef(value, vault) : [];
  };
}

type Given = Readonly<Record<string, string>>;

/** The instructions of an agent, what it always has before it, and what it is to do. */
async function agentParts(
  profile: Profile,
  given: Given,
  { vault, now }: Pick<McpOptions, "vault" | "now">,
): Promise<string[]> {
  const context: string[] = [];
  for (const path of CONTEXT) {
    const text = await textOf(path, vault);
    if (text !== null) context.push(`## ${path}\n\n${text.trim()}`);
  }
  const asked = (profile === "update" ? given["content"] : given["question"]) ?? "";
  const ref = profile === "update" ? (given["inbox_ref"] ?? "") : "";
  return [
    instructionsFor(profile),
    `Your tools: ${toolsOf(profile)
      .map(({ name }) => name)
      .join(", ")}.`,
    `# The vault now (${showMinute(localTime(now()))})`,
    ...context,
    ...(ref === "" ? [] : [`# It answers this inbox item\n\n${await itemParts(ref, vault)}`]),
    ...(asked === ""
      ? []
      : [`# ${profile === "update" ? "File this" : "Answer this"}\n\n${asked}`]),
  ];
}

async function inboxParts(given: Given, { vault }: Pick<McpOptions, "vault">): Promise<string[]> {
  const ref = given["ref"] ?? "";
  const refs = ref === "" ? (await vault.inbox()).map((item) => item.ref) : [ref];
  if (refs.length === 0) return ["Nothing waits in the inbox of my vault. Say so."];
  const items: string[] = [];
  for (const each of refs.slice(0, MAX_ITEMS)) items.push(await itemParts(each, vault));
  const left = refs.length - items.length;
  return [
    "These things could not be filed in my vault. Ask me the question of each, one after the other; hand my answer over with the tool remember, its inbox_ref and said_by_person.",
    ...items,
    ...(left === 0 ? [] : [`${left} more wait: the tool inbox lists them.`]),
  ];
}

/** More at once would be too much to answer. */
const MAX_ITEMS = 10;

async function itemParts(ref: string, vault: McpOptions["vault"]): Promise<string> {
  const { path, review, originals, ref: name } = await vault.inboxItem(ref);
  const shown = review === "" ? `${path} has no review.` : review;
  return [`inbox_ref: ${name}`, shown, ...originals.map((each) => `Original: ${each}`)].join(
    "\n\n",
  );
}

async function textOf(path: string, vault: McpOptions["vault"]): Promise<string | null> {
  try {
    const { isText, bytes } = await vault.readFile(path, MAX_RESOURCE_BYTES);
    return isText ? bytes.toString("utf8") : null;
  } catch (error) {
    if (error instanceof ExpectedError) return null;
    throw error;
  }
}
