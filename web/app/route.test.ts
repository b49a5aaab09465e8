import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { addressOf, fileRoute, HOME, parseLines, routeAt, type Route } from "./route.ts";

function at(address: string): Route {
  return routeAt(new URL(address, "http://127.0.0.1:4117"));
}

describe("the address of a view", () => {
  it("names a file and its lines", () => {
    const route = fileRoute("vault/projects/évier/état 50%.md", { start: 9, end: 14 });
    expect(addressOf(route)).toBe("/file/vault/projects/%C3%A9vier/%C3%A9tat%2050%25.md#L9-14");
    expect(at(addressOf(route))).toEqual(route);
  });

  it("names a heading of a file", () => {
    expect(at("/file/vault/a.md#money")).toMatchObject({ lines: null, anchor: "money" });
  });

  it("is home when it is no view", () => {
    for (const where of ["/", "/nothing", "/file/", "/file"]) expect(at(where)).toEqual(HOME);
  });

  it("does not fail on an address that is not encoded rightly", () => {
    expect(at("/file/vault/100%.md#L%")).toMatchObject({ path: "vault/100%.md" });
  });

  it("leads back to the view, whatever is in it", () => {
    const name = fc
      .string({ minLength: 1, unit: "grapheme" })
      .filter((text) => !/[/\\]|^\.+$/u.test(text));
    const path = fc
      .array(name, { minLength: 1, maxLength: 4 })
      .map((names) => `vault/${names.join("/")}`);
    const route = fc.oneof<fc.Arbitrary<Route>[]>(
      path.map((text) => fileRoute(text)),
      path.map((text) => fileRoute(`${text}/`)),
      fc.string({ unit: "grapheme" }).map((query) => ({ view: "search" as const, query })),
      name.map((ref) => ({ view: "inbox" as const, ref })),
      path.map((text) => ({ view: "history" as const, path: text })),
    );
    fc.assert(
      fc.property(route, (given) => {
        expect(at(addressOf(given))).toEqual(given);
      }),
    );
  });
});

describe("lines", () => {
  it("are one or a range", () => {
    expect(parseLines("9-14")).toEqual({ start: 9, end: 14 });
    expect(parseLines("9")).toEqual({ start: 9, end: 9 });
    expect(parseLines("9-L14")).toEqual({ start: 9, end: 14 });
  });

  it.each(["", "0", "14-9", "1-", "x", "-3", "1-2-3"])("are not %j", (text) => {
    expect(parseLines(text)).toBeNull();
  });
});
