import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import { ConfiguredModel } from "./configured-model.ts";
import { missingPackages } from "./model-packages.ts";
import { PROVIDERS, type ProviderName } from "./providers.ts";

const CLAUDE = { provider: "anthropic", model: "claude" } as const;

/** An installation of coffre in the given folder of a new place. */
function installation(modules: string): {
  own: string;
  put: (name: string, version: string) => void;
} {
  const place = mkdtempSync(path.join(tmpdir(), "coffre-packages-"));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  const put = (name: string, version: string, more = {}): string => {
    const folder = path.join(place, modules, name);
    mkdirSync(folder, { recursive: true });
    const file = path.join(folder, "package.json");
    writeFileSync(file, JSON.stringify({ name, version, ...more }));
    return file;
  };
  const peerDependencies = { ai: "^7.0.169", "@ai-sdk/anthropic": "^4.0.102" };
  return { own: put("coffre", "0.1.0", { peerDependencies }), put };
}

describe("the packages that a model needs", () => {
  it("are in a checkout, for every provider", () => {
    const isProvider = (name: string): name is ProviderName => name in PROVIDERS;
    const names = Object.keys(PROVIDERS).filter((name) => isProvider(name));
    expect(names.length).toBeGreaterThan(5);
    for (const provider of names) expect(missingPackages({ provider, model: "any" })).toBeNull();
  });

  it("are named with the command that installs them for everybody", () => {
    const { own } = installation("lib/node_modules");
    const { code, message } = missingPackages(CLAUDE, own) ?? { code: "", message: "" };
    expect(code).toBe("unavailable");
    expect(message).toBe(
      "The model anthropic/claude needs packages that are not installed. Install them: npm install -g ai@7 @ai-sdk/anthropic@4",
    );
  });

  it("are installed in the project that coffre is installed in", () => {
    const { own } = installation("my project/node_modules");
    const project = path.dirname(path.dirname(path.dirname(own)));
    writeFileSync(path.join(project, "package.json"), "{}");
    expect(missingPackages(CLAUDE, own)?.message).toContain(
      `npm install --prefix "${project}" ai@7 @ai-sdk/anthropic@4`,
    );
  });

  it("come with npx when coffre was started by it", () => {
    const { own } = installation("_npx/1f/node_modules");
    expect(missingPackages(CLAUDE, own)?.message).toContain(
      "npx --package coffre --package ai@7 --package @ai-sdk/anthropic@4 coffre",
    );
  });

  it("are found once they are installed, without a restart", () => {
    const { own, put } = installation("node_modules");
    put("ai", "7.0.169");
    expect(missingPackages(CLAUDE, own)?.message).toContain("@ai-sdk/anthropic@4");
    put("@ai-sdk/anthropic", "4.1.0");
    expect(missingPackages(CLAUDE, own)).toBeNull();
  });

  it.each(["6.9.999", "7.0.9", "8.0.0"])("count as missing when ai is %s", (version) => {
    const { own, put } = installation("node_modules");
    put("ai", version);
    put("@ai-sdk/anthropic", "4.0.102");
    expect(missingPackages(CLAUDE, own)?.message).toContain("ai@7");
  });
});

it("a model without a key says so first", () => {
  const model = new ConfiguredModel({ name: "anthropic/claude", baseUrl: null, apiKey: null });
  expect(model.state?.problem).toContain("needs a key");
});
