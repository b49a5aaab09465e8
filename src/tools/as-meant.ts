import { z } from "zod";

/**
 * Arguments as models and strict clients send them, in the form that a schema takes: null for what is left out, one text for a list of them,
 * a list, object, number or boolean as text, an empty list for none. Anything else stays as it is, for the schema to refuse.
 */
export function asMeant(schema: z.ZodType, value: unknown): unknown {
  const type = bare(schema);
  if (type instanceof z.ZodObject) return objectAsMeant(type, parsedText(value));
  if (type instanceof z.ZodArray) return listAsMeant(type, value);
  if (type instanceof z.ZodUnion) return unionAsMeant(type, value);
  if (type instanceof z.ZodNumber) return numberAsMeant(value);
  if (type instanceof z.ZodBoolean)
    return value === "true" ? true : value === "false" ? false : value;
  return value;
}

function objectAsMeant(schema: z.ZodObject, value: unknown): unknown {
  if (!isObject(value)) return value;
  const entries = Object.entries(value).flatMap(([key, given]): [string, unknown][] => {
    const field = Object.hasOwn(schema.shape, key) ? schema.shape[key] : undefined;
    if (!(field instanceof z.ZodType)) return [[key, given]];
    // In this order: whether a field may be left out takes longer to find out, and few are sent as nothing.
    if (isNothing(given) && isOptional(field)) return [];
    return [[key, asMeant(field, given)]];
  });
  return Object.fromEntries(entries);
}

function listAsMeant(schema: z.ZodArray, value: unknown): unknown {
  const list = Array.isArray(parsedText(value)) ? parsedText(value) : value;
  const element = schema.element;
  if (!(element instanceof z.ZodType)) return list;
  if (Array.isArray(list)) return list.map((item) => asMeant(element, item));
  // One item where a list is meant: a text, or an object.
  const item = bare(element);
  const isItem =
    (typeof list === "string" && item instanceof z.ZodString) ||
    (isObject(list) && item instanceof z.ZodObject && Object.keys(list).length > 0);
  return isItem ? [asMeant(element, list)] : list;
}

/** A list or object sent as text, where one of the forms is that. */
function unionAsMeant(schema: z.ZodUnion, value: unknown): unknown {
  const parsed = parsedText(value);
  if (parsed === value) return value;
  return schema.options.some((form) => form instanceof z.ZodType && form.safeParse(parsed).success)
    ? parsed
    : value;
}

function numberAsMeant(value: unknown): unknown {
  return typeof value === "string" && /^\s*-?\d+(?:\.\d+)?\s*$/u.test(value)
    ? Number(value)
    : value;
}

/** JSON that was sent as text. */
function parsedText(value: unknown): unknown {
  if (typeof value !== "string" || !/^\s*[[{]/u.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

function isNothing(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/** Whether an argument may be left out. */
function isOptional(schema: z.ZodType): boolean {
  return schema.safeParse(undefined).success;
}

/** The type without what says that it may be missing. */
function bare(schema: z.ZodType): z.ZodType {
  const isWrapped =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault;
  if (!isWrapped) return schema;
  const inner = schema.unwrap();
  return inner instanceof z.ZodType ? bare(inner) : schema;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
