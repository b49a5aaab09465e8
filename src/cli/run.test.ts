import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { temporaryFolder } from "../testing/temporary-vault.ts";
import { allCommands } from "./commands/all-commands.ts";
import { coffre, field, temporaryPlace } from "./testing/cli.ts";

const commands = await allCommands();

describe("a command line that is wrong", () => {
  it("exits 2 with the command that was probably meant", async () => {
    const { code, stdout, stderr } = await coffre(["serach", "roof"]);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toBe(
      'There is no command "serach". Did you mean coffre search?\n' +
        "Usage: coffre COMMAND [ARGUMENTS]\nMore: coffre help\n",
    );
  });

  it.each([
    ["ls", "tree"],
    ["cat", "read"],
    ["rm", "delete"],
    ["mv", "move"],
    ["grep", "search"],
    ["history", "log"],
  ])("guesses what %s is called here", async (typed, meant) => {
    const { stderr } = await coffre([typed]);
    expect(stderr).toContain(`Did you mean coffre ${meant}?`);
  });

  it("guesses nothing when nothing is near", async () => {
    const { code, stderr } = await coffre(["xylophone"]);
    expect(code).toBe(2);
    expect(stderr).not.toContain("Did you mean");
  });

  it("never offers the hidden commands", async () => {
    const { stderr } = await coffre(["__complete-path"]);
    expect(stderr).not.toContain("Did you mean");
  });

  it("exits 2 with the usage line of its command", async () => {
    const { code, stderr } = await coffre(["tree", "--detph", "2"]);
    expect(code).toBe(2);
    expect(stderr).toBe(
      "There is no option --detph. Did you mean --depth?\n" +
        "Usage: coffre tree [PATH] [--depth N]\nMore: coffre tree --help\n",
    );
  });

  it("is told as JSON to those who asked for JSON", async () => {
    const { code, stdout, stderr } = await coffre(["move", "a.md", "--json"]);
    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: "usage", message: "TO is missing: its new path, or the folder to put it in." },
    });
  });
});

describe("the vault of a command line", () => {
  it("is refused when it does not exist, with the command that makes it", async () => {
    const folder = path.join(temporaryFolder(), "my notes");
    const { code, stdout, stderr } = await coffre(["tree", "--vault", folder]);
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toBe(`There is no vault in ${folder}. Make one with: coffre init '${folder}'\n`);
  });

  it("is refused when it is a file", async () => {
    const file = path.join(temporaryFolder(), "notes");
    writeFileSync(file, "x");
    const { code, stderr } = await coffre(["tree", "--vault", file]);
    expect(code).toBe(1);
    expect(stderr).toContain("is a file, not a folder");
  });

  it("is refused when its state folder lies in it", async () => {
    const { root } = temporaryPlace();
    const { code, stderr } = await coffre(["log", "--vault", root, "--state", `${root}/state`]);
    expect(code).toBe(1);
    expect(stderr).toContain("lies inside the vault");
  });

  it("comes from the environment when it is not named", async () => {
    const { root, state } = temporaryPlace({ "here.md": "x\n" });
    const environment = { COFFRE_VAULT: root, COFFRE_STATE: state };
    const { stdout } = await coffre(["tree"], { environment });
    expect(stdout).toContain("here.md");
  });

  it("has one state folder, by whatever link it is reached", async () => {
    const folder = temporaryFolder();
    const [real, link] = [path.join(folder, "real"), path.join(folder, "link")];
    mkdirSync(real);
    symlinkSync(real, link);
    const environment = { XDG_STATE_HOME: path.join(folder, "states") };
    await coffre(["append", "a.md", "text", "--top", "--vault", link], { environment });
    const { stdout } = await coffre(["log", "--vault", real], { environment });
    expect(stdout).toContain("created vault/a.md");
  });
});

describe("what nobody expected", () => {
  it("exits 1 and gives the stack, which a report needs", async () => {
    const { root, state } = temporaryPlace();
    const environment = {
      COFFRE_VAULT: root,
      get COFFRE_STATE(): string {
        if (state !== "") throw new RangeError("boom");
        return state;
      },
    };
    const { code, stderr } = await coffre(["status"], { environment });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Internal error; please report it:\nRangeError: boom\n +at /u);
  });
});

describe("coffre alone", () => {
  it("shows the status of the vault, and that of another one", async () => {
    const { root, state } = temporaryPlace({ "here.md": "x\n" });
    const environment = { COFFRE_VAULT: root, COFFRE_STATE: state };
    const { code, stdout } = await coffre([], { environment });
    expect(code).toBe(0);
    expect(stdout).toContain(root);
    expect(stdout).toContain("no service running");
    expect((await coffre(["--vault", root, "--state", state])).stdout).toBe(stdout);
  });

  it("shows help where there is no vault, and makes none", async () => {
    const folder = path.join(temporaryFolder(), "notes");
    const { code, stdout } = await coffre([], { environment: { COFFRE_VAULT: folder } });
    expect(code).toBe(0);
    expect(stdout).toBe((await coffre(["help"])).stdout);
    expect((await coffre(["--vault", folder])).code).toBe(1);
    expect(existsSync(folder)).toBe(false);
  });
});

describe("help", () => {
  it("lists every command once, without being given one", async () => {
    const { code, stdout } = await coffre(["--help"]);
    expect(code).toBe(0);
    for (const { name, summary, hidden } of commands) {
      const lines = stdout.split("\n").filter((line) => line.startsWith(`  ${name} `));
      expect(lines.map((line) => line.endsWith(summary))).toEqual(hidden === true ? [] : [true]);
    }
    expect((await coffre(["help"])).stdout).toBe(stdout);
    expect((await coffre(["--help"])).stdout).toBe(stdout);
  });

  it.each(commands.filter(({ hidden }) => hidden !== true))(
    "of $name shows usage, options and two or three examples of it",
    async ({ name, options, examples }) => {
      const { code, stdout } = await coffre([name, "--help"]);
      expect(code).toBe(0);
      expect(stdout).toContain(`Usage: coffre ${name}`);
      for (const option of [...Object.keys(options), "vault", "state", "json", "help"]) {
        expect(stdout).toMatch(new RegExp(`^  (?:-h, )?--${option}\\b.*  \\S`, "mu"));
      }
      expect(examples.length).toBeGreaterThanOrEqual(2);
      expect(examples.length).toBeLessThanOrEqual(3);
      for (const example of examples) expect(example).toContain(`coffre ${name}`);
      expect((await coffre(["help", name])).stdout).toBe(stdout);
    },
  );

  it("of an unknown command exits 2", async () => {
    const { code, stderr } = await coffre(["help", "reed"]);
    expect(code).toBe(2);
    expect(stderr).toContain("Did you mean coffre read?");
  });
});

describe("the command table", () => {
  it("names no argument twice in one command, nor like an option for all", () => {
    for (const { positionals, options } of commands) {
      const names = [...Object.keys(positionals), ...Object.keys(options)];
      const all = [...names, "vault", "state", "json", "help"];
      expect(new Set(all).size).toBe(all.length);
    }
  });
});

describe("--version", () => {
  it("prints that of the package, with other options too", async () => {
    const { code, stdout } = await coffre(["--version"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\S*\n$/u);
    expect((await coffre(["--json", "--version"])).stdout).toBe(stdout);
  });
});

it("runs one command as one session, under the name cli", async () => {
  const place = temporaryPlace();
  await place.run(["write", "a.md", "--content", "one"]);
  expect(field(await place.json(["log"]), 0, "actor")).toBe("cli");
  // What one command has read, the next has not.
  await place.run(["read", "a.md"]);
  const { code } = await place.run(["write", "a.md", "--content", "two"]);
  expect(code).toBe(1);
});
