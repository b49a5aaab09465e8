import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

import { z } from "zod";

import type { MoonshineFiles } from "./moonshine-files.ts";

/*
 * Moonshine tiny: an encoder that hears the samples, and a decoder that writes one token after the other. Only what is used of the runtime is
 * described here, because its package may not be installed.
 */

interface Tensor {
  readonly data: ArrayLike<number>;
  dispose(): void;
}

type Feeds = Record<string, Tensor>;

interface Session {
  run(feeds: Feeds): Promise<Feeds>;
}

interface Runtime {
  readonly env: { readonly wasm: { numThreads: number } };
  readonly InferenceSession: { create(bytes: Uint8Array, options: object): Promise<Session> };
  readonly Tensor: new (
    type: string,
    data: Float32Array | BigInt64Array | readonly boolean[],
    dims: readonly number[],
  ) => Tensor;
}

interface Tokenizer {
  decode(ids: readonly number[], hasStart: boolean, hasSpace: boolean): string;
}

const RuntimeModule = z.custom<Runtime>(
  (value) => z.looseObject({ InferenceSession: z.unknown() }).safeParse(value).success,
);
const TokenizerModule = z.object({ default: z.custom<Tokenizer>() });

/** Samples a second that it hears. */
export const MOONSHINE_RATE = 16_000;

const LAYERS = 6;
const HEADS = 8;
const HEAD_SIZE = 36;
const START = 1;
const END = 2;
/** Nobody speaks faster; a model that repeats itself is stopped here. */
const TOKENS_A_SECOND = 6.5;
/** It makes little of shorter sounds. */
const LEAST_SECONDS = 1;

const OPTIONS = { executionProviders: ["wasm"], graphOptimizationLevel: "all" };

/** A model that is loaded. */
export interface Moonshine {
  /** What is said in a part of a recording. */
  hear(samples: Float32Array): Promise<string>;
}

/** Takes about two seconds. */
export async function loadMoonshine(files: MoonshineFiles): Promise<Moonshine> {
  const runtime = RuntimeModule.parse(createRequire(import.meta.url)(files.runtime));
  const tokenizer = TokenizerModule.parse(await import(pathToFileURL(files.tokenizer).href));
  // One thread: several recordings may be heard at once, and the person works beside it.
  runtime.env.wasm.numThreads = 1;
  const load = async (file: string): Promise<Session> =>
    runtime.InferenceSession.create(readFileSync(file), OPTIONS);
  const encoder = await load(files.encoder);
  const decoder = await load(files.decoder);
  return {
    hear: async (samples) => {
      const given = longEnough(samples);
      const input = new runtime.Tensor("float32", given, [1, given.length]);
      const { last_hidden_state: heard } = await encoder.run({ input_values: input });
      if (heard === undefined) throw new Error("the encoder gave nothing");
      const most = Math.ceil((given.length / MOONSHINE_RATE) * TOKENS_A_SECOND);
      const ids = await tokensOf(heard, { runtime, decoder, most });
      heard.dispose();
      return tokenizer.default.decode(ids, false, true).trim();
    },
  };
}

interface Decoding {
  readonly runtime: Runtime;
  readonly decoder: Session;
  readonly most: number;
}

/** The most probable token each time. What was computed for the tokens before is given back, and that for the sound once. */
async function tokensOf(
  heard: Tensor,
  { runtime, decoder, most }: Decoding,
): Promise<readonly number[]> {
  let past = emptyPast(runtime);
  const ids: number[] = [];
  while (ids.length < most) {
    const id = BigInt64Array.of(BigInt(ids.at(-1) ?? START));
    const isFirst = ids.length === 0;
    const output = await decoder.run({
      ...past,
      input_ids: new runtime.Tensor("int64", id, [1, 1]),
      encoder_hidden_states: heard,
      use_cache_branch: new runtime.Tensor("bool", [!isFirst], [1]),
    });
    const next = largest(output["logits"]?.data ?? []);
    past = nextPast(past, output, isFirst);
    if (next === END) break;
    ids.push(next);
  }
  for (const tensor of Object.values(past)) tensor.dispose();
  return ids;
}

function emptyPast(runtime: Runtime): Feeds {
  const names = Array.from({ length: LAYERS }, (_, layer) =>
    ["decoder.key", "decoder.value", "encoder.key", "encoder.value"].map(
      (part) => `past_key_values.${layer}.${part}`,
    ),
  );
  return Object.fromEntries(
    names
      .flat()
      .map((name) => [
        name,
        new runtime.Tensor("float32", new Float32Array(), [0, HEADS, 1, HEAD_SIZE]),
      ]),
  );
}

/** After the first token the decoder no longer gives what it made of the sound. */
function nextPast(past: Feeds, output: Feeds, isFirst: boolean): Feeds {
  const kept = Object.entries(past).map(([name, before]) => {
    const isNew = isFirst || name.includes(".decoder.");
    const made = isNew ? output[name.replace("past_key_values", "present")] : undefined;
    if (made === undefined) return [name, before] as const;
    before.dispose();
    return [name, made] as const;
  });
  return Object.fromEntries(kept);
}

function largest(logits: ArrayLike<number>): number {
  let best = 0;
  for (let at = 1; at < logits.length; at += 1) {
    if ((logits[at] ?? 0) > (logits[best] ?? 0)) best = at;
  }
  return best;
}

/** With silence on both sides. */
function longEnough(samples: Float32Array): Float32Array {
  const least = LEAST_SECONDS * MOONSHINE_RATE;
  if (samples.length >= least) return samples;
  const padded = new Float32Array(least);
  padded.set(samples, Math.floor((least - samples.length) / 2));
  return padded;
}
