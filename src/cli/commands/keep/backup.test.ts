import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { snapshotOf } from "../../../testing/tree-snapshot.ts";
import { coffre, field, serve, stampedPlace, temporaryPlace } from "../../testing/cli.ts";

const environment = { COFFRE_PASSPHRASE: "correct horse battery" };
const FILES = { "a.md": "Le toit\n", "d/b.bin": Uint8Array.of(0, 255, 3) };

describe("coffre backup and restore", () => {
  it("bring a vault back from a running service, and undo works in it", async () => {
    const place = stampedPlace(FILES);
    await serve(place);
    const reply = await place.json(["append", "a.md", "Une ligne", "--bottom"]);
    const folder = path.dirname(place.root);
    const file = path.join(folder, "backup.age");
    const made = await place.run(["backup", file], { environment });
    expect([made.code, made.stderr]).toEqual([0, ""]);
    expect(made.stdout).toMatch(/: \d+ files, .*, encrypted in .* and checked\.\n$/u);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    // A line of the age format; and nothing of the notes.
    const bytes = readFileSync(file);
    expect(bytes.toString("latin1", 0, 22)).toBe("age-encryption.org/v1\n");
    expect(bytes.includes("Le toit")).toBe(false);

    const [root, state] = [path.join(folder, "new"), path.join(folder, "new-state")];
    const target = ["--vault", root, "--state", state];
    const { code, stdout } = await coffre(["restore", file, ...target], { environment });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Restored \d+ files, /u)]);
    expect(snapshotOf(root)).toEqual(snapshotOf(place.root));
    expect(JSON.parse(readFileSync(path.join(state, "coffre.json"), "utf8"))).toEqual({
      frontmatter: "all",
    });
    const undone = await coffre(["undo", field(reply, "history"), ...target]);
    expect([undone.code, undone.stderr]).toEqual([0, ""]);
    expect(readFileSync(path.join(root, "a.md"), "utf8")).not.toContain("Une ligne");
  });

  it("refuse another passphrase, a changed file and a used folder, and leave nothing behind", async () => {
    const { root, run } = temporaryPlace(FILES);
    const folder = path.dirname(root);
    const [file, key] = [path.join(folder, "backup.age"), path.join(folder, "key")];
    writeFileSync(key, "correct horse battery\nsecond line\n");
    expect((await run(["backup", file, "--passphrase-file", key])).code).toBe(0);
    const target = ["--vault", path.join(folder, "new"), "--state", path.join(folder, "new-state")];
    const wrong = { environment: { COFFRE_PASSPHRASE: "another horse" } };
    const other = await coffre(["restore", file, ...target], wrong);
    expect([other.code, other.stderr]).toEqual([
      1,
      expect.stringContaining("the passphrase is another one"),
    ]);
    const bytes = readFileSync(file);
    writeFileSync(`${file}.cut`, bytes.subarray(0, bytes.length - 100));
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 5000) ^ 1, bytes.length - 5000);
    writeFileSync(`${file}.changed`, bytes);
    for (const bad of [`${file}.cut`, `${file}.changed`]) {
      const { code, stderr } = await coffre(["restore", bad, ...target], { environment });
      expect([code, stderr]).toEqual([1, expect.stringContaining("damaged or not complete")]);
    }
    expect([existsSync(target[1] ?? ""), existsSync(target[3] ?? "")]).toEqual([false, false]);
    const used = await coffre(["restore", file, "--vault", root], { environment });
    expect([used.code, used.stderr]).toEqual([1, expect.stringContaining("an empty folder only")]);
  });

  it("ask for the passphrase at a terminal, twice, without showing it", async () => {
    const { root, run } = temporaryPlace(FILES);
    const file = path.join(path.dirname(root), "backup.age");
    const typed = "correct horrse\b\bse battery\n";
    const differs = await run(["backup", file], { terminal: true, stdin: `${typed}other words\n` });
    expect([differs.code, differs.stderr]).toEqual([
      1,
      expect.stringContaining("two passphrases differ"),
    ]);
    const { code, stderr } = await run(["backup", file], { terminal: true, stdin: typed + typed });
    expect([code, stderr]).toEqual([0, expect.stringContaining("Passphrase:")]);
    expect(stderr).not.toContain("horse");
  });

  it("refuse a file that exists, one inside the vault, a short passphrase, and none at all", async () => {
    const { root, run } = temporaryPlace(FILES);
    const file = path.join(path.dirname(root), "backup.age");
    writeFileSync(file, "mine");
    const refused = async (name: string, passphrase = "correct horse"): Promise<string> => {
      const given = { environment: { COFFRE_PASSPHRASE: passphrase } };
      const { code, stderr } = await run(["backup", name], given);
      expect(code).not.toBe(0);
      return stderr;
    };
    expect(await refused(file)).toContain("exists");
    expect(readFileSync(file, "utf8")).toBe("mine");
    expect(await refused(path.join(root, "in.age"))).toContain("inside the vault");
    expect(await refused(`${file}.2`, "short")).toContain("fewer than 8 characters");
    expect(await refused(`${file}.2`, "")).toContain("There is no passphrase");
  });

  it("are not reached over TCP", async () => {
    const place = temporaryPlace(FILES);
    await serve(place);
    const token = readFileSync(path.join(place.state, "token"), "utf8").trim();
    const owner = JSON.parse(readFileSync(path.join(place.state, "owner.json"), "utf8"));
    const response = await fetch(new URL("/api/backup", field(owner, "address")), {
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(403);
  });

  it("write what tar reads", async () => {
    const { root, state } = temporaryPlace(FILES);
    const { createVault } = await import("../../../vault/vault.ts");
    const { archiveOf } = await import("../../../backup/archive.ts");
    const vault = createVault({ root, state });
    mkdirSync(state, { recursive: true });
    const chunks: Buffer[] = [];
    for await (const chunk of archiveOf(vault, new Date())) chunks.push(chunk);
    vault.close();
    const { status, stdout } = spawnSync("tar", ["tf", "-"], {
      input: Buffer.concat(chunks),
      encoding: "utf8",
    });
    expect([status, stdout.split("\n")]).toEqual([0, expect.arrayContaining(["vault/a.md"])]);
  });
});
