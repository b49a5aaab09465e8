import type { LanguageModel } from "ai";

import type { ModelChoice } from "./model-choice.ts";

/** A model of the AI SDK, and what its provider can take. */
export interface ProvidedModel {
  readonly model: Exclude<LanguageModel, string>;
  /** Whether the result of a tool may hold an image. Where not, the image follows in a message of its own. */
  readonly takesImagesInResults: boolean;
}

/** Loads the one provider that is needed, and nothing before it is. */
export async function provideModel(choice: ModelChoice): Promise<ProvidedModel> {
  const { provider, model, baseUrl, apiKey } = choice;
  const settings = {
    ...(baseUrl === null ? {} : { baseURL: baseUrl }),
    ...(apiKey === null ? {} : { apiKey }),
  };
  switch (provider) {
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return { model: createAnthropic(settings)(model), takesImagesInResults: true };
    }
    case "openai": {
      const { createOpenAI } = await import("@ai-sdk/openai");
      const openai = createOpenAI(settings);
      // Other servers that stand in for it speak its older protocol.
      return baseUrl === null
        ? { model: openai(model), takesImagesInResults: true }
        : { model: openai.chat(model), takesImagesInResults: false };
    }
    case "google": {
      const { createGoogle } = await import("@ai-sdk/google");
      return { model: createGoogle(settings)(model), takesImagesInResults: true };
    }
    case "mistral": {
      const { createMistral } = await import("@ai-sdk/mistral");
      return { model: createMistral(settings)(model), takesImagesInResults: false };
    }
    case "openrouter": {
      const { createOpenRouter } = await import("@openrouter/ai-sdk-provider");
      const router = createOpenRouter({ ...settings, compatibility: "strict" });
      return { model: router(model), takesImagesInResults: false };
    }
    case "ollama":
    case "openai-compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      const server = createOpenAICompatible({
        name: provider,
        baseURL: baseUrl ?? "",
        includeUsage: true,
        ...(apiKey === null ? {} : { apiKey }),
      });
      return { model: server(model), takesImagesInResults: false };
    }
  }
}
