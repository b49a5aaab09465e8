import { execFile } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";

import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

import { startScriptedModel } from "../../src/testing/models/scripted-model.ts";

const run = promisify(execFile);
const CHECKOUT = path.join(import.meta.dirname, "..", "..");
const folder = mkdtempSync(path.join(tmpdir(), "coffre-package-"));
const vault = path.join(folder, "vault");
const installed = path.join(folder, "installed");
const main = path.join(installed, "node_modules", "coffre", "dist", "bin", "coffre.js");
const places = ["--vault", vault, "--state", path.join(folder, "state")];

function tarball(): string {
  const name = readdirSync(folder).find((each) => each.endsWith(".tgz"));
  if (name === undefined) throw new Error("nothing was packed");
  return path.join(folder, name);
}

async function coffre(...argv: string[]): Promise<string> {
  return (await run(process.execPath, [main, ...argv])).stdout;
}

/** Bytes on the disk, in whole blocks, as `du` counts them. */
function sizeOnDisk(at: string): number {
  const stat = lstatSync(at);
  const inside = stat.isDirectory() ? readdirSync(at) : [];
  return inside.reduce((sum, name) => sum + sizeOnDisk(path.join(at, name)), stat.blocks * 512);
}

/** Built files whose imports lead nowhere, with what they import. */
function brokenImports(dist: string): string[] {
  return readdirSync(dist, { recursive: true, encoding: "utf8" }).flatMap((name) => {
    if (!/\.(?:js|d\.ts)$/u.test(name) || name.startsWith("web")) return [];
    const file = path.join(dist, name);
    const imported = readFileSync(file, "utf8").matchAll(/(?:from |import\()"(\.{1,2}\/[^"]+)"/gu);
    return [...imported]
      .map(([, to = ""]) => path.join(path.dirname(file), to))
      .filter(
        (to) =>
          !existsSync(to) &&
          !existsSync(to.replace(/\.js$/u, ".d.ts").replace(/(?<!\.d)\.ts$/u, ".d.ts")),
      )
      .map((to) => `${name} imports ${path.relative(dist, to)}`);
  });
}

beforeAll(async () => {
  await run("npm", ["pack", "--pack-destination", folder], { cwd: CHECKOUT });
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

describe("the package without the packages of a model", () => {
  it("takes at most 60 MB", () => {
    expect(sizeOnDisk(installed) / 1e6).toBeLessThan(60);
    const names = readdirSync(path.join(installed, "node_modules"));
    expect(names).not.toContain("ai");
    expect(names).not.toContain("@ai-sdk");
  });

  it("leaves out no file that another one imports", () => {
    expect(brokenImports(path.join(installed, "node_modules", "coffre", "dist"))).toEqual([]);
  });

  it("compiles as a library, with its types checked, and with no type of a model's package", async () => {
    const file = path.join(installed, "use.ts");
    writeFileSync(file, 'import { createVault } from "coffre";\nexport const use = createVault;\n');
    const tsc = path.join(CHECKOUT, "node_modules", ".bin", "tsc");
    const types = ["--types", "node", "--typeRoots", path.join(CHECKOUT, "node_modules", "@types")];
    const options = [
      "--noEmit",
      "--strict",
      "--target",
      "esnext",
      "--module",
      "nodenext",
      ...types,
    ];
    const { stdout } = await run(tsc, [...options, file], { cwd: installed });
    expect(stdout).toBe("");
  });

  it("says what to install for a model, files notes without it, and uses it once that was done", async () => {
    const says = { text: "Bea does the electrics." };
    const server = await startScriptedModel("anthropic", () => says);
    onTestFinished(() => server.close());
    const env = {
      ...process.env,
      COFFRE_MODEL: "anthropic/claude",
      COFFRE_BASE_URL: server.baseUrl,
      ANTHROPIC_API_KEY: "a-key",
      LC_ALL: "C",
    };
    const withModel = async (...argv: string[]): Promise<string> =>
      (await run(process.execPath, [main, ...argv, ...places], { env })).stdout;

    const question = "who does the electrics?";
    const asked = await withModel("recall", question);
    const command = /npm install --prefix (\S+) (ai@\d+ @ai-sdk\/anthropic@\d+)/u.exec(asked);
    expect(command).not.toBeNull();
    expect(asked).toContain("vault/projects/sail-loft/changelog.md");
    const noted = await withModel("remember", "Bea can start on Monday");
    expect(noted).toContain(command?.[0] ?? "no command");
    expect(noted).toContain("it waits in vault/inbox/");
    expect(server.requests).toHaveLength(0);

    const [, prefix = "", packages = ""] = command ?? [];
    await run("npm", [
      "install",
      "--no-audit",
      "--no-fund",
      "--prefix",
      prefix,
      ...packages.split(" "),
    ]);
    expect(await withModel("recall", question)).toContain("Bea does the electrics.");
    expect(server.requests[0]?.headers["x-api-key"]).toBe("a-key");
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
