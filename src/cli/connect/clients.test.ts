import { describe, expect, it } from "vitest";

import { UsageError } from "../table/command.ts";
import { clientCalled, clientNames, configFile, type Scope } from "./clients.ts";
import type { Machine } from "./machine.ts";

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
    ["gemini-cli", "/home/ada/.gemini/settings.json"],
    ["copilot-cli", "/home/ada/.copilot/mcp-config.json"],
    ["opencode", "/home/ada/.config/opencode/opencode.json"],
    ["windsurf", "/home/ada/.codeium/windsurf/mcp_config.json"],
    ["zed", "/home/ada/.config/zed/settings.json"],
    [
      "cline",
      "/home/ada/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
    ],
    ["continue", "/home/ada/.continue/mcpServers/coffre.json"],
    ["goose", "/home/ada/.config/goose/config.yaml"],
    ["lm-studio", "/home/ada/.lmstudio/mcp.json"],
    ["jan", "/home/ada/.config/Jan/data/mcp_config.json"],
    ["kiro", "/home/ada/.kiro/settings/mcp.json"],
    ["qwen-code", "/home/ada/.qwen/settings.json"],
  ])("%s on Linux", (id, file) => {
    expect(fileOf(id, LINUX)).toBe(file);
  });

  it.each([
    ["claude-code", "/Users/ada/.claude.json"],
    ["claude-desktop", "/Users/ada/Library/Application Support/Claude/claude_desktop_config.json"],
    ["cursor", "/Users/ada/.cursor/mcp.json"],
    ["vscode", "/Users/ada/Library/Application Support/Code/User/mcp.json"],
    ["codex", "/Users/ada/.codex/config.toml"],
    ["opencode", "/Users/ada/.config/opencode/opencode.json"],
    ["zed", "/Users/ada/.config/zed/settings.json"],
    ["goose", "/Users/ada/.config/goose/config.yaml"],
    ["jan", "/Users/ada/Library/Application Support/Jan/data/mcp_config.json"],
  ])("%s on a Mac", (id, file) => {
    expect(fileOf(id, MAC)).toBe(file);
  });

  it.each([
    ["claude-code", String.raw`C:\Users\ada\.claude.json`],
    ["claude-desktop", String.raw`C:\Users\ada\AppData\Roaming\Claude\claude_desktop_config.json`],
    ["cursor", String.raw`C:\Users\ada\.cursor\mcp.json`],
    ["vscode", String.raw`C:\Users\ada\AppData\Roaming\Code\User\mcp.json`],
    ["codex", String.raw`C:\Users\ada\.codex\config.toml`],
    ["opencode", String.raw`C:\Users\ada\.config\opencode\opencode.json`],
    ["zed", String.raw`C:\Users\ada\AppData\Roaming\Zed\settings.json`],
    ["goose", String.raw`C:\Users\ada\AppData\Roaming\Block\goose\config\config.yaml`],
    ["jan", String.raw`C:\Users\ada\AppData\Roaming\Jan\data\mcp_config.json`],
  ])("%s on Windows, with and without its variables", (id, file) => {
    expect(fileOf(id, WINDOWS)).toBe(file);
    expect(fileOf(id, { ...WINDOWS, environment: {} })).toBe(file);
  });

  it.each([
    ["claude-code", "/home/ada/site/.mcp.json", String.raw`D:\site\.mcp.json`],
    ["cursor", "/home/ada/site/.cursor/mcp.json", String.raw`D:\site\.cursor\mcp.json`],
    ["vscode", "/home/ada/site/.vscode/mcp.json", String.raw`D:\site\.vscode\mcp.json`],
    ["codex", "/home/ada/site/.codex/config.toml", String.raw`D:\site\.codex\config.toml`],
    [
      "gemini-cli",
      "/home/ada/site/.gemini/settings.json",
      String.raw`D:\site\.gemini\settings.json`,
    ],
    ["opencode", "/home/ada/site/opencode.json", String.raw`D:\site\opencode.json`],
    ["zed", "/home/ada/site/.zed/settings.json", String.raw`D:\site\.zed\settings.json`],
    ["kiro", "/home/ada/site/.kiro/settings/mcp.json", String.raw`D:\site\.kiro\settings\mcp.json`],
    ["qwen-code", "/home/ada/site/.qwen/settings.json", String.raw`D:\site\.qwen\settings.json`],
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

  it("is the one that a person has, where a client knows two", () => {
    const having = (...files: readonly string[]): Machine => ({
      ...LINUX,
      exists: (file) => files.includes(file),
    });
    const commented = "/home/ada/.config/opencode/opencode.jsonc";
    expect(fileOf("opencode", having(commented))).toBe(commented);
    const extension = "/home/ada/.config/Code/User/globalStorage/saoudrizwan.claude-dev";
    const [own, settings] = ["/home/ada/.cline/data", "settings/cline_mcp_settings.json"];
    expect(fileOf("cline", having(own))).toBe(`${own}/${settings}`);
    expect(fileOf("cline", having(own, extension))).toBe(`${extension}/${settings}`);
  });

  it("is refused where a client has none for a project", () => {
    const refused = clientNames.filter((id) => {
      try {
        return fileOf(id, LINUX, "project") === "";
      } catch (error) {
        return error instanceof UsageError;
      }
    });
    expect(refused).toEqual([
      "claude-desktop",
      "copilot-cli",
      "windsurf",
      "cline",
      "goose",
      "lm-studio",
      "jan",
    ]);
  });
});
