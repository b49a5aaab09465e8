import { expect, it, onTestFinished, vi } from "vitest";

import { RequestProblem } from "../api/problem.ts";
import type { Draft } from "./drafts.ts";
import { NoteSession } from "./note-session.ts";

/** A service with one note, and one person who writes it. */
function setup(text = "one\n\ntwo\n") {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const service = {
    text: text as string | null,
    version: 1,
    isAway: false,
    /** It saves, and ends before it answers. */
    isKilled: false,
    /** The browser, of drafts. */
    isFull: false,
    saves: 0,
  };
  const drafts = new Map<string, Draft>();
  const shown: string[] = [];
  const notices: string[] = [];
  const reach = async (): Promise<void> => {
    await Promise.resolve();
    if (service.isAway) throw new RequestProblem("unreachable", "away");
  };
  const note = () => {
    if (service.text === null) throw new RequestProblem("not_found", "gone");
    return { path: "vault/a.md", body: service.text, version: String(service.version) };
  };
  const open = () =>
    new NoteSession({
      path: "vault/a.md",
      isOpenTab: () => false,
      onText: (each) => shown.push(each),
      onNotice: (what) => notices.push(what),
      drafts: {
        put: (path, draft) => !service.isFull && (drafts.set(path, draft), true),
        remove: (path) => void drafts.delete(path),
        take: (path) => drafts.get(path) ?? null,
      },
      api: {
        load: async () => (await reach(), note()),
        save: async (path, body, base) => {
          await reach();
          if (base !== null && base !== note().version) return { theirs: note() };
          service.saves += 1;
          service.text = body;
          service.version += 1;
          if (service.isKilled) throw new RequestProblem("unreachable", "killed");
          return { path, version: String(service.version), history: "x" };
        },
      },
    });
  const write = (changed: string): void => {
    service.text = changed;
    service.version += 1;
  };
  return { service, drafts, shown, notices, open, write };
}

const later = async (): Promise<unknown> => vi.advanceTimersByTimeAsync(5000);

it("keeps each keystroke as a draft, and saves when the keys rest", async () => {
  const { service, drafts, open } = setup();
  const session = open();
  await session.open();
  session.edit("one\n\ntwo!\n");
  expect(drafts.get("vault/a.md")).toEqual({
    base: { version: "1", body: "one\n\ntwo\n" },
    body: "one\n\ntwo!\n",
  });
  expect(service.text).toBe("one\n\ntwo\n");
  await later();
  expect(service.text).toBe("one\n\ntwo!\n");
  expect(drafts.size).toBe(0);
  expect(session.state.get()).toEqual({ status: "clean" });
});

it("merges what somebody else changed elsewhere", async () => {
  const { service, shown, notices, open, write } = setup();
  const session = open();
  await session.open();
  session.edit("one\n\ntwo, mine\n");
  write("one, theirs\n\ntwo\n");
  await later();
  expect(service.text).toBe("one, theirs\n\ntwo, mine\n");
  expect(shown.at(-1)).toBe("one, theirs\n\ntwo, mine\n");
  expect(notices).toEqual(["merged"]);
});

it.each([
  ["mine", "one\n\nmine\n"],
  ["theirs", "one\n\ntheirs\n"],
  ["both", "one\n\nmine\ntheirs\n"],
] as const)(
  "writes nothing over the same lines until the person chooses %s",
  async (choice, expected) => {
    const { service, drafts, open, write } = setup();
    const session = open();
    await session.open();
    session.edit("one\n\nmine\n");
    write("one\n\ntheirs\n");
    await later();
    expect(session.state.get()).toEqual({
      status: "conflict",
      parts: [{ mine: "mine", theirs: "theirs" }],
    });
    expect(service.text).toBe("one\n\ntheirs\n");
    expect(drafts.get("vault/a.md")?.body).toBe("one\n\nmine\n");
    session.decide([choice]);
    await later();
    expect(service.text).toBe(expected);
    expect(session.state.get()).toEqual({ status: "clean" });
  },
);

it.each([
  ["mine", "two, mine"],
  ["theirs", "two, theirs"],
  ["both", "two, mine\ntwo, theirs"],
] as const)("keeps what both changed elsewhere, whatever %s decides", async (choice, lines) => {
  const { service, shown, open, write } = setup("one\n\ntwo\n\nthree\n\nfour\n");
  const session = open();
  await session.open();
  session.edit("one, mine\n\ntwo, mine\n\nthree\n\nfour\n");
  write("one\n\ntwo, theirs\n\nthree\n\nfour, theirs\n");
  await later();
  expect(session.state.get()).toMatchObject({ status: "conflict" });
  session.decide([choice]);
  await later();
  expect(service.text).toBe(`one, mine\n\n${lines}\n\nthree\n\nfour, theirs\n`);
  expect(shown.at(-1)).toBe(service.text);
});

it("asks again when a person wrote on in a conflict, and for no conflict that is over", async () => {
  const { service, open, write } = setup("one\n\ntwo\n");
  const session = open();
  await session.open();
  session.edit("one, mine\n\ntwo\n");
  write("one, theirs\n\ntwo, theirs\n");
  await later();
  session.edit("one, mine\n\ntwo, mine\n");
  // Chosen for the one that was shown.
  session.decide(["mine"]);
  const parts = [
    { mine: "one, mine", theirs: "one, theirs" },
    { mine: "two, mine", theirs: "two, theirs" },
  ];
  expect(session.state.get()).toEqual({ status: "conflict", parts });
  await later();
  expect(service.text).toBe("one, theirs\n\ntwo, theirs\n");
  session.edit("one, theirs\n\ntwo, mine\n");
  await later();
  expect(session.state.get()).toEqual({ status: "conflict", parts: parts.slice(1) });
  session.edit("one, theirs\n\ntwo, theirs\n\nthree\n");
  await later();
  expect(service.text).toBe("one, theirs\n\ntwo, theirs\n\nthree\n");
  expect(session.state.get()).toEqual({ status: "clean" });
});

it("waits for a service that is away, and a reload brings the text back", async () => {
  const { service, notices, shown, open, write } = setup();
  const session = open();
  await session.open();
  service.isAway = true;
  session.edit("one\n\ntwo, unsaved\n");
  await later();
  expect(session.state.get()).toEqual({ status: "away" });
  session.close();
  write("zero\n\none\n\ntwo\n");
  const again = open();
  await again.open();
  expect(again.body).toBe("one\n\ntwo, unsaved\n");
  expect(notices).toContain("draft");
  service.isAway = false;
  await later();
  expect(service.text).toBe("zero\n\none\n\ntwo, unsaved\n");
  expect(shown.at(-1)).toBe(service.text);
});

it("says when the browser has no room for what is written, until it is saved", async () => {
  const { service, open } = setup();
  const session = open();
  await session.open();
  Object.assign(service, { isAway: true, isFull: true });
  expect(session.isKept.get()).toBe(true);
  session.edit("one\n\ntwo, unsaved\n");
  expect(session.isKept.get()).toBe(false);
  service.isAway = false;
  await later();
  expect(service.text).toBe("one\n\ntwo, unsaved\n");
  expect(session.isKept.get()).toBe(true);
});

it("does not take its own save for somebody else's change", async () => {
  const { service, shown, open } = setup();
  const session = open();
  await session.open();
  session.edit("one\n\ntwo, a\n");
  const [saved, refreshed] = [session.save(), session.refresh()];
  session.edit("one\n\ntwo, ab\n");
  await Promise.all([saved, refreshed]);
  await later();
  expect(service.text).toBe("one\n\ntwo, ab\n");
  expect(shown).toEqual(["one\n\ntwo\n"]);
});

it("follows a note that nobody writes here, and keeps the text of one that is gone", async () => {
  const { service, open, write, drafts } = setup();
  const session = open();
  await session.open();
  write("new\n");
  await session.refresh();
  expect(session.body).toBe("new\n");
  service.text = null;
  await session.refresh();
  session.edit("new, mine\n");
  await later();
  expect(session.state.get()).toEqual({ status: "gone" });
  expect(drafts.get("vault/a.md")?.body).toBe("new, mine\n");
  await session.create();
  expect(service.text).toBe("new, mine\n");
});

it("does not save a note that is gone: neither by a key, nor as what it was", async () => {
  const { service, open, drafts } = setup();
  const session = open();
  await session.open();
  service.text = null;
  await session.refresh();
  await session.save();
  expect(session.state.get()).toEqual({ status: "gone" });
  session.edit("one\n\ntwo, mine\n");
  await session.save();
  expect(session.state.get()).toEqual({ status: "gone" });
  expect(drafts.get("vault/a.md")?.body).toBe("one\n\ntwo, mine\n");
  expect(service.saves).toBe(0);
});

it("is gone too when only a save finds that out, and can be created again", async () => {
  const { service, open, drafts } = setup();
  const session = open();
  await session.open();
  session.edit("one\n\ntwo, mine\n");
  service.text = null;
  await later();
  expect(session.state.get()).toEqual({ status: "gone" });
  expect(drafts.get("vault/a.md")?.body).toBe("one\n\ntwo, mine\n");
  session.edit("one\n\ntwo, mine, and more\n");
  await later();
  expect(session.state.get()).toEqual({ status: "gone" });
  await session.create();
  expect(service.text).toBe("one\n\ntwo, mine, and more\n");
  expect(session.state.get()).toEqual({ status: "clean" });
});

it("takes what it sent itself, and had no answer to, for no conflict, also after a reload", async () => {
  const { service, open } = setup();
  const session = open();
  await session.open();
  service.isKilled = true;
  session.edit("one\n\ntwo and\n");
  await vi.advanceTimersByTimeAsync(800);
  expect(service.text).toBe("one\n\ntwo and\n");
  service.isAway = true;
  session.edit("one\n\ntwo and three\n");
  await later();
  session.close();
  Object.assign(service, { isAway: false, isKilled: false });
  const again = open();
  await again.open();
  await later();
  expect(service.text).toBe("one\n\ntwo and three\n");
  expect(again.state.get()).toEqual({ status: "clean" });
});
