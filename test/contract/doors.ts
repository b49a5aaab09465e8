import { readFileSync } from "node:fs";

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll } from "vitest";
import { z } from "zod";

import { coffre, mainFile } from "../../src/cli/testing/cli.ts";
import type { Profile } from "../../src/tools/define.ts";
import type { ToolName } from "../../src/tools/registry.ts";
import type { Place } from "../mcp/any-client.ts";
import { reached } from "../mcp/reached.ts";
import { argvOf } from "./argv.ts";

export type Args = Readonly<Record<string, unknown>>;

/** What came back, in one form for every door. */
export interface Answer {
  /** All text in order; an image is not in it, only the line that names it. */
  readonly text: string;
  /** The bytes of each image, as base64. */
  readonly images: readonly string[];
  /** How many blocks of text and images; on the command line, which has no blocks, 1. */
  readonly blocks: number;
  readonly isError: boolean;
}

/** A way to call the tools of a vault. */
export interface Door {
  readonly name: string;
  readonly kind: "MCP" | "HTTP" | "CLI";
  readonly profiles: readonly Profile[];
  readonly place: Place;
  readonly tools: () => Promise<string[]>;
  readonly ask: (tool: ToolName, args: Args) => Promise<Answer>;
}

/** Every door to the vault of a running service: MCP over both transports, HTTP, each in both profiles, and the command line. */
export async function openDoors(place: Place): Promise<Door[]> {
  const profiles = ["update", "search"] as const;
  const mcp = profiles.flatMap((profile) => [
    mcpDoor(place, profile, "stdio"),
    mcpDoor(place, profile, "HTTP"),
  ]);
  const http = profiles.map((profile) => httpDoor(place, profile));
  return [...(await Promise.all(mcp)), ...http, shellDoor(place)];
}

const Part = z.union([
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("image"), data: z.string() }),
]);
const Content = z.array(Part);

function answerOf(content: z.infer<typeof Content>, isError: boolean): Answer {
  return {
    text: content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n"),
    images: content.flatMap((part) => (part.type === "image" ? [part.data] : [])),
    blocks: content.length,
    isError,
  };
}

async function mcpDoor(place: Place, profile: Profile, over: "stdio" | "HTTP"): Promise<Door> {
  const { root, state } = place;
  const { mcp, headers } = reached(place);
  const argv = ["mcp", "--vault", root, "--state", state, "--profile", profile];
  const transport =
    over === "stdio"
      ? new StdioClientTransport({ command: process.execPath, args: [mainFile, ...argv] })
      : new StreamableHTTPClientTransport(mcp(profile), { requestInit: { headers } });
  const client = new Client({ name: `contract ${over}`, version: "1.0.0" });
  afterAll(async () => client.close());
  await client.connect(transport);
  return {
    name: `MCP (${over}, ${profile})`,
    kind: "MCP",
    profiles: [profile],
    place,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    ask: async (name, args) => {
      const { content, isError = false } = await client.callTool({ name, arguments: args });
      return answerOf(Content.parse(content), isError);
    },
  };
}

const HttpAnswer = z.union([
  z.object({ content: Content, isError: z.boolean() }),
  z.object({ detail: z.string() }),
]);

function httpDoor(place: Place, profile: Profile): Door {
  const { url, headers } = reached(place);
  return {
    name: `HTTP (${profile})`,
    kind: "HTTP",
    profiles: [profile],
    place,
    tools: async () => {
      throw new Error("HTTP has no list of tools");
    },
    ask: async (name, args) => {
      const response = await fetch(url(`/api/tools/${name}?profile=${profile}`), {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(args),
      });
      const answer = HttpAnswer.parse(await response.json());
      if ("content" in answer) return answerOf(answer.content, answer.isError);
      return answerOf([{ type: "text", text: answer.detail }], true);
    },
  };
}

/** What a terminal cannot show is a file to open: its bytes are what a person sees. */
const OPEN = /^open (.+)\n?/gmu;

function shellDoor(place: Place): Door {
  const { root, state } = place;
  return {
    name: "CLI",
    kind: "CLI",
    profiles: ["update", "search"],
    place,
    tools: async () => {
      throw new Error("the command line has no list of tools");
    },
    ask: async (tool, args) => {
      const argv = ["--vault", root, "--state", state, ...argvOf(tool, args)];
      const { code, stdout, stderr } = await coffre(argv);
      const printed = code === 0 ? stdout : stderr;
      const images = [...printed.matchAll(OPEN)].map(([, file = ""]) =>
        readFileSync(file).toString("base64"),
      );
      const text = printed.replaceAll(OPEN, "").replace(/\n$/u, "");
      return { text, images, blocks: 1, isError: code !== 0 };
    },
  };
}
