import { describe, expect, it } from "vitest";

import { UsageError } from "../table/command.ts";
import { clientCalled, clientNames, configFile, type Machine, type Scope } from "./clients.ts";

const LINUX: Machine = {
  platform: "linux",
  home: "/home/ada",
  cwd: "/home/ada/site",
  environment: {},
  exists: () => false,
};
const MAC: Machine = { ...LINUX, platform: "darwin", home: "/Users/ada", cwd: "/Users/ada/work" };
const WINDOWS: Machine = {
  ...LINUX,
  platform: "win32",
  home: String.raw`C:\Users\ada`,
  cwd: String.raw`D:\site`,
  environment: {
    APPDATA: String.raw`C:\Users\ada\AppData\Roaming`,
    LOCALAPPDATA: String.raw`C:\Users\ada\AppData\Local`,
  },
};

function fileOf(id: string, machine: Machine, scope: Scope = "user"): string {
  return configFile(clientCalled(id), scope, machine);
}

describe("the file of a client", () => {
  it.each([
    ["claude-code", "/home/ada/.claude.json"],
    ["claude-desktop", "/home/ada/.config/Claude/claude_desktop_config.json"],
    ["cursor", "/home/ada/.cursor/mcp.json"],
    ["vscode", "/home/ada/.config/Code/User/mcp.json"],
    ["codex", "/home/ada/.codex/config.toml"],
  ])("%s on Linux", (id, file) => {
    expect(fileOf(id, LINUX)).toBe(file);
  });

  it.each([
    ["claude-code", "/Users/ada/.claude.json"],
    ["claude-desktop", "/Users/ada/Library/Application Support/Claude/claude_desktop_config.json"],
    ["cursor", "/Users/ada/.cursor/mcp.json"],
    ["vscode", "/Users/ada/Library/Application Support/Code/User/mcp.json"],
    ["codex", "/Users/ada/.codex/config.toml"],
  ])("%s on a Mac", (id, file) => {
    expect(fileOf(id, MAC)).toBe(file);
  });

  it.each([
    ["claude-code", String.raw`C:\Users\ada\.claude.json`],
    ["claude-desktop", String.raw`C:\Users\ada\AppData\Roaming\Claude\claude_desktop_config.json`],
    ["cursor", String.raw`C:\Users\ada\.cursor\mcp.json`],
    ["vscode", String.raw`C:\Users\ada\AppData\Roaming\Code\User\mcp.json`],
    ["codex", String.raw`C:\Users\ada\.codex\config.toml`],
  ])("%s on Windows, with and without its variables", (id, file) => {
    expect(fileOf(id, WINDOWS)).toBe(file);
    expect(fileOf(id, { ...WINDOWS, environment: {} })).toBe(file);
  });

  it.each([
    ["claude-code", "/home/ada/site/.mcp.json", String.raw`D:\site\.mcp.json`],
    ["cursor", "/home/ada/site/.cursor/mcp.json", String.raw`D:\site\.cursor\mcp.json`],
    ["vscode", "/home/ada/site/.vscode/mcp.json", String.raw`D:\site\.vscode\mcp.json`],
    ["codex", "/home/ada/site/.codex/config.toml", String.raw`D:\site\.codex\config.toml`],
  ])("%s in a project", (id, onLinux, onWindows) => {
    expect(fileOf(id, LINUX, "project")).toBe(onLinux);
    expect(fileOf(id, WINDOWS, "project")).toBe(onWindows);
  });

  it("is where the client's own variable says", () => {
    const environment = {
      CLAUDE_CONFIG_DIR: "/srv/claude",
      CODEX_HOME: "codex",
      XDG_CONFIG_HOME: "/srv/config",
    };
    const machine = { ...LINUX, environment };
    expect(fileOf("claude-code", machine)).toBe("/srv/claude/.claude.json");
    expect(fileOf("codex", machine)).toBe("/home/ada/site/codex/config.toml");
    expect(fileOf("vscode", machine)).toBe("/srv/config/Code/User/mcp.json");
    expect(fileOf("claude-desktop", machine)).toBe("/srv/config/Claude/claude_desktop_config.json");
    expect(fileOf("codex", { ...LINUX, environment: { CODEX_HOME: "" } })).toBe(
      "/home/ada/.codex/config.toml",
    );
  });

  it("is the one that a packaged Claude Desktop sees on Windows", () => {
    const roaming = String.raw`C:\Users\ada\AppData\Local\Packages\Claude_pzs8sxrjxfjjc\LocalCache\Roaming`;
    const machine = { ...WINDOWS, exists: (file: string) => file === roaming };
    expect(fileOf("claude-desktop", machine)).toBe(
      String.raw`${roaming}\Claude\claude_desktop_config.json`,
    );
  });

  it("is refused where a client has none for a project", () => {
    const refused = clientNames.filter((id) => {
      try {
        return fileOf(id, LINUX, "project") === "";
      } catch (error) {
        return error instanceof UsageError;
      }
    });
    expect(refused).toEqual(["claude-desktop"]);
  });
});
