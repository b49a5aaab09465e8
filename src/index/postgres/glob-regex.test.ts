import fc from "fast-check";
import { expect, it } from "vitest";

import { parseScope } from "../scope.ts";
import { globRegex } from "./glob-regex.ts";

const piece = fc.constantFrom("*", "?", "a", "b", "ab", ".md", "é", "+", "$", "**");
/** A name with a dot in front is refused as a scope. */
const segment = fc.oneof(
  fc.constant("**"),
  fc
    .array(piece, { minLength: 1, maxLength: 3 })
    .map((pieces) => pieces.join(""))
    .filter((text) => !text.startsWith(".")),
);
const name = fc
  .array(fc.constantFrom("a", "b", "ab", ".md", "é", "+", "$", "-"), { minLength: 1, maxLength: 4 })
  .map((pieces) => pieces.join(""))
  .filter((text) => !text.startsWith("."));
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/"));

it("a simple glob matches as a regular expression what it matches as a glob", () => {
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), path, (segments, place) => {
      const { pattern, matches } = parseScope(`vault/${segments.join("/")}`);
      const regex = pattern === undefined ? null : globRegex(pattern);
      if (matches === null || regex === null) return;
      expect([pattern, regex, new RegExp(regex, "u").test(place)]).toEqual([
        pattern,
        regex,
        matches(place),
      ]);
    }),
    { numRuns: 20_000 },
  );
});

it("other globs are none", () => {
  const none = ["a/{b,c}", "[ab]/c", "a|b", "!(a)", "a***b", ".x/*", "a\\*", "a/**"].map(globRegex);
  expect(none).toEqual(none.map(() => null));
  expect(globRegex("**/*a*.md")).toBe(String.raw`^(?:(?:[^/]+/)*[^/]*a[^/]*\.md)(?:/.*)?$`);
});
