import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

import { expect, it, onTestFinished } from "vitest";

import { startScriptedModel } from "../src/testing/models/scripted-model.ts";
import { home } from "../src/testing/service-home.ts";
import { temporaryFolder, writeFiles } from "../src/testing/temporary-vault.ts";

const run = promisify(execFile);

function example(name: string): string {
  return path.join(import.meta.dirname, "..", "examples", name);
}

it("captures a folder of notes once, and replaces nothing", async () => {
  const { root, state } = home();
  const folder = temporaryFolder();
  writeFiles(folder, { "pump.md": "The pump\n", "roof.md": "The roof\n", "photo.jpg": "x" });
  const argv = [example("capture-folder.ts"), root, state, folder];
  const first = await run(process.execPath, argv);
  expect(first.stdout).toContain("vault/bucket/pump.md");
  expect(readdirSync(path.join(root, "bucket"))).toEqual(["pump.md", "roof.md"]);
  const again = await run(process.execPath, argv);
  expect(again.stdout).toContain("Error (conflict)");
});

it("answers from a vault with the tools that look", async () => {
  const { root, state } = home({ "state.md": "The pump in the bilge is broken.\n" });
  const model = await startScriptedModel("openai", [
    { calls: [{ name: "read", args: { paths: "state.md" } }] },
    ({ last }) => ({ text: last.includes("is broken") ? "The pump, state.md line 7." : "?" }),
  ]);
  onTestFinished(() => model.close());
  const { stdout } = await run(
    process.execPath,
    [example("agent.ts"), root, state, "what broke?"],
    {
      env: { ...process.env, OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: "none" },
    },
  );
  expect(stdout).toBe("The pump, state.md line 7.");
  expect(model.requests[0]?.tools).toEqual(["tree", "read", "search", "concat"]);
});
