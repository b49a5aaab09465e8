import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { forPeople } from "./for-people.ts";
import { french } from "./service-french.ts";

const API = path.join(import.meta.dirname, "..", "..", "src", "server", "api");
/** Also reached by the page: it sets the properties of a note. */
const OTHERS = [path.join(API, "..", "..", "tools", "edit-properties.ts")];

interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** Every error that a source makes, with `vault/x` for each value. */
function refusalsIn(source: string): Refusal[] {
  const made = /new ExpectedError\(\s*"(\w+)",\s*(?:`([^`]*)`|"((?:[^"\\]|\\.)*)"|'([^']*)')/gu;
  return [...source.matchAll(made)].map(([, code = "", template, double, single]) => ({
    code,
    message: (template ?? double ?? single ?? "").replaceAll(/\$\{[^}]*\}/gu, "vault/x"),
  }));
}

const sources = [
  ...readdirSync(API)
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => path.join(API, file)),
  ...OTHERS,
].map((file) => readFileSync(file, "utf8"));

const refusals = sources.flatMap(refusalsIn);

it("every error of the routes is found in their sources", () => {
  const made = sources.join("").match(/new ExpectedError\(/gu) ?? [];
  expect(refusals).toHaveLength(made.length);
});

it.each(refusals)("a reader of French is told in French: $message", ({ code, message }) => {
  const shown = forPeople(message);
  const said = french.error(code, shown);
  // A text that is not in the catalogue stays as it is, the first of several in brackets.
  const left = shown
    .split(/(?<=[.?]) /u)
    .filter((sentence) => sentence !== "vault/x." && said.includes(sentence));
  expect(left).toEqual([]);
});
