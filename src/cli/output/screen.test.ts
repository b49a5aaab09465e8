import { describe, expect, it } from "vitest";

import { temporaryPlace } from "../testing/cli.ts";

const ESCAPE = "\u001b";
const files = { "a.md": "# Title\ntext [not facts]\n", "sub/b.md": "x\n" };

describe("colours", () => {
  it("dim the facts of a tree on a terminal, and only them", async () => {
    const { run } = temporaryPlace(files);
    const [plain, shown] = [await run(["tree"]), await run(["tree"], { terminal: true })];
    // oxlint-disable-next-line no-control-regex -- looking for the colours is the purpose here
    expect(shown.stdout).toMatch(/a\.md +\u001b\[2m\[\d+ · [^\]]+\]\u001b\[22m\n/u);
    // oxlint-disable-next-line no-control-regex -- taking the colours away is the purpose here
    expect(shown.stdout.replaceAll(/\u001b\[\d+m/gu, "")).toBe(plain.stdout);
  });

  it("make the header of a block stand out", async () => {
    const { run } = temporaryPlace(files);
    const { stdout } = await run(["read", "a.md"], { terminal: true });
    expect(stdout).toContain(`${ESCAPE}[1mvault/a.md${ESCAPE}[22m\n1  | # Title\n`);
  });

  it("show what a change took and put", async () => {
    const { run, json } = temporaryPlace(files);
    await run(["edit", "a.md", "--old", "text", "--new", "words"]);
    const [entry] = (await run(["log"])).stdout.split(" ");
    const { stdout } = await run(["show", entry ?? ""], { terminal: true });
    expect(stdout).toContain(`${ESCAPE}[31m-text [not facts]${ESCAPE}[39m\n`);
    expect(stdout).toContain(`${ESCAPE}[32m+words [not facts]${ESCAPE}[39m\n`);
    expect(await json(["log"])).toHaveLength(1);
  });

  it.each([["tree"], ["read", "a.md"], ["search", "title"], ["log"], ["status"], ["help"]])(
    "are not in what is piped: %s",
    async (...argv) => {
      const { run } = temporaryPlace(files);
      const { code, stdout } = await run(argv);
      expect(code).toBe(0);
      expect(stdout).not.toContain(ESCAPE);
    },
  );

  it.each([{ NO_COLOR: "1" }, { TERM: "dumb" }])("are left out when %j", async (environment) => {
    const { run } = temporaryPlace(files);
    const { stdout } = await run(["tree"], { terminal: true, environment });
    expect(stdout).not.toContain(ESCAPE);
  });

  it("are not left out for an empty NO_COLOR", async () => {
    const { run } = temporaryPlace(files);
    const environment = { NO_COLOR: "" };
    const { stdout } = await run(["tree"], { terminal: true, environment });
    expect(stdout).toContain(ESCAPE);
  });

  it("are not in JSON", async () => {
    const { run } = temporaryPlace(files);
    const { stdout } = await run(["tree", "--json"], { terminal: true });
    expect(stdout).not.toContain(ESCAPE);
  });
});

describe("control characters in a note", () => {
  const tricky = { "t.md": "a\u001b]0;owned\u0007b\r\nc\rd\u009bm\te\n" };

  it("cannot steer the terminal", async () => {
    const { run } = temporaryPlace(tricky);
    const { stdout } = await run(["read", "t.md"], {
      terminal: true,
      environment: { NO_COLOR: "1" },
    });
    expect(stdout).toBe("```vault/t.md\n1  | a␛]0;owned␇b\n2  | c␍d\ufffdm\te\n```\n");
  });

  it("reach a pipe as they are", async () => {
    const { run } = temporaryPlace(tricky);
    const { stdout } = await run(["read", "t.md"]);
    expect(stdout).toContain("1  | a\u001b]0;owned\u0007b\n2  | c\rd\u009bm\te\n");
  });
});
