import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { temporaryFolder } from "../../testing/temporary-vault.ts";
import { vaultProblems } from "../../testing/vault-problems.ts";
import { stampedPlace, temporaryPlace } from "../testing/cli.ts";

describe("coffre doctor", () => {
  it("repairs everything, says what it fixed, and then finds nothing", async () => {
    const { root, state, run } = stampedPlace({ "a.md": "# A\n", "d/b.md": "La cave.\n" });
    const first = await run(["doctor"]);
    expect(first.code).toBe(0);
    expect(first.stdout).toContain("fixed    Files that had changed unnoticed: 2; gone: 0.");
    expect(await vaultProblems(root, state)).toEqual([]);
    appendFileSync(path.join(root, "a.md"), "Plus.\n");
    expect((await run(["doctor"])).stdout).toContain(
      "fixed    Files that had changed unnoticed: 1; gone: 0.",
    );
    const last = await run(["doctor"]);
    expect(last.stdout).toMatch(
      /ok {7}Frontmatter, tree\.md and the index \(2 files .*\) are right/u,
    );
    expect(last.stdout).not.toContain("PROBLEM");
  });

  it("exits 1 and says what to do when it cannot fix something", async () => {
    const broken = "---\nclé: [ouverte\n---\n\nTexte.\n";
    const { root, run, json } = stampedPlace({ "a.md": broken });
    const { code, stdout } = await run(["doctor"]);
    expect(code).toBe(1);
    expect(stdout).toContain("PROBLEM  The frontmatter of vault/a.md is left as it is");
    expect(stdout).toContain("Correct it in any editor");
    expect(readFileSync(path.join(root, "a.md"), "utf8")).toBe(broken);
    writeFileSync(path.join(root, "a.md"), "Texte.\n");
    expect(await json(["doctor"])).toContainEqual(expect.objectContaining({ state: "mended" }));
  });

  it("lists the links that lead nowhere, which is no problem", async () => {
    const { run } = temporaryPlace({
      "a.md": "# A\n\n[[b]] [[Rien]] [x](manque.md)\n",
      "b.md": "b\n",
    });
    const { code, stdout } = await run(["doctor"]);
    expect(code).toBe(0);
    expect(stdout).toContain(
      "ok       Links that lead to no file: 2.\n         vault/a.md:3  Rien\n         vault/a.md:3  manque.md\n",
    );
  });

  it("explains what deep will use, and why", async () => {
    const { run } = temporaryPlace({ "a.md": "# A\n" });
    const environment = { COFFRE_MODELS: temporaryFolder() };
    const without = await run(["doctor"], { environment });
    expect(without.code).toBe(0);
    expect(without.stdout).toMatch(/ok {7}Deep search goes by words: .*\n {9}\S/u);
    const named = { COFFRE_EMBED_URL: "http://127.0.0.1:11434/v1", COFFRE_EMBED_MODEL: "nomic" };
    expect((await run(["doctor"], { environment: named })).stdout).toContain(
      "ok       Deep search sends sections and questions to 127.0.0.1:11434 (nomic), and compares them here.",
    );
    const wrong = await run(["doctor"], { environment: { COFFRE_EMBED_URL: "http://a.test" } });
    expect(wrong).toMatchObject({ code: 1, stdout: expect.stringContaining("PROBLEM  There is") });
  });
});
