import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { shellQuote } from "./system/shell-quote.ts";
import { personsText } from "../testing/persons-text.ts";
import { mainFile, spawnCoffre, temporaryPlace, type TemporaryPlace } from "./testing/cli.ts";

const program = `${shellQuote(process.execPath)} ${shellQuote(mainFile)}`;

function optionsOf({ root, state }: TemporaryPlace): string[] {
  return ["--vault", root, "--state", state];
}

/** Runs a shell line; `coffre` in it is the real program. Gives stdout and the exit codes of the pipe's parts. */
function shell(line: string): { stdout: string; stderr: string; codes: string } {
  const script = `coffre() { ${program} "$@"; }; ${line}; echo "codes \${PIPESTATUS[*]}" >&2`;
  const { stdout, stderr } = spawnSync("bash", ["-c", script], { encoding: "utf8" });
  const [, codes = ""] = /codes (.*)\n$/u.exec(stderr) ?? [];
  return { stdout, stderr: stderr.replace(/codes .*\n$/u, ""), codes };
}

describe("the program", () => {
  it("tells how it went by its exit code", async () => {
    const place = temporaryPlace({ "a.md": "one\n" });
    const run = async (...argv: string[]): Promise<number> =>
      (await spawnCoffre([...argv, ...optionsOf(place)])).code;
    expect(await run("read", "a.md")).toBe(0);
    expect(await run("read", "gone.md")).toBe(1);
    expect(await run("read")).toBe(2);
  });

  it("says nothing on stderr but what went wrong", async () => {
    const place = temporaryPlace();
    const ran = await spawnCoffre(["write", "a.md", ...optionsOf(place)], "text\n");
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(readFileSync(path.join(place.root, "a.md"), "utf8")).toContain("text\n");
  });

  it("ends quietly when nobody reads on", () => {
    const place = temporaryPlace({ "big.md": "a line of some length\n".repeat(8000) });
    const options = optionsOf(place).map(shellQuote).join(" ");
    expect(shell(`coffre read big.md ${options} | head -1`)).toEqual({
      stdout: "```vault/big.md\n",
      stderr: "",
      codes: "0 0",
    });
    expect(shell(`coffre read big.md --json ${options} | true`)).toMatchObject({
      stderr: "",
      codes: "0 0",
    });
  });

  it("has written all of a long answer when it ends", () => {
    const place = temporaryPlace({ "big.md": "a line of some length\n".repeat(8000) });
    const options = optionsOf(place).map(shellQuote).join(" ");
    const { stdout, codes } = shell(`coffre read big.md ${options} | (sleep 0.3; tail -1)`);
    expect(codes).toBe("0 0");
    expect(stdout).toBe("```\n");
  });

  it("leaves standard input to others when it needs none", () => {
    const place = temporaryPlace({ "a.md": "one\n", "b.md": "two\n" });
    const options = optionsOf(place).map(shellQuote).join(" ");
    const line = `printf 'a.md\\nb.md\\n' | while read -r f; do coffre read "$f" ${options}; done`;
    expect(shell(line).stdout).toBe("```vault/a.md\n1  | one\n```\n```vault/b.md\n1  | two\n```\n");
  });

  it("prints no colours into a pipe", () => {
    const place = temporaryPlace({ "a.md": "one\n" });
    const command = `${program} tree ${optionsOf(place).map(shellQuote).join(" ")}`;
    const piped = execFileSync("bash", ["-c", command], { encoding: "utf8" });
    expect(piped).not.toContain("\u001b");
  });
});

describe("processes that write at once", () => {
  it("lose no line that they append to one file", async () => {
    const place = temporaryPlace({ "shared.md": "start\n" });
    const names = ["first", "second"];
    await Promise.all(
      names.map(async (name) => {
        for (let count = 1; count <= 20; count += 1) {
          const argv = ["append", "shared.md", `${name} ${count}.`, "--bottom"];
          const ran = await spawnCoffre([...argv, ...optionsOf(place)]);
          expect(ran).toMatchObject({ code: 0, stderr: "" });
        }
      }),
    );
    const lines = readFileSync(path.join(place.root, "shared.md"), "utf8").split(/\n+/u);
    for (const name of names) {
      const own = lines.filter((line) => line.startsWith(name));
      expect(own).toEqual(Array.from({ length: 20 }, (_, at) => `${name} ${at + 1}.`));
    }
    expect(await place.json(["log", "--limit", "100"])).toHaveLength(40);
    // Forty processes take most of a minute on a busy machine.
  }, 180_000);

  it("need not be told to read again when they edit different passages", async () => {
    const passages = Array.from({ length: 12 }, (_, at) => `passage ${at + 1}.`);
    const place = temporaryPlace({ "shared.md": `${passages.join("\n")}\n` });
    const ran = await Promise.all(
      passages.map(async (passage) => {
        const argv = ["edit", "shared.md", "--old", passage, "--new", `edited ${passage}`];
        return spawnCoffre([...argv, ...optionsOf(place)]);
      }),
    );
    expect(ran.map(({ stderr }) => stderr).filter((text) => text !== "")).toEqual([]);
    expect(personsText(path.join(place.root, "shared.md"))).toBe(
      `${passages.map((passage) => `edited ${passage}`).join("\n")}\n`,
    );
  });
});
