import { appendFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it, vi } from "vitest";

import { temporaryPlace } from "../../src/cli/testing/cli.ts";
import type { Files } from "../../src/testing/temporary-vault.ts";
import type { Profile } from "../../src/tools/define.ts";
import { demoImage } from "../../src/testing/demo-image.ts";
import { textOf, type Connect, type Place, type Transport } from "./any-client.ts";
import { connectV1, V1_VERSIONS } from "./client-v1.ts";
import { connectV2, V2_VERSIONS } from "./client-v2.ts";
import { sharedService } from "./shared-service.ts";

interface Combination {
  readonly library: string;
  readonly version: string;
  readonly transport: Transport;
  readonly connect: Connect;
}

const COMBINATIONS: Combination[] = (["stdio", "HTTP"] as const).flatMap((transport) => [
  ...V1_VERSIONS.map((version) => ({ library: "v1", version, transport, connect: connectV1 })),
  ...V2_VERSIONS.map((version) => ({ library: "v2", version, transport, connect: connectV2 })),
]);

/** Each test has a folder of its own, for over HTTP all of them reach one service. */
function folderOf({ library, version }: Combination, profile: Profile): string {
  return `${library}-${version}-${profile}`;
}

function filesIn(folders: readonly string[]): Files {
  const notes = folders.flatMap((folder) => [
    [`${folder}/other.md`, "Another\n"],
    [`${folder}/pump.md`, "# Pump\n\nThe pump in the cellar\n"],
  ]);
  return {
    "overview.md": "# Overview\n\nA house by the sea\n",
    "plan.png": demoImage(),
    ...Object.fromEntries(notes),
  };
}

const IMAGE = Buffer.from(demoImage()).toString("base64");
const SHOWN_IMAGE = [
  { type: "text", text: expect.stringMatching(/^vault\/plan\.png \(image\/png, 640×400, /u) },
  { type: "image", data: IMAGE, mimeType: "image/png" },
];

const served = await sharedService(
  filesIn(
    COMBINATIONS.filter(({ transport }) => transport === "HTTP").flatMap((each) => [
      folderOf(each, "update"),
      folderOf(each, "search"),
    ]),
  ),
);

/** Over stdio every client keeps a vault of its own in order. */
function placeFor({ transport }: Combination, folder: string): Place {
  return transport === "HTTP" ? served : temporaryPlace(filesIn([folder]));
}

it("both libraries speak every version that they know", () => {
  expect(V1_VERSIONS.toSorted()).toEqual(["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]);
  expect(V2_VERSIONS).toEqual([...V1_VERSIONS.toSorted(), "2026-07-28"]);
});

describe.each(COMBINATIONS)("client $library, $version, over $transport", (combination) => {
  const { connect, transport, version } = combination;

  it("files with the eight tools of update, and plays its agent", async () => {
    const folder = folderOf(combination, "update");
    const place = placeFor(combination, folder);
    const client = await connect(place, { transport, version, profile: "update" });
    const text = async (tool: string, args: Record<string, unknown>): Promise<string> =>
      textOf(await client.call(tool, args));
    const [pump, heron] = [`vault/${folder}/pump.md`, `vault/${folder}/n/heron.md`];
    expect(client.version).toBe(version);
    const tools = ["append", "delete", "edit", "move", "read", "search", "tree", "write"];
    expect((await client.tools()).toSorted()).toEqual(tools);

    expect(await text("tree", { path: folder })).toContain("└── pump.md ");
    expect(await text("search", { queries: ["pumps"], scopes: [folder] })).toContain(pump);
    expect(await text("read", { paths: pump })).toContain("| The pump in the cellar");
    expect((await client.call("read", { paths: ["plan.png"] })).content).toEqual(SHOWN_IMAGE);
    const edit = { path: pump, old_content: "cellar", new_content: "attic" };
    expect(await text("edit", edit)).toContain("| The pump in the attic");
    expect(await text("write", { path: heron, content: "A heron" })).toContain(`Created ${heron}`);
    expect(await client.call("write", { path: `${folder}/other.md`, content: "Mine" })).toEqual({
      content: [{ type: "text", text: expect.stringMatching(/^Error \(conflict\): vault\//u) }],
      isError: true,
    });
    const append = { path: `${folder}/log.md`, content: "It hums", position: "bottom" };
    expect(await text("append", append)).toContain(`Created vault/${folder}/log.md: 1 line.`);
    const moved = `vault/${folder}/heron.md`;
    expect(await text("move", { from: heron, to: moved })).toContain(`${heron} to ${moved}.`);
    expect(await text("delete", { path: moved })).toContain(`Deleted ${moved}: 1 file, `);
    await expect(client.call("concat", { files: [] })).rejects.toThrow("There is no tool");

    expect(await client.prompts()).toEqual(["update"]);
    const prompt = await client.prompt("update", { content: "The pump is mended" });
    expect(JSON.stringify(prompt)).toMatch(/A house by the sea.*# File this.*pump is mended/u);
  });

  it("looks with the four tools of search, and is told when a resource changes", async () => {
    const folder = folderOf(combination, "search");
    const place = placeFor(combination, folder);
    const client = await connect(place, { transport, version, profile: "search" });
    const text = async (tool: string, args: Record<string, unknown>): Promise<string> =>
      textOf(await client.call(tool, args));
    const pump = `vault/${folder}/pump.md`;
    expect(client.version).toBe(version);
    expect((await client.tools()).toSorted()).toEqual(["concat", "read", "search", "tree"]);

    expect(await text("tree", { path: folder })).toContain("└── pump.md ");
    expect(await text("read", { paths: pump })).toContain("| The pump in the cellar");
    expect((await client.call("read", { paths: "plan.png" })).content).toEqual(SHOWN_IMAGE);
    expect(await text("search", { queries: ["pumps"], scopes: [folder] })).toContain(pump);
    const files = [{ path: pump, lines: "1-1" }, { path: "overview.md" }];
    expect(await text("concat", { files })).toContain(`\`\`\`${pump} (lines 1-1)\n1  | `);
    await expect(client.call("write", { path: "a.md", content: "x" })).rejects.toThrow(
      "There are: tree, read, search, concat.",
    );

    const uri = `vault:///${folder}/pump.md`;
    expect(await client.resources()).toEqual(
      expect.arrayContaining([uri, "vault:///overview.md", "vault:///plan.png"]),
    );
    expect(await client.readResource(uri)).toEqual([
      { uri, mimeType: "text/markdown", text: expect.stringContaining("\nThe pump in the cell") },
    ]);
    expect(await client.readResource("vault:///plan.png")).toEqual([
      { uri: "vault:///plan.png", mimeType: "image/png", blob: IMAGE },
    ]);
    await expect(client.readResource("vault:///none.md")).rejects.toThrow("vault/none.md");

    const told: string[] = [];
    await client.subscribe(uri, (changed) => told.push(changed));
    appendFileSync(path.join(place.root, folder, "other.md"), "And more\n");
    // A client of the older protocols opens the stream on which it is told over HTTP in its own time.
    await vi.waitFor(
      () => {
        appendFileSync(path.join(place.root, folder, "pump.md"), "It hums\n");
        expect(told).toContain(uri);
      },
      { timeout: 30_000, interval: 100 },
    );
    expect(new Set(told)).toEqual(new Set([uri]));

    expect(await client.prompts()).toEqual(["search"]);
    const prompt = await client.prompt("search", { question: "Where is the pump?" });
    expect(JSON.stringify(prompt)).toMatch(/A house by the sea.*# Answer this.*Where is the/u);
  });
});
