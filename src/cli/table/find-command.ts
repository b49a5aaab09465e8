import type { Command } from "./command.ts";
import { nearest } from "../../text/likeness.ts";
import { UsageError } from "./usage-error.ts";

/** The command of that name. Throws a {@link UsageError} with the name that was probably meant. */
export function findCommand(name: string, commands: readonly Command[]): Command {
  const found = commands.find((command) => command.name === name);
  if (found !== undefined) return found;
  const listed = commands.filter(({ hidden }) => hidden !== true);
  const near =
    listed.find(({ synonyms = [] }) => synonyms.includes(name))?.name ??
    nearest(
      name,
      listed.map((command) => command.name),
    );
  const guess = near === undefined ? "" : ` Did you mean coffre ${near}?`;
  throw new UsageError(`There is no command ${JSON.stringify(name)}.${guess}`);
}
