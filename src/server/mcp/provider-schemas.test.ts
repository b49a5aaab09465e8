import { describe, expect, it } from "vitest";

import { allTools, inputSchema } from "../../tools/registry.ts";
import { memoryTools } from "./memory-tools.ts";

/*
 * What providers publish about the schemas of tools, as of 2026. A client gives ours to its provider as they are, or makes them strict first.
 */

type Schema = Readonly<Record<string, unknown>>;

interface Place {
  readonly at: string;
  readonly schema: Schema;
  readonly depth: number;
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A schema and all below it, with where each stands. */
function everySchema(schema: Schema, at = "", depth = 1): Place[] {
  const { properties, items, anyOf } = schema;
  const below: Place[] = [];
  for (const [key, value] of Object.entries(isSchema(properties) ? properties : {})) {
    if (isSchema(value)) below.push(...everySchema(value, `${at}/${key}`, depth + 1));
  }
  if (isSchema(items)) below.push(...everySchema(items, `${at}[]`, depth));
  for (const [index, value] of (Array.isArray(anyOf) ? anyOf : []).entries()) {
    if (isSchema(value)) below.push(...everySchema(value, `${at}|${index}`, depth));
  }
  return [{ at, schema, depth }, ...below];
}

const TOOLS = [...allTools, ...memoryTools].map((tool) => ({
  name: tool.name,
  description: tool.description,
  schema: inputSchema(tool) as Schema,
}));

const keysOf = ({ schema }: Place): string[] => Object.keys(schema);
const PRIMITIVES = new Set(["string", "integer", "number", "boolean"]);

/** As the SDKs of OpenAI do it: nothing else is allowed, and what is optional is required and may be null. */
function strict(schema: Schema): Schema {
  const { properties, items, anyOf } = schema;
  const made: Record<string, unknown> = { ...schema };
  if (isSchema(properties)) {
    const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
    made["properties"] = Object.fromEntries(
      Object.entries(properties).map(([key, value]) => {
        const inner = isSchema(value) ? strict(value) : {};
        return [key, required.has(key) ? inner : { anyOf: [inner, { type: "null" }] }];
      }),
    );
    made["required"] = Object.keys(properties);
    made["additionalProperties"] = false;
  }
  if (isSchema(items)) made["items"] = strict(items);
  if (Array.isArray(anyOf))
    made["anyOf"] = anyOf.map((each) => (isSchema(each) ? strict(each) : {}));
  return made;
}

describe.each(TOOLS)("the schema of $name", ({ name, description, schema }) => {
  const places = everySchema(schema);

  it("can be made strict for OpenAI", () => {
    // The root is an object and no choice; every object names its keys; known keywords only, without defaults; at most 10 levels.
    expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/u);
    expect(description.length).toBeLessThanOrEqual(1024);
    expect(schema).toMatchObject({ type: "object", properties: expect.any(Object) });
    const known = new Set(
      "type properties required additionalProperties items anyOf enum description".split(" "),
    );
    const made = everySchema(strict(schema));
    expect(made.flatMap(keysOf).filter((key) => !known.has(key))).toEqual([]);
    for (const { schema: each, depth } of made) {
      expect(depth).toBeLessThanOrEqual(10);
      if (each["type"] !== "object") continue;
      expect(each["additionalProperties"]).toBe(false);
      expect(each["required"]).toEqual(Object.keys(Object(each["properties"])));
      expect(Object.keys(Object(each["properties"])).length).toBeGreaterThan(0);
    }
  });

  it("is within what Gemini takes", () => {
    // A subset of OpenAPI 3.0: one type for each schema, objects with properties, lists with items, choices of texts only; a choice of forms
    // stands alone.
    expect(name).toMatch(/^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/u);
    for (const { at, schema: each } of places) {
      const { type, anyOf } = each;
      if (anyOf !== undefined) {
        expect(Object.keys(each), at).toEqual(["anyOf"]);
        continue;
      }
      expect(typeof type, at).toBe("string");
      if (type === "object") expect(Object.keys(Object(each["properties"])), at).not.toEqual([]);
      if (type === "array") expect(isSchema(each["items"]), at).toBe(true);
      if (each["enum"] !== undefined) expect(type, at).toBe("string");
      for (const key of Object.keys(Object(each["properties"]))) {
        expect(key).toMatch(/^[A-Za-z_][A-Za-z0-9_]{0,63}$/u);
      }
    }
  });

  it("is within what Anthropic takes, also strictly", () => {
    // The root is an object without a choice; no references; no limits of numbers, texts or lists; choices of primitive values.
    expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/u);
    expect(schema).toMatchObject({ type: "object" });
    const refused =
      "oneOf allOf not if then else $ref $defs minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems uniqueItems patternProperties";
    const found = places.flatMap(keysOf).filter((key) => refused.split(" ").includes(key));
    expect(found).toEqual([]);
    expect(schema["anyOf"]).toBeUndefined();
    for (const { schema: each } of places) {
      if (each["enum"] !== undefined) expect(PRIMITIVES.has(String(each["type"]))).toBe(true);
    }
  });
});
