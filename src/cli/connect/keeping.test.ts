import { expect, it } from "vitest";

import { renewed } from "./keeping.ts";

const NEW = { command: "node", args: ["main.js", "mcp", "--vault", "/v"] };

it.each([
  ["state and profile of the same vault", ["--vault", "/v", "--state", "/s"], ["--state", "/s"]],
  ["a profile chosen by hand", ["--vault", "/w", "--profile", "search"], ["--profile", "search"]],
  ["no state of another vault", ["--vault", "/w", "--state", "/s"], []],
  ["bounds that are written with =", ["--vault=/w", "--write=a/**"], ["--write=a/**"]],
])("keeps %s", (_, after, kept) => {
  const now = renewed({ command: "x", args: ["old.js", "mcp", ...after] }, NEW);
  expect(now.entry["args"]).toEqual([...NEW.args, ...kept]);
});

it("takes the profile that was asked for", () => {
  const asked = { ...NEW, args: [...NEW.args, "--profile", "memory"] };
  const old = { command: "x", args: ["old.js", "mcp", "--vault", "/v", "--profile", "search"] };
  expect(renewed(old, asked).entry).toEqual(asked);
});

it("keeps what a person set otherwise than it is written at first", () => {
  const entry = { ...NEW, tools: ["*"], enabled: true };
  const old = { ...NEW, tools: ["read"], enabled: false };
  expect(renewed(old, entry)).toEqual({ entry: old, kept: ["tools", "enabled"], lost: [] });
});

it("names what goes with an entry that starts something else", () => {
  const old = {
    type: "http",
    url: "http://127.0.0.1:4117/mcp/update?write=a",
    headers: { a: "b" },
  };
  expect(renewed(old, NEW)).toEqual({ entry: NEW, kept: [], lost: ["url", "headers"] });
});
