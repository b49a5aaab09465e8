import { expect, it } from "vitest";

import { RequestProblem } from "../api/problem.ts";
import { splitFrontmatter } from "../markdown/frontmatter.ts";
import type { PropertiesChange } from "./note-api.ts";
import { PropertyDrafts } from "./property-drafts.ts";
import { textOf } from "./property-value.ts";

/** A service with one note of plain properties, and the storage of one tab. */
function setup(first: Readonly<Record<string, string>> = { status: "open" }) {
  const note = new Map(Object.entries(first));
  const service = { isAway: false, isKilled: false, refuses: "", saves: 0, onAsked: () => {} };
  const kept = new Map<string, string>();
  const head = (): string =>
    note.size === 0 ? "" : `---\n${[...note].map((each) => each.join(": ")).join("\n")}\n---\n`;
  const inHead = (text: string, key: string): string | null => {
    const found = splitFrontmatter(text).properties.find((each) => each.key === key);
    return found === undefined ? null : textOf(found);
  };
  const save = async (change: PropertiesChange) => {
    await Promise.resolve();
    service.onAsked();
    if (service.isAway) throw new RequestProblem("unreachable", "away");
    if (service.refuses in change.set) throw new RequestProblem("protected", "not yours");
    const keys = [...Object.keys(change.set), ...change.remove];
    const isOther = keys.some((key) => inHead(change.head, key) !== (note.get(key) ?? null));
    if (isOther) return { theirs: { head: head() } };
    service.saves += 1;
    for (const [key, value] of Object.entries(change.set)) note.set(key, String(value));
    for (const key of change.remove) note.delete(key);
    if (service.isKilled) throw new RequestProblem("unreachable", "killed");
    return { path: change.path, version: "1", history: null, head: head() };
  };
  const open = (): PropertyDrafts => {
    const made = new PropertyDrafts({
      path: "vault/a.md",
      name: "kept",
      save,
      isOwn: (key) => key !== "created",
      storage: {
        getItem: (name) => kept.get(name) ?? null,
        setItem: (name, value) => void kept.set(name, value),
        removeItem: (name) => void kept.delete(name),
      },
    });
    made.read(`${head()}\n# A\n`);
    return made;
  };
  return { note, service, kept, head, open };
}

it("saves what was typed, and keeps nothing of it", async () => {
  const { note, service, kept, open } = setup({ created: "2026", status: "open" });
  const drafts = open();
  expect(drafts.state.get().rows).toEqual([{ key: "status", isList: false, text: "open" }]);
  drafts.edit("status", "done");
  // Enter, and then another field: one change.
  await Promise.all([drafts.commit("status"), drafts.commit("status")]);
  expect(note.get("status")).toBe("done");
  expect(drafts.state.get().rows).toEqual([{ key: "status", isList: false, text: "done" }]);
  expect([service.saves, kept.size]).toEqual([1, 0]);
});

it("shows what somebody else wrote beside what is being typed, and writes over neither", async () => {
  const { note, head, open } = setup();
  const drafts = open();
  drafts.edit("status", "done");
  note.set("status", "late");
  drafts.read(head());
  const both = { key: "status", isList: false, text: "done", theirs: "late" };
  expect(drafts.state.get().rows).toEqual([both]);
  await drafts.commit("status");
  expect(note.get("status")).toBe("late");
  await drafts.decide("status", "mine");
  expect(note.get("status")).toBe("done");
  expect(drafts.state.get().rows).toEqual([{ key: "status", isList: false, text: "done" }]);
});

it("hears of somebody else's change from the service, too, and of one that was removed", async () => {
  const { note, open } = setup({ status: "open", due: "May" });
  const drafts = open();
  drafts.edit("status", "done");
  drafts.edit("due", "June");
  note.set("status", "late");
  note.delete("due");
  await drafts.commit("status");
  expect(note.get("status")).toBe("late");
  expect(drafts.state.get().rows).toMatchObject([
    { key: "status", text: "done", theirs: "late" },
    { key: "due", text: "June", theirs: null },
  ]);
  await drafts.decide("status", "theirs");
  await drafts.decide("due", "mine");
  expect(Object.fromEntries(note)).toEqual({ status: "late", due: "June" });
});

it("does not remove what somebody else changed meanwhile, nor add over what they added", async () => {
  const { note, open } = setup();
  const drafts = open();
  note.set("status", "late");
  note.set("due", "May");
  await drafts.remove("status");
  expect(note.get("status")).toBe("late");
  expect(drafts.state.get().notRemoved).toBe("status");
  await drafts.remove("status");
  expect([note.has("status"), drafts.state.get().notRemoved]).toEqual([false, null]);
  const other = setup();
  const adding = other.open();
  other.note.set("due", "May");
  adding.editNew({ key: "due", value: "June" });
  await adding.add();
  expect(other.note.get("due")).toBe("May");
  expect(adding.state.get()).toMatchObject({
    adding: { key: "", value: "" },
    rows: [{ key: "status" }, { key: "due", text: "June", theirs: "May" }],
  });
});

it("keeps a new property that is refused as it was typed", async () => {
  const { note, service, open } = setup();
  const drafts = open();
  service.refuses = "created";
  drafts.editNew({ key: "created", value: "yesterday" });
  await drafts.add();
  expect(drafts.state.get()).toMatchObject({
    adding: { key: "created", value: "yesterday" },
    problem: { code: "protected" },
  });
  drafts.editNew({ key: "begun", value: "yesterday" });
  await drafts.add();
  expect(drafts.state.get()).toMatchObject({ adding: { key: "", value: "" }, problem: null });
  expect(note.get("begun")).toBe("yesterday");
});

it("keeps what was typed while the service is away, also through a reload, and saves it then", async () => {
  const { note, service, kept, open } = setup();
  const drafts = open();
  service.isAway = true;
  drafts.edit("status", "done");
  drafts.editNew({ key: "due", value: "May" });
  await drafts.commit("status");
  expect(drafts.state.get()).toMatchObject({
    problem: { code: "unreachable" },
    rows: [{ text: "done" }],
  });
  const again = open();
  expect(again.state.get()).toMatchObject({
    adding: { key: "due", value: "May" },
    rows: [{ text: "done" }],
  });
  await again.close();
  service.isAway = false;
  await again.retry();
  expect(note.get("status")).toBe("done");
  await again.add();
  expect(note.get("due")).toBe("May");
  expect([kept.size, again.state.get().problem]).toEqual([0, null]);
});

it("takes what it saved itself, without an answer, for nobody else's", async () => {
  const { service, kept, open } = setup();
  const drafts = open();
  service.isKilled = true;
  drafts.edit("status", "12.50");
  await drafts.commit("status");
  service.isKilled = false;
  await drafts.retry();
  expect(drafts.state.get().rows).toEqual([{ key: "status", isList: false, text: "12.5" }]);
  expect([service.saves, kept.size]).toEqual([1, 0]);
});

it("goes on with what is typed while it is saved", async () => {
  const { note, service, head, open } = setup();
  const drafts = open();
  const before = head();
  drafts.edit("status", "do");
  service.onAsked = () => drafts.edit("status", "done");
  await drafts.commit("status");
  service.onAsked = () => {};
  // The page may read the note from before once more.
  drafts.read(before);
  expect(drafts.state.get().rows).toEqual([{ key: "status", isList: false, text: "done" }]);
  await drafts.commit("status");
  expect(note.get("status")).toBe("done");
});
