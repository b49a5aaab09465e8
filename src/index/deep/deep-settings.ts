import { z } from "zod";

/** What each local model does. */
export type ModelRole = "embed" | "rerank" | "generate";

/** A local model: `hf:user/repository/file.gguf`, or the path of a file. */
export type ModelNames = Readonly<Record<ModelRole, string>>;

/** What `deep` may search with. */
export interface DeepSettings {
  /** `auto`: an embedding server when one is named, else QMD when it and its models are there. */
  readonly engine: "auto" | "qmd" | "endpoint" | "off";
  readonly endpoint: {
    /** `http://127.0.0.1:11434/v1`, with or without `/embeddings`. */
    readonly url: string;
    readonly model: string;
    readonly key: string | null;
  } | null;
  readonly models: ModelNames;
  /** Where local models are kept. */
  readonly modelsFolder: string;
  /** A folder whose `node_modules` has QMD; null to look beside this program. */
  readonly qmdFolder: string | null;
  /** How long a deep search may take. */
  readonly seconds: number;
}

/** The models that QMD itself uses. */
export const DEFAULT_MODELS: ModelNames = {
  embed: "hf:ggml-org/embeddinggemma-300M-GGUF/embeddinggemma-300M-Q8_0.gguf",
  rerank: "hf:ggml-org/Qwen3-Reranker-0.6B-Q8_0-GGUF/qwen3-reranker-0.6b-q8_0.gguf",
  generate: "hf:tobil/qmd-query-expansion-1.7B-gguf/qmd-query-expansion-1.7B-q4_k_m.gguf",
};

/** An embedding model that knows over a hundred languages. */
export const MULTILINGUAL_EMBED =
  "hf:Qwen/Qwen3-Embedding-0.6B-GGUF/Qwen3-Embedding-0.6B-Q8_0.gguf";

const Text = z.string().min(1);

/** The section `deep` of `coffre.json`. */
export const DeepSection = z.strictObject({
  engine: z.enum(["auto", "qmd", "endpoint", "off"]).optional(),
  seconds: z.number().positive().max(600).optional(),
  endpoint: z.strictObject({ url: z.url(), model: Text, key: Text.optional() }).optional(),
  models: z
    .strictObject({ embed: Text.optional(), rerank: Text.optional(), generate: Text.optional() })
    .optional(),
});

export type DeepSection = z.infer<typeof DeepSection>;
