import path from "node:path";

import { SYNONYMS, TOY_DIMENSIONS, toyWordVector } from "../../src/testing/models/toy-meaning.ts";
import { writeGguf, type GgufTensor, type GgufValue } from "./gguf-writer.ts";

const SIZE = TOY_DIMENSIONS;
const INNER = 64;
const CONTEXT = 512;

/** What the embedder reads; all other words are nothing to it. */
const WORDS = [
  ...SYNONYMS.flat(),
  ..."cave mot toit jardin voisin midi gouttiere chose autre note rapport reste averses".split(" "),
];

/** The word that the reranker looks for: texts with it come first. */
export const RERANKER_LIKES = "prioritaire";

/** All that the generator ever says. QMD keeps of it what has a word of the question. */
export const GENERATED = "lex: averse pluie\nvec: pluie du matin\nhyde: une averse de pluie\n";

/** The three models of QMD, small enough to be read by eye, and always the same. */
export interface TinyModels {
  readonly embed: string;
  readonly rerank: string;
  readonly generate: string;
}

/** Writes them into a folder. */
export function writeTinyModels(folder: string): TinyModels {
  const models = {
    embed: path.join(folder, "tiny-embed.gguf"),
    rerank: path.join(folder, "tiny-rerank.gguf"),
    generate: path.join(folder, "tiny-generate.gguf"),
  };
  writeEmbedder(models.embed);
  writeReranker(models.rerank);
  writeGenerator(models.generate);
  return models;
}

/** A BERT whose attention and feed-forward add nothing: the mean of its words. */
function writeEmbedder(file: string): void {
  const zero = new Float32Array(SIZE * SIZE);
  writeBert(file, { words: WORDS, pooling: 1, value: zero, output: zero, more: [] });
}

/** A BERT whose first token sees the mean of all, and is weighed along one word. */
function writeReranker(file: string): void {
  const identity = Float32Array.from({ length: SIZE * SIZE }, (_, at) =>
    at % (SIZE + 1) === 0 ? 1 : 0,
  );
  const direction = toyWordVector(RERANKER_LIKES).map((value) => value / 8);
  const more = [
    { name: "cls.output.weight", shape: [SIZE, 1], values: direction },
    { name: "cls.output.bias", shape: [1], values: Float32Array.of(-1) },
  ];
  const words = [...WORDS, RERANKER_LIKES];
  writeBert(file, { words, pooling: 4, value: identity, output: identity, more });
}

interface Bert {
  readonly words: readonly string[];
  readonly pooling: number;
  readonly value: Float32Array;
  readonly output: Float32Array;
  readonly more: readonly GgufTensor[];
}

function writeBert(file: string, { words, pooling, value, output, more }: Bert): void {
  const special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];
  // Words begin with the mark of a space.
  const tokens = [...special, ...words.map((word) => `\u2581${word}`)];
  const vectors = new Float32Array(SIZE * tokens.length);
  for (const [at, word] of words.entries())
    vectors.set(toyWordVector(word), SIZE * (special.length + at));
  const header: Record<string, GgufValue> = {
    "general.architecture": "bert",
    "general.name": "tiny",
    "bert.context_length": CONTEXT,
    "bert.embedding_length": SIZE,
    "bert.block_count": 1,
    "bert.feed_forward_length": INNER,
    "bert.attention.head_count": 1,
    "bert.attention.layer_norm_epsilon": { float: 1e-5 },
    "bert.attention.causal": false,
    "bert.pooling_type": pooling,
    "tokenizer.ggml.model": "bert",
    "tokenizer.ggml.pre": "jina-v2-en",
    "tokenizer.ggml.token_type_count": 2,
    "tokenizer.ggml.tokens": { strings: tokens },
    "tokenizer.ggml.token_type": {
      integers: tokens.map((_, at) => (at < special.length ? 3 : 1)),
    },
    "tokenizer.ggml.padding_token_id": 0,
    "tokenizer.ggml.unknown_token_id": 1,
    "tokenizer.ggml.bos_token_id": 2,
    "tokenizer.ggml.cls_token_id": 2,
    "tokenizer.ggml.eos_token_id": 3,
    "tokenizer.ggml.seperator_token_id": 3,
    "tokenizer.ggml.mask_token_id": 4,
  };
  const zero = (name: string, ...shape: number[]): GgufTensor => ({
    name,
    shape,
    values: new Float32Array(shape.reduce((a, b) => a * b, 1)),
  });
  const norm = (name: string): GgufTensor[] => [
    { name: `${name}.weight`, shape: [SIZE], values: new Float32Array(SIZE).fill(1) },
    zero(`${name}.bias`, SIZE),
  ];
  writeGguf(file, header, [
    { name: "token_embd.weight", shape: [SIZE, tokens.length], values: vectors },
    zero("token_types.weight", SIZE, 2),
    zero("position_embd.weight", SIZE, CONTEXT),
    ...norm("token_embd_norm"),
    zero("blk.0.attn_q.weight", SIZE, SIZE),
    zero("blk.0.attn_q.bias", SIZE),
    zero("blk.0.attn_k.weight", SIZE, SIZE),
    zero("blk.0.attn_k.bias", SIZE),
    { name: "blk.0.attn_v.weight", shape: [SIZE, SIZE], values: value },
    zero("blk.0.attn_v.bias", SIZE),
    { name: "blk.0.attn_output.weight", shape: [SIZE, SIZE], values: output },
    zero("blk.0.attn_output.bias", SIZE),
    ...norm("blk.0.attn_output_norm"),
    zero("blk.0.ffn_up.weight", SIZE, INNER),
    zero("blk.0.ffn_up.bias", INNER),
    zero("blk.0.ffn_down.weight", INNER, SIZE),
    zero("blk.0.ffn_down.bias", SIZE),
    ...norm("blk.0.layer_output_norm"),
    ...more,
  ]);
}

/** A llama that says one long token, and then that it is done, whatever it is asked. */
function writeGenerator(file: string): void {
  const special = ["<unk>", "<s>", "</s>"];
  const bytes = Array.from(
    { length: 256 },
    (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`,
  );
  const said = GENERATED.replaceAll(" ", "\u2581");
  const tokens = [...special, ...bytes, said];
  const [end, saying] = [2, tokens.length - 1];
  const vectors = new Float32Array(SIZE * tokens.length);
  for (const at of tokens.keys()) vectors[SIZE * at + (at === saying ? 1 : 0)] = 1;
  const output = new Float32Array(SIZE * tokens.length);
  output[SIZE * saying] = 10;
  output[SIZE * end + 1] = 10;
  const zero = (name: string, ...shape: number[]): GgufTensor => ({
    name,
    shape,
    values: new Float32Array(shape.reduce((a, b) => a * b, 1)),
  });
  const norm = (name: string): GgufTensor => ({
    name: `${name}.weight`,
    shape: [SIZE],
    values: new Float32Array(SIZE).fill(1),
  });
  const header: Record<string, GgufValue> = {
    "general.architecture": "llama",
    "general.name": "tiny",
    "llama.context_length": 2048,
    "llama.embedding_length": SIZE,
    "llama.block_count": 1,
    "llama.feed_forward_length": INNER,
    "llama.attention.head_count": 1,
    "llama.attention.head_count_kv": 1,
    "llama.attention.layer_norm_rms_epsilon": { float: 1e-5 },
    "llama.rope.dimension_count": SIZE,
    "tokenizer.ggml.model": "llama",
    "tokenizer.ggml.pre": "default",
    "tokenizer.ggml.tokens": { strings: tokens },
    "tokenizer.ggml.scores": { floats: tokens.map(() => 0) },
    "tokenizer.ggml.token_type": {
      integers: tokens.map((_, at) =>
        at === 0 ? 2 : at < special.length ? 3 : at === saying ? 1 : 6,
      ),
    },
    "tokenizer.ggml.unknown_token_id": 0,
    "tokenizer.ggml.bos_token_id": 1,
    "tokenizer.ggml.eos_token_id": end,
    "tokenizer.ggml.add_bos_token": true,
  };
  writeGguf(file, header, [
    { name: "token_embd.weight", shape: [SIZE, tokens.length], values: vectors },
    norm("blk.0.attn_norm"),
    zero("blk.0.attn_q.weight", SIZE, SIZE),
    zero("blk.0.attn_k.weight", SIZE, SIZE),
    zero("blk.0.attn_v.weight", SIZE, SIZE),
    zero("blk.0.attn_output.weight", SIZE, SIZE),
    norm("blk.0.ffn_norm"),
    zero("blk.0.ffn_gate.weight", SIZE, INNER),
    zero("blk.0.ffn_up.weight", SIZE, INNER),
    zero("blk.0.ffn_down.weight", INNER, SIZE),
    norm("output_norm"),
    { name: "output.weight", shape: [SIZE, tokens.length], values: output },
  ]);
}
