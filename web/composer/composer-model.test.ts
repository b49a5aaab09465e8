import { beforeEach, expect, it, vi } from "vitest";

import { ComposerModel } from "./composer-model.ts";

beforeEach(() => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
  };
  vi.stubGlobal("window", { sessionStorage: storage, localStorage: storage });
});

const file = (name: string): File => new File(["x"], name);

function written(note: string): ComposerModel {
  const composer = new ComposerModel("update", "");
  composer.change({ note });
  composer.attach([file("a.txt")]);
  composer.answer({ ref: "one", title: "One" });
  return composer;
}

it("is empty after it was sent", () => {
  const composer = written("The kiln is paid.");
  composer.change({ isShared: true });
  composer.clear(composer.state.get());
  const empty = { note: "", attachments: [], answering: null, isShared: false };
  expect(composer.state.get()).toMatchObject(empty);
});

it("keeps what was written, attached and chosen while it was sent", () => {
  const composer = written("The kiln is paid.");
  const sent = composer.state.get();
  composer.change({ note: "The kiln is paid.\n\nAnd the" });
  composer.attach([file("b.txt")]);
  composer.answer({ ref: "two", title: "Two" });
  composer.clear(sent);
  const { note, attachments, answering } = composer.state.get();
  expect(note).toBe("And the");
  expect(attachments.map(({ name }) => name)).toEqual(["b.txt"]);
  expect(answering?.ref).toBe("two");
});

it("keeps a note that was changed in its middle meanwhile, and what was shared as other people's words", () => {
  const composer = written("The kiln is paid.");
  const sent = composer.state.get();
  composer.change({ note: "The old kiln is paid." });
  composer.share("Somebody's words", []);
  composer.clear(sent);
  expect(composer.state.get()).toMatchObject({
    note: "The old kiln is paid.\n\nSomebody's words",
    attachments: [],
    isShared: true,
  });
});

it("is the same after a reload: an answer stays an answer, until it was sent", () => {
  const composer = written("Yes, on Monday.");
  const again = new ComposerModel("update", "");
  expect(again.state.get()).toMatchObject({
    note: "Yes, on Monday.",
    answering: { ref: "one", title: "One" },
  });
  composer.clear(composer.state.get());
  expect(new ComposerModel("update", "").state.get()).toMatchObject({ note: "", answering: null });
});
