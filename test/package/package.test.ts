import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const CHECKOUT = path.join(import.meta.dirname, "..", "..");
const folder = mkdtempSync(path.join(tmpdir(), "coffre-package-"));
const vault = path.join(folder, "vault");
const installed = path.join(folder, "installed");
const main = path.join(installed, "node_modules", "coffre", "dist", "cli", "main.js");
const places = ["--vault", vault, "--state", path.join(folder, "state")];

function tarball(): string {
  const name = readdirSync(folder).find((each) => each.endsWith(".tgz"));
  if (name === undefined) throw new Error("nothing was packed");
  return path.join(folder, name);
}

async function coffre(...argv: string[]): Promise<string> {
  return (await run(process.execPath, [main, ...argv])).stdout;
}

beforeAll(async () => {
  await run("npm", ["pack", "--pack-destination", folder], { cwd: CHECKOUT });
  await run("npm", ["init", "-y", "--prefix", installed], { cwd: folder }).catch(() => {});
  await run("npm", ["install", "--prefix", installed, "--no-audit", "--no-fund", tarball()]);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the package, installed into an empty folder", () => {
  it("says its version, makes a vault, and finds something in it", async () => {
    expect(await coffre("--version")).toMatch(/^\d+\.\d+\.\d+\n$/u);
    expect(await coffre("init", "--demo", "--lang", "en", ...places)).toContain("Made 24 files");
    const found = await coffre("search", "why was the opening moved?", "--limit", "1", ...places);
    expect(found).toContain("vault/projects/sail-loft/changelog.md");
  });

  it("serves an AI client", async () => {
    const client = new Client({ name: "package test", version: "1" });
    const args = [main, "mcp", ...places];
    await client.connect(new StdioClientTransport({ command: process.execPath, args }));
    expect((await client.listTools()).tools).toHaveLength(8);
    await client.close();
  });

  it("brings the page", () => {
    const page = readdirSync(path.join(installed, "node_modules", "coffre", "dist", "web"));
    expect(page).toContain("index.html");
  });

  it("takes a document in", async () => {
    const page = path.join(folder, "page.html");
    writeFileSync(page, "<html><body><h1>Pump</h1><p>It hums.</p></body></html>");
    expect(await coffre("ingest", page, ...places)).toContain("vault/bucket/");
  });

  it("is a library", async () => {
    const script = 'import { createVault } from "coffre"; console.log(typeof createVault);';
    const argv = ["--input-type=module", "--eval", script];
    const { stdout } = await run(process.execPath, argv, { cwd: installed });
    expect(stdout).toBe("function\n");
  });
});

it.each([
  ["publint", ["--strict"]],
  ["attw", ["--profile", "esm-only", "--no-color"]],
])("has nothing that %s objects to", async (tool, options) => {
  const program = path.join(import.meta.dirname, "node_modules", ".bin", tool);
  const { stdout } = await run(program, [tarball(), ...options]);
  expect(stdout).not.toContain("Error");
});
