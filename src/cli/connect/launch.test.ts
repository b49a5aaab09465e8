import { existsSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { lastingNode, launchOf, mainFile, serverName, vaultOfEntry } from "./launch.ts";

const PLACE = { root: "/home/ada/my notes", state: "/srv/state" };
const USUAL = { named: { vault: undefined, state: undefined }, environment: {} };

describe("what a client runs", () => {
  it("is this Node, the main file and the vault", () => {
    expect(launchOf("mcp", PLACE, USUAL, [])).toEqual({
      command: lastingNode(process.execPath, existsSync),
      args: [mainFile, "mcp", "--vault", "/home/ada/my notes"],
    });
  });

  it("names the state folder only where it is not the usual one, and then the options", () => {
    const named = { ...USUAL.named, state: "/srv/state" };
    const { args } = launchOf("mcp", PLACE, { ...USUAL, named }, ["--profile", "search"]);
    expect(args.slice(2)).toEqual([
      "--vault",
      "/home/ada/my notes",
      "--state",
      "/srv/state",
      "--profile",
      "search",
    ]);
  });

  it("has a main file that exists", () => {
    expect(path.isAbsolute(mainFile)).toBe(true);
    expect(existsSync(mainFile)).toBe(true);
  });
});

describe("the name of a server", () => {
  it("is another for each profile", () => {
    expect(serverName("update")).toBe("coffre");
    expect(serverName("search")).toBe("coffre-search");
  });
});

describe("the vault of an entry", () => {
  it("is the one it was made for", () => {
    expect(vaultOfEntry(launchOf("mcp", PLACE, USUAL, []))).toBe("/home/ada/my notes");
  });

  it.each([undefined, null, "x", {}, { args: "--vault" }, { args: ["--vault"] }, { url: "x" }])(
    "is unknown in %j",
    (entry) => {
      expect(vaultOfEntry(entry)).toBeUndefined();
    },
  );
});

describe("the Node that lasts", () => {
  const cellar = "/opt/homebrew/Cellar/node@24/24.9.0_1/bin/node";

  it("is Homebrew's link to the present version", () => {
    expect(lastingNode(cellar, () => true)).toBe("/opt/homebrew/opt/node@24/bin/node");
  });

  it("is the one that runs where there is no such link", () => {
    expect(lastingNode(cellar, () => false)).toBe(cellar);
    expect(lastingNode("/usr/bin/node", () => true)).toBe("/usr/bin/node");
  });
});
