import { readFileSync } from "node:fs";

import { explainErrno } from "../../errors.ts";
import type { Verified, VerifiedSource } from "../../evidence/contract.ts";
import type { Screen } from "../output/screen.ts";
import { arg, defineCommand, type ExitCode } from "../table/command.ts";
import { decodeText, readStdin, type InputStream } from "../table/stdin.ts";
import { withVault } from "../vault/with-vault.ts";

export const verify = defineCommand({
  name: "verify",
  summary: "Check the sources of an answer against the vault as it is now",
  positionals: {
    file: arg.text(
      "FILE|-",
      "An answer of recall that was kept; standard input when left out or -",
      {
        completes: "file",
      },
    ),
  },
  usage: "[FILE|-]",
  details:
    "Each source is the same, moved, changed, replaced by a newer statement, or gone. Exit 0 when all are the same or moved, else 1.",
  examples: [
    'coffre recall "who does the roof?" > answer.md; coffre verify answer.md',
    "coffre verify answer.md --json",
  ],
  synonyms: ["evidence", "sources"],
  run: async (input, context): Promise<ExitCode> => {
    const answer = await textOf(input.text("file"), context.stdin);
    return withVault(context, "search", async ({ client }) => {
      const { screen } = context;
      const found = await client.verify(answer);
      screen.show(found, () => verifiedText(found, screen));
      return found.holds ? 0 : 1;
    });
  },
});

async function textOf(file: string | undefined, stdin: () => InputStream): Promise<string> {
  if (file === undefined || file === "-")
    return readStdin(stdin(), "on standard input, or name a file");
  try {
    return decodeText(readFileSync(file), file);
  } catch (error) {
    throw explainErrno(error, file);
  }
}

function verifiedText({ sources, holds }: Verified, screen: Screen): string {
  const count = sources.length;
  const sum = holds
    ? `The answer still rests on what its sources say: ${count} of ${count}.`
    : `Sources that no longer bear the answer out: ${sources.filter(isOld).length} of ${count}.`;
  return [
    ...sources.map((source) => screen.translate(sourceText(source))),
    screen.translate(sum),
  ].join("\n");
}

function isOld({ state, misquoted }: VerifiedSource): boolean {
  return (state !== "same" && state !== "moved") || misquoted;
}

/** The state first: what is the same can be skipped. */
function sourceText({ mark, path, lines, state, to, by, misquoted }: VerifiedSource): string {
  const source = `${mark === null ? "" : `[${mark}] `}${path}:${lines}`;
  const now = to === null ? "" : `${to.path}:${to.lines}`;
  const newer =
    by === null ? "" : `${by.path}:${by.lines}${by.date === null ? "" : ` (${by.date})`}`;
  const texts: Readonly<Record<VerifiedSource["state"], string>> = {
    same: `Same: ${source}`,
    moved: `Moved: ${source} → ${now}`,
    changed: `Changed: ${source}`,
    replaced: `Replaced: ${source} by ${newer}${now === "" ? "" : `; now at ${now}`}`,
    gone: `Gone: ${source}`,
  };
  return misquoted ? `Misquoted: ${source} does not say what the answer quotes.` : texts[state];
}
