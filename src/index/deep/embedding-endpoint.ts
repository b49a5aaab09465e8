import { z } from "zod";

import { ExpectedError } from "../../errors.ts";
import type { DeepModel, Embedder, ModelText } from "./deep-model.ts";

export interface EndpointOptions {
  /** `http://127.0.0.1:11434/v1`, with or without `/embeddings`. */
  readonly url: string;
  readonly model: string;
  readonly key: string | null;
  /** Milliseconds it may take to answer. */
  readonly timeout?: number;
}

const BATCH = 32;
const TIMEOUT = 60_000;
/** Characters of a text that are sent, and the length that every model accepts. */
const LONGEST = 8000;
const SHORT = 1200;
/** Statuses by which servers report, among other things, a text that is too long for the model. */
const MAY_BE_TOO_LONG: ReadonlySet<number> = new Set([400, 413, 422, 500]);

/** The server is up, but rejects these texts. */
class RefusedTextError extends ExpectedError {
  constructor({ code, message }: ExpectedError) {
    super(code, message);
    this.name = "RefusedTextError";
  }
}

const Answer = z.object({
  data: z.array(z.object({ index: z.int().nonnegative(), embedding: z.array(z.number()).min(1) })),
});

/** Any server that speaks OpenAI's `/embeddings`: Ollama, Mistral, OpenAI, llama.cpp. It only embeds. */
export function endpointModel(options: EndpointOptions): DeepModel {
  return { engine: "endpoint", embedder: new EndpointEmbedder(options), close: async () => {} };
}

class EndpointEmbedder implements Embedder {
  readonly model: string;
  readonly batch = BATCH;
  // The load of a server on this machine looks like that of another program: do not throttle on it.
  readonly isLocal = false;
  readonly #options: EndpointOptions;
  readonly #address: string;

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.model = options.model;
    const base = options.url.replace(/\/+$/u, "");
    this.#address = base.endsWith("/embeddings") ? base : `${base}/embeddings`;
  }

  async embed(
    texts: readonly ModelText[],
    _purpose: "query" | "section",
    signal: AbortSignal,
  ): Promise<Float32Array[]> {
    return this.#embed(
      texts.map(({ title, text }) => `${title}\n${text}`.trim().slice(0, LONGEST)),
      signal,
    );
  }

  /** Finds the text that is too long for the model by halving the batch, and shortens it: the others must not fail with it. */
  async #embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    try {
      return await this.#embedTogether(texts, signal);
    } catch (error) {
      if (!(error instanceof RefusedTextError)) throw error;
      const [only = "", ...others] = texts;
      if (others.length === 0) {
        if (only.length <= SHORT) throw error;
        return this.#embedTogether([only.slice(0, SHORT)], signal);
      }
      const middle = Math.ceil(texts.length / 2);
      const first = await this.#embed(texts.slice(0, middle), signal);
      return [...first, ...(await this.#embed(texts.slice(middle), signal))];
    }
  }

  async #embedTogether(input: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const { data } = await this.#ask({ model: this.model, input }, signal);
    const vectors = new Map(data.map(({ index, embedding }) => [index, embedding]));
    return input.map((_, at) => {
      const vector = vectors.get(at);
      if (vector === undefined) throw this.#failed(`gave no vector for text ${at + 1}`);
      return Float32Array.from(vector);
    });
  }

  async #ask(body: unknown, signal: AbortSignal): Promise<z.infer<typeof Answer>> {
    const { key, timeout = TIMEOUT } = this.#options;
    const headers = {
      "content-type": "application/json",
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    };
    let response: Response;
    try {
      response = await fetch(this.#address, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
      });
    } catch (error) {
      throw this.#failed("cannot be reached", error);
    }
    // Read in any case, to free the connection; an error text may repeat the key or the notes, so only the status is reported.
    const answer = Answer.safeParse(await response.json().catch(() => null));
    if (!response.ok) {
      const error = this.#failed(`answered ${response.status}${hintFor(response.status)}`);
      throw MAY_BE_TOO_LONG.has(response.status) ? new RefusedTextError(error) : error;
    }
    if (!answer.success) throw this.#failed("gave an answer that is not one of embeddings");
    return answer.data;
  }

  #failed(what: string, cause?: unknown): ExpectedError {
    return new ExpectedError("unavailable", `The embedding server ${this.#address} ${what}.`, {
      cause,
    });
  }
}

function hintFor(status: number): string {
  if (status === 401 || status === 403) return " (is COFFRE_EMBED_KEY right?)";
  if (status === 404) return " (is the address right, and the model known to it?)";
  return status === 429 ? " (too many requests; retried later)" : "";
}
