import fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  fileAddress,
  historyAddress,
  inboxAddress,
  linesIn,
  parseLines,
  pathAt,
  placeAt,
  searchAddress,
  type Place,
} from "./addresses.ts";

function at(address: string): Place {
  return placeAt(new URL(address, "http://127.0.0.1:4117"));
}

describe("the address of a view", () => {
  it("names a file and its lines", () => {
    const path = "vault/projects/évier/état 50%.md";
    const address = fileAddress(path, { start: 9, end: 14 });
    expect(address).toBe("/file/vault/projects/%C3%A9vier/%C3%A9tat%2050%25.md#L9-14");
    expect(pathAt(at(address))).toBe(path);
    expect(linesIn(at(address).mark)).toEqual({ start: 9, end: 14 });
  });

  it("names a heading of a file", () => {
    const place = at("/file/vault/a.md#Money%20left");
    expect(place).toMatchObject({ view: "file", mark: "Money left" });
    expect(linesIn(place.mark)).toBeNull();
  });

  it("names a folder, with its final slash or without", () => {
    expect(pathAt(at("/folder/vault/d"))).toBe("vault/d/");
  });

  it("is home when it names nothing", () => {
    for (const where of ["/", "/file/", "/file", "/folder"]) {
      expect(at(where).view).toBe("home");
      expect(pathAt(at(where))).toBeNull();
    }
  });

  it("does not fail on an address that is not encoded rightly", () => {
    expect(pathAt(at("/file/vault/100%.md#L%"))).toBe("vault/100%.md");
  });

  it("leads back to what it was made from, whatever is in it", () => {
    const name = fc
      .string({ minLength: 1, unit: "grapheme" })
      .filter((text) => !/[/\\]|^\.+$/u.test(text));
    const path = fc
      .array(name, { minLength: 1, maxLength: 4 })
      .map((names) => `vault/${names.join("/")}`);
    fc.assert(
      fc.property(path, name, fc.string({ unit: "grapheme" }), (file, ref, words) => {
        expect(at(fileAddress(file, ref))).toMatchObject({ view: "file", rest: file, mark: ref });
        expect(pathAt(at(fileAddress(`${file}/`)))).toBe(`${file}/`);
        expect(at(searchAddress(words)).query.get("q") ?? "").toBe(words);
        expect(at(inboxAddress(ref))).toMatchObject({ view: "inbox", rest: ref });
        expect(at(historyAddress(file)).query.get("path")).toBe(file);
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
