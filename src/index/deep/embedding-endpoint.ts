import { z } from "zod";

import { ExpectedError } from "../../errors.ts";
import type { DeepModel, Embedder } from "./deep-model.ts";
import type { DeepSettings } from "./deep-settings.ts";

type EndpointOptions = NonNullable<DeepSettings["endpoint"]> & {
  /** Milliseconds it may take to answer. */
  readonly timeout?: number;
};

const BATCH = 32;
const TIMEOUT = 60_000;
/** Characters of a text that are sent; the length that every model accepts of prose, and of anything: code and signs take a token each. */
const LONGEST = 8000;
const SHORT = 1200;
const SHORTEST = 200;
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
  const embedder: Embedder = {
    model: options.model,
    batch: BATCH,
    // The load of a server on this machine looks like that of another program: do not throttle on it.
    isLocal: false,
    embed: async (texts, _purpose, signal) => {
      const sent = texts.map(({ title, text }) => `${title}\n${text}`.trim().slice(0, LONGEST));
      return new EmbeddingEndpoint(options, signal).embed(sent);
    },
  };
  return { engine: "endpoint", embedder, close: async () => {} };
}

class EmbeddingEndpoint {
  readonly #options: EndpointOptions;
  readonly #signal: AbortSignal;
  readonly #address: string;

  constructor(options: EndpointOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    const base = options.url.replace(/\/+$/u, "");
    this.#address = base.endsWith("/embeddings") ? base : `${base}/embeddings`;
  }

  /** Finds the text that is too long for the model by halving the batch, and shortens it: the others must not fail with it. */
  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    try {
      return await this.#embedTogether(texts);
    } catch (error) {
      if (!(error instanceof RefusedTextError)) throw error;
      const [only = "", ...others] = texts;
      if (others.length === 0) {
        if (only.length <= SHORTEST) throw error;
        return this.embed([only.slice(0, Math.min(SHORT, Math.ceil(only.length / 2)))]);
      }
      const middle = Math.ceil(texts.length / 2);
      const first = await this.embed(texts.slice(0, middle));
      return [...first, ...(await this.embed(texts.slice(middle)))];
    }
  }

  async #embedTogether(input: readonly string[]): Promise<Float32Array[]> {
    const { data } = await this.#ask({ model: this.#options.model, input });
    const vectors = new Map(data.map(({ index, embedding }) => [index, embedding]));
    return input.map((_, at) => {
      const vector = vectors.get(at);
      if (vector === undefined) throw this.#failed(`gave no vector for text ${at + 1}`);
      return Float32Array.from(vector);
    });
  }

  async #ask(body: unknown): Promise<z.infer<typeof Answer>> {
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
        signal: AbortSignal.any([this.#signal, AbortSignal.timeout(timeout)]),
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
