import { expect, it } from "vitest";

import { nameOfActor, shownActor } from "./actor.ts";

it("shows people of a team by their names, with the program that they used", () => {
  expect(shownActor("Ada Lovelace (page)")).toBe("Ada Lovelace");
  expect(shownActor("Ada Lovelace (claude-code)")).toBe("Ada Lovelace (claude-code)");
  expect(shownActor("page")).toBe("page");
});

it("knows whose change it is, whatever program they used", () => {
  expect(nameOfActor("Ada Lovelace (claude-code)")).toBe("Ada Lovelace");
  expect(nameOfActor("Ada (the elder) (page)")).toBe("Ada (the elder)");
  expect(nameOfActor("cli")).toBe("cli");
});
