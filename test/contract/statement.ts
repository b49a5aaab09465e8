import { expect, it } from "vitest";

import type { Profile } from "../../src/tools/define.ts";
import type { Door } from "./doors.ts";

/** One thing that the source documents say of the program. */
export interface Statement<Scene> {
  /** In a sentence: the name of its test. */
  readonly states: string;
  /** Fails unless it is so. */
  readonly check: (scene: Scene) => Promise<void>;
}

/** A statement about a tool, which must hold over every door that has the tool. */
export interface DoorStatement extends Statement<Door> {
  /** The profile that has the tool; any when left out. */
  readonly profile?: Profile;
  /** The command line has no way to ask such a thing. */
  readonly notInShell?: true;
}

/** One test for each statement, on a scene that they share. */
export function checkOn<Scene>(statements: readonly Statement<Scene>[], scene: () => Scene): void {
  it.each(byName(statements))("%s", async (_, { check }) => {
    expect.hasAssertions();
    await check(scene());
  });
}

/** One test for each statement, which tries it over one door after the other. */
export function checkOverDoors(
  statements: readonly DoorStatement[],
  doors: () => readonly Door[],
): void {
  it.each(byName(statements))("%s", async (_, statement) => {
    expect.hasAssertions();
    for (const door of doors().filter((each) => isMeant(statement, each))) {
      await named(door.name, statement.check(door));
    }
  });
}

function byName<T extends { readonly states: string }>(statements: readonly T[]): [string, T][] {
  return statements.map((statement) => [statement.states, statement]);
}

function isMeant({ profile, notInShell }: DoorStatement, door: Door): boolean {
  if (notInShell === true && door.kind === "CLI") return false;
  return profile === undefined || door.profiles.includes(profile);
}

/** Says over which door a check failed. */
export async function named(door: string, check: Promise<void>): Promise<void> {
  try {
    await check;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`over ${door}: ${message}`, { cause: error });
  }
}
