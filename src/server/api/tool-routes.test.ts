import { expect, it } from "vitest";

import { ClientSessions } from "./tool-routes.ts";

it("keeps one session for each name", () => {
  const sessions = new ClientSessions();
  const claude = sessions.of("claude");
  expect(claude.actor).toBe("claude");
  expect(sessions.of("cursor")).not.toBe(claude);
  expect(sessions.of("claude")).toBe(claude);
});

it("keeps one session for each connection of a name", () => {
  const sessions = new ClientSessions();
  const first = sessions.of("claude", "1");
  expect(first.actor).toBe("claude");
  expect(sessions.of("claude", "2")).not.toBe(first);
  expect(sessions.of("claude")).not.toBe(first);
  expect(sessions.of("claude", "1")).toBe(first);
});

it("forgets the one that was not used for longest", () => {
  const sessions = new ClientSessions(2);
  const [a, b] = [sessions.of("a"), sessions.of("b")];
  expect(sessions.of("a")).toBe(a);
  sessions.of("c");
  expect(sessions.of("a")).toBe(a);
  expect(sessions.of("b")).not.toBe(b);
});

it("keeps a thousand", () => {
  const sessions = new ClientSessions();
  const first = sessions.of("client 0");
  for (let client = 1; client < 1000; client += 1) sessions.of(`client ${client}`);
  expect(sessions.of("client 0")).toBe(first);
  const second = sessions.of("client 1");
  for (let client = 1000; client < 2000; client += 1) sessions.of(`client ${client}`);
  expect(sessions.of("client 1")).not.toBe(second);
});
