import { describe, expect, it, onTestFinished } from "vitest";

import { agentHome } from "../../testing/agent-home.ts";
import { houseFiles } from "../../testing/models/house-files.ts";
import { FILE, LOOK, NOTE, PIXEL, REPORT } from "../../testing/models/house-script.ts";
import { startScriptedModel } from "../../testing/models/scripted-model.ts";
import type { ModelChoice } from "./providers.ts";
import { openModel } from "./model.ts";
import { PROVIDERS, type ProviderName } from "./providers.ts";
import { toolsOf } from "../../tools/registry.ts";

function choiceOf(provider: ProviderName, baseUrl: string | null = null): ModelChoice {
  return { provider, model: "scripted", baseUrl, apiKey: "a-key" };
}

describe("the providers", () => {
  it.each(Object.entries(PROVIDERS))("%s is loaded when it is opened", async (_, { open }) => {
    const { model } = await open("scripted", { baseURL: "http://127.0.0.1:9/v1", apiKey: "k" });
    expect(model.modelId).toBe("scripted");
  });

  it.each(["openai", "mistral", "openrouter", "ollama", "openai-compatible"] as const)(
    "%s streams words and calls, and is shown the images that tools give",
    async (provider) => {
      const server = await startScriptedModel("openai", [LOOK, REPORT]);
      onTestFinished(() => server.close());
      const model = await openModel(choiceOf(provider, server.baseUrl));
      const talk = model.begin({ instructions: "Be brief.", tools: toolsOf("update") });
      talk.say([{ type: "text", text: "Look." }]);
      const said: string[] = [];
      const options = {
        mayCall: true,
        signal: new AbortController().signal,
        onEvent: (event: { type: string; text?: string }): void => {
          if (event.type === "text") said.push(event.text ?? "");
        },
      };
      const first = await talk.turn(options);
      expect(first.calls.map(({ name }) => name)).toEqual(["search", "read"]);
      talk.reply(
        first.calls.map(({ id, name }) => ({
          id,
          name,
          isError: false,
          content: [
            { type: "text", text: "a photo" },
            { type: "image", data: PIXEL, mimeType: "image/png", path: "vault/roof.png" },
          ],
        })),
      );
      const second = await talk.turn({ ...options, mayCall: false });
      expect(second.text).toBe(REPORT.text);
      expect(said.length).toBeGreaterThan(3);
      expect(server.requests[1]?.body).toContain(`data:image/png;base64,${PIXEL}`);
      expect(server.requests[1]?.toolChoice).toBe("none");
      expect(second.usage).toEqual({ input: 1000, output: 50, cached: 0 });
    },
  );

  it("sends images as part of a tool's result where the provider takes them", async () => {
    const files = { ...houseFiles, "projects/house/roof.png": Buffer.from(PIXEL, "base64") };
    const home = await agentHome(files, [LOOK, FILE, REPORT], { format: "anthropic" });
    await home.remember(NOTE);
    expect(home.model.requests[1]?.last).toMatch(/"tool_result".*"image"/u);
  });
});
