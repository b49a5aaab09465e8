import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as TransportV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "mcp-sdk-v1/client/index.js";
import { StdioClientTransport as TransportV1 } from "mcp-sdk-v1/client/stdio.js";
import { CallToolResultSchema, ElicitRequestSchema } from "mcp-sdk-v1/types.js";
import { describe, expect, it, onTestFinished } from "vitest";

import { mainFile, temporaryPlace } from "../../src/cli/testing/cli.ts";
import { demoImage } from "../../src/testing/demo-image.ts";
import { SECRET_KEY, startScriptedModel } from "../../src/testing/models/scripted-model.ts";
import { Content, type Answer, type Place } from "./any-client.ts";
import { speaking } from "./client-v2.ts";

interface Setting {
  readonly place: Place;
  /** What the person answers in the form that the client shows. */
  readonly ask?: (message: string) => string;
  /** Of `coffre mcp`. */
  readonly environment?: Readonly<Record<string, string>>;
}

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: { message?: string | undefined }) => void;
}

type Call = (
  name: string,
  args?: Record<string, unknown>,
  options?: CallOptions,
) => Promise<Answer>;

const CLIENTS: readonly (readonly [string, (setting: Setting) => Promise<Call>])[] = [
  ["v1", connectV1],
  ["v2 in 2025-11-25", async (setting) => connectV2(setting, "2025-11-25")],
  ["v2 in 2026-07-28", async (setting) => connectV2(setting, "2026-07-28")],
];

const ME = { name: "tester", version: "1" };
const CAPABILITIES = { capabilities: { elicitation: {} } };
const nobody = (): string => "nobody is asked";

function launch({ place: { root, state }, environment = {} }: Setting): {
  command: string;
  args: string[];
  env: Record<string, string>;
} {
  const where = ["--profile", "memory", "--vault", root, "--state", state];
  return { command: process.execPath, args: [mainFile, "mcp", ...where], env: { ...environment } };
}

async function connectV1(setting: Setting): Promise<Call> {
  const { ask = nobody } = setting;
  const client = new ClientV1(ME, CAPABILITIES);
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({
    action: "accept",
    content: { answer: ask(params.message) },
  }));
  onTestFinished(async () => client.close());
  await client.connect(new TransportV1(launch(setting)));
  return async (name, args = {}, options = {}) => {
    const given = { name, arguments: args };
    const result = await client.callTool(given, CallToolResultSchema, options);
    const { content, isError = false } = CallToolResultSchema.parse(result);
    return { content: Content.parse(content), isError };
  };
}

async function connectV2(setting: Setting, version: string): Promise<Call> {
  const { ask = nobody } = setting;
  const client = new ClientV2(ME, { ...CAPABILITIES, ...speaking(version) });
  client.setRequestHandler("elicitation/create", ({ params }) => ({
    action: "accept",
    content: { answer: ask(params.message) },
  }));
  onTestFinished(async () => client.close());
  await client.connect(new TransportV2(launch(setting)));
  return async (name, args = {}, options = {}) => {
    const { content, isError = false } = await client.callTool({ name, arguments: args }, options);
    return { content: Content.parse(content), isError };
  };
}

const FILES = {
  "overview.md": "# Overview\n",
  "projects/boat/state.md": "# Boat\n\nThe pump in the bilge is broken.\n",
};
const IMAGE = Buffer.from(demoImage());
const NOTE = "The pump of the boat works again since 2026-03-14.";
const EDIT = {
  do: "edit",
  path: "vault/projects/boat/state.md",
  old_content: "is broken",
  new_content: "works",
};

/** The text of an answer, also of a refusal. */
function said({ content }: Answer): string {
  return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

const found = (pattern: RegExp, text: string): string => pattern.exec(text)?.[1] ?? "";

describe.each(CLIENTS)("the memory with the official client %s, over stdio", (_, connect) => {
  it("files by the client's model, takes it back, and checks an answer again", async () => {
    const place = temporaryPlace(FILES);
    const call = await connect({ place });
    const boat = (): string =>
      readFileSync(path.join(place.root, "projects/boat/state.md"), "utf8");

    const told = said(await call("remember", { content: NOTE, said_by_person: true, wait: true }));
    const ref = found(/call the tool file with ref (\S+?)\./u, told);
    expect(told).toContain("Likely: vault/projects/boat/");
    expect(told).toContain("The pump in the bilge is broken.");

    const filed = said(await call("file", { ref, changes: [EDIT] }));
    expect(filed).toContain("- vault/projects/boat/state.md (changed)");
    expect(boat()).toContain("The pump in the bilge works.");

    const answer = said(await call("recall", { question: "What of the pump in the bilge?" }));
    expect(answer).toMatch(/vault\/projects\/boat\/state\.md:\S+ · sha256:/u);
    expect(said(await call("verify", { answer }))).toMatch(/state\.md:\S+: (?:same|moved)/u);

    expect(said(await call("undo", { id: found(/undo (\S+)$/mu, filed) }))).toContain("Taken back");
    expect(boat()).toContain("The pump in the bilge is broken.");
    expect(said(await call("verify", { answer }))).toMatch(/state\.md:\S+: (?:changed|gone)/u);
    expect(said(await call("undo", { id: "nothing" }))).toContain("Error (not_found)");
  });

  it("puts a question to the person in the call, and files by the answer", async () => {
    const asked: string[] = [];
    const place = temporaryPlace(FILES);
    const ask = (message: string): string => {
      asked.push(message);
      return "the boat";
    };
    const call = await connect({ place, ask });
    const told = said(await call("remember", { content: "Two tins of varnish came.", wait: true }));
    const ref = found(/call the tool file with ref (\S+?)\./u, told);
    const answered = said(await call("inbox", { ref, ask: true }));
    expect(asked).toHaveLength(1);
    expect(answered).toContain("The person answered: the boat");
    expect(existsSync(path.join(place.root, "inbox", ref))).toBe(false);
  });

  it("takes files in every form of the protocol, and fetches none", async () => {
    const place = temporaryPlace(FILES);
    const call = await connect({ place });
    const data = IMAGE.toString("base64");
    const files = [
      { name: "one.png", data },
      { type: "resource", resource: { uri: "file:///x/two.png", blob: data } },
      { type: "resource_link", name: "three.png", uri: `data:image/png;base64,${data}` },
    ];
    const told = said(await call("remember", { content: "Plans", files, wait: true }));
    const ref = found(/call the tool file with ref (\S+?)\./u, told);
    for (const name of ["one.png", "two.png", "three.png"]) {
      expect(readFileSync(path.join(place.root, "inbox", ref, name))).toEqual(IMAGE);
    }
    const link = { type: "resource_link", name: "a.pdf", uri: "file:///etc/passwd" };
    const refused = await call("remember", { content: "x", files: [link] });
    expect(refused.isError).toBe(true);
    expect(said(refused)).toContain("nothing is fetched from");
  });

  it("takes nulls for what is left out", async () => {
    const call = await connect({ place: temporaryPlace(FILES) });
    const nulls = { files: null, inbox_ref: null, said_by_person: null, wait: null };
    expect((await call("remember", { content: "A note", ...nulls })).isError).toBe(false);
    expect((await call("inbox", { ref: null, ask: null })).isError).toBe(false);
  });

  it("reports the steps of a long call, and answers others once it is cancelled", async () => {
    const looking = { calls: [{ name: "search", args: { queries: ["pump"] } }] };
    const never = new Promise<never>(() => {});
    const model = await startScriptedModel("openai", [looking, { until: never }]);
    onTestFinished(() => {
      model.close();
    });
    const environment = {
      COFFRE_MODEL: "openai-compatible/scripted",
      COFFRE_BASE_URL: model.baseUrl,
      COFFRE_API_KEY: SECRET_KEY,
    };
    const call = await connect({ place: temporaryPlace(FILES), environment });
    const cancel = new AbortController();
    const steps: string[] = [];
    const asked = call(
      "recall",
      { question: "What of the pump?" },
      {
        signal: cancel.signal,
        onprogress: ({ message = "" }) => {
          steps.push(message);
          cancel.abort();
        },
      },
    );
    await expect(asked).rejects.toThrow(/abort/iu);
    expect(steps).toEqual(["Searching for pump"]);
    expect(said(await call("inbox"))).toBe("Nothing waits.");
  });
});
