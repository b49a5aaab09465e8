import { describe, expect, it } from "vitest";

import { mainFile, serve, temporaryPlace } from "../../src/cli/testing/cli.ts";
import { demoImage } from "../../src/testing/demo-image.ts";
import { reached } from "../mcp/reached.ts";
import { inspect, type Inspected } from "./inspector.ts";

const FILES = { "a.md": "The pump in the cellar\n", "plan.png": demoImage() };
const IMAGE = Buffer.from(demoImage()).toString("base64");

const WAYS = [
  { transport: "stdio", era: "legacy", version: "2025-11-25" },
  { transport: "stdio", era: "modern", version: "2026-07-28" },
  { transport: "HTTP", era: "legacy", version: "2025-11-25" },
  { transport: "HTTP", era: "modern", version: "2026-07-28" },
] as const;

/** Asks a method of the server of a vault. The last of `more` must be an option with one value, for others take all that follows. */
type Ask = (method: string, ...more: string[]) => Promise<Inspected>;

async function asking({ transport, era }: (typeof WAYS)[number]): Promise<Ask> {
  const place = temporaryPlace(FILES);
  const target: string[] = [];
  if (transport === "stdio") {
    const { root, state } = place;
    target.push(process.execPath, mainFile, "mcp", "--vault", root, "--state", state);
  } else {
    await serve(place);
    const { mcp, headers } = reached(place);
    target.push("--transport", "http", "--header", `Authorization: ${headers.authorization}`);
    target.push("--server-url", mcp("update").href);
  }
  return async (method, ...more) =>
    inspect("--protocol-era", era, "--method", method, ...more, ...target);
}

async function call(ask: Ask, tool: string, args: Record<string, unknown>): Promise<Inspected> {
  return ask("tools/call", "--tool-name", tool, "--tool-args-json", JSON.stringify(args));
}

const text = (shown: string): object => ({ type: "text", text: expect.stringContaining(shown) });

describe.each(WAYS)("MCP Inspector over $transport, $era", (way) => {
  it("is greeted, and finds nothing odd in the schemas of the tools", async () => {
    const ask = await asking(way);
    expect(await ask("initialize")).toMatchObject({
      code: 0,
      result: { protocolVersion: way.version, serverInfo: { name: "coffre-update" } },
    });
    const { code, result, complaint } = await ask("tools/list", "--strict");
    const names = ["tree", "read", "search", "write", "edit", "append", "move", "delete"];
    expect({ code, result }).toMatchObject({
      code: 0,
      result: { tools: names.map((name) => ({ name })) },
    });
    expect(complaint).toBe("");
  });

  it("calls tools: read, an image, search, append, and one that is refused", async () => {
    const ask = await asking(way);
    expect(await call(ask, "read", { paths: "vault/a.md" })).toMatchObject({
      code: 0,
      result: { content: [text("| The pump in the cellar")] },
    });
    expect(await call(ask, "read", { paths: "plan.png" })).toMatchObject({
      code: 0,
      result: {
        content: [text("640×400"), { type: "image", data: IMAGE, mimeType: "image/png" }],
      },
    });
    const append = { path: "vault/b.md", content: "A heron on the roof", position: "bottom" };
    expect(await call(ask, "append", append)).toMatchObject({
      code: 0,
      result: { content: [text("Created vault/b.md: 1 line.")] },
    });
    expect(await call(ask, "search", { queries: ["herons"] })).toMatchObject({
      code: 0,
      result: { content: [text("| A heron on the roof")] },
    });
    expect(await call(ask, "read", { paths: "vault/none.md" })).toMatchObject({
      code: 5,
      result: { content: [text("vault/none.md does not exist.")], isError: true },
    });
  });

  it("lists and reads resources", async () => {
    const ask = await asking(way);
    const { result } = await ask("resources/list");
    expect(result).toMatchObject({
      resources: expect.arrayContaining([expect.objectContaining({ uri: "vault:///a.md" })]),
    });
    expect(await ask("resources/templates/list")).toMatchObject({
      result: { resourceTemplates: [{ uriTemplate: "vault:///{+path}" }] },
    });
    const [uri, image] = ["vault:///a.md", "vault:///plan.png"];
    expect(await ask("resources/read", "--uri", uri)).toMatchObject({
      code: 0,
      result: {
        contents: [{ uri, text: expect.stringContaining("The pump in the cellar\n") }],
      },
    });
    expect(await ask("resources/read", "--uri", image)).toMatchObject({
      code: 0,
      result: { contents: [{ uri: image, blob: IMAGE, mimeType: "image/png" }] },
    });
  });

  it("lists and gets prompts", async () => {
    const ask = await asking(way);
    expect(await ask("prompts/list")).toMatchObject({
      code: 0,
      result: { prompts: [{ name: "update" }] },
    });
    const content = "content=The pump is mended";
    expect(
      await ask("prompts/get", "--prompt-args", content, "--prompt-name", "update"),
    ).toMatchObject({
      code: 0,
      result: { messages: [{ role: "user", content: text("# File this\n\nThe pump is mended") }] },
    });
  });
});

it("MCP Inspector is not let in without the token, and says what is missing", async () => {
  const place = temporaryPlace(FILES);
  await serve(place);
  const target = ["--transport", "http", "--server-url", reached(place).mcp("update").href];
  const argv = ["--stored-auth-only", "--method", "tools/list", ...target];
  const { code, result, complaint } = await inspect(...argv);
  expect({ code, result }).toEqual({ code: 3, result: null });
  expect(complaint).toContain("Authorization: Bearer TOKEN");
});
