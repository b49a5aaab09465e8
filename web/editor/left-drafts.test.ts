import { expect, it } from "vitest";

import { RequestProblem } from "../api/problem.ts";
import type { Draft } from "./drafts.ts";
import { sendLeft } from "./left-drafts.ts";
import type { NoteApi } from "./note-api.ts";

/** A service with notes, and drafts that were left. */
function setup(notes: Readonly<Record<string, string>>, drafts: Readonly<Record<string, Draft>>) {
  const kept = new Map(Object.entries(drafts));
  const there = new Map(Object.entries(notes));
  const service = { isAway: false, saves: [] as string[] };
  const read = (path: string) => {
    const body = there.get(path);
    if (service.isAway) throw new RequestProblem("unreachable", "away");
    if (body === undefined) throw new RequestProblem("not_found", "gone");
    return { path, body, version: `of ${body}` };
  };
  const api: NoteApi = {
    load: async (path) => Promise.resolve(read(path)),
    save: async (path, body, base) => {
      await Promise.resolve();
      const theirs = read(path);
      if (base !== theirs.version) return { theirs };
      there.set(path, body);
      service.saves.push(path);
      return { path, version: `of ${body}`, history: "x" };
    },
  };
  const send = async (written: readonly string[] = []) =>
    sendLeft({
      api,
      isOpenTab: () => false,
      isWritten: (path) => written.includes(path),
      drafts: {
        put: (path, draft) => (kept.set(path, draft), true),
        remove: (path) => void kept.delete(path),
        take: (path) => kept.get(path) ?? null,
        left: () => [...kept.keys()],
      },
    });
  return { service, there, kept, send };
}

const draftOf = (base: string, body: string): Draft => ({
  base: { version: `of ${base}`, body: base },
  body,
});

it("saves what goes together with the note, and keeps what does not for the person", async () => {
  const { there, kept, send } = setup(
    { a: "one, theirs\n\ntwo\n", b: "theirs\n", c: "same, mine\n" },
    {
      a: draftOf("one\n\ntwo\n", "one\n\ntwo, mine\n"),
      b: draftOf("old\n", "mine\n"),
      c: draftOf("same\n", "same, mine\n"),
      d: draftOf("gone\n", "gone, mine\n"),
    },
  );
  expect(await send()).toEqual({ saved: ["a", "c"], waiting: ["b", "d"] });
  expect(there.get("a")).toBe("one, theirs\n\ntwo, mine\n");
  expect(there.get("b")).toBe("theirs\n");
  expect([...kept.keys()]).toEqual(["b", "d"]);
  expect(kept.get("b")?.body).toBe("mine\n");
});

it("leaves alone what somebody writes at present, and all while the service is away", async () => {
  const { service, kept, send } = setup({ a: "a\n" }, { a: draftOf("a\n", "a, mine\n") });
  expect(await send(["a"])).toEqual({ saved: [], waiting: [] });
  service.isAway = true;
  expect(await send()).toEqual({ saved: [], waiting: [] });
  expect(kept.get("a")?.body).toBe("a, mine\n");
  service.isAway = false;
  expect(await send()).toEqual({ saved: ["a"], waiting: [] });
  expect(service.saves).toEqual(["a"]);
  expect(kept.size).toBe(0);
});
