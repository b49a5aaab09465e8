import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import path from "node:path";

import { describe, expect, it, onTestFinished } from "vitest";

import {
  create,
  logOf,
  makeFolder,
  move,
  remove,
  undo,
  update,
} from "../testing/suites/changes.ts";
import { codeOf } from "../testing/expected-error.ts";
import { asOrdinaryUser } from "../testing/ordinary-user.ts";
import { snapshotOf } from "../testing/tree-snapshot.ts";
import { temporaryVault } from "../testing/temporary-vault.ts";
import { Disk } from "./disk.ts";
import type { LocalVault } from "./vault.ts";

function link(vault: LocalVault, name: string, target: string): void {
  mkdirSync(path.dirname(path.join(vault.root, name)), { recursive: true });
  symlinkSync(target, path.join(vault.root, name));
}

/** A folder beside the vault, with a secret in it. */
function outside(vault: LocalVault): string {
  const folder = path.join(path.dirname(vault.root), "dehors");
  mkdirSync(folder);
  writeFileSync(path.join(folder, "secret.md"), "le mot de passe");
  return folder;
}

async function firstLine(vault: LocalVault, name: string): Promise<string | undefined> {
  return (await vault.openText(name)).range(1, 1).lines[0];
}

const walked = async (vault: LocalVault): Promise<string[]> =>
  Array.fromAsync(vault.walk(""), (listed) => listed.path);

describe("links that stay inside", () => {
  it("read as the file they lead to, under that file's path", async () => {
    const vault = temporaryVault({ "vrai/a.md": "un" });
    link(vault, "alias.md", "vrai/a.md");
    link(vault, "chaîne/2.md", "../alias.md");
    for (const name of ["alias.md", "chaîne/2.md"]) {
      const text = await vault.openText(name);
      expect(text.path).toBe("vrai/a.md");
      expect(text.range(1, 1).lines).toEqual(["un"]);
    }
    expect(await walked(vault)).toEqual(["chaîne/2.md", "vrai/a.md", "alias.md"]);
  });

  it("to a folder can be passed through, and are not listed", async () => {
    const vault = temporaryVault({ "vrai/a.md": "un" });
    link(vault, "raccourci", "vrai");
    expect(await firstLine(vault, "raccourci/a.md")).toBe("un");
    expect(await vault.find("raccourci")).toMatchObject({ kind: "folder", path: "vrai" });
    expect(new Disk(vault.root).find("raccourci/b.md")).toMatchObject({
      kind: "missing",
      folder: { path: "vrai" },
    });
    expect((await vault.list("")).map((listed) => listed.name)).toEqual(["vrai"]);
  });

  it("leave the link a link when the file is changed through it", async () => {
    const vault = temporaryVault({ "vrai/a.md": "un\n" });
    link(vault, "alias.md", "vrai/a.md");
    await update(vault, "alias.md", "deux\n");
    expect(snapshotOf(vault.root)["alias.md"]).toBe("link to vrai/a.md");
    expect(readFileSync(path.join(vault.root, "vrai/a.md"), "utf8")).toBe("deux\n");
    expect(await vault.log({ path: "vrai/a.md", limit: 5 })).toHaveLength(1);
  });

  it("are removed and moved as links, their target untouched", async () => {
    const vault = temporaryVault({ "vrai/a.md": "un\n" });
    link(vault, "alias.md", "vrai/a.md");
    link(vault, "raccourci", "vrai");
    const before = snapshotOf(vault.root);
    const moved = await move(vault, "raccourci", "nom");
    const removed = await remove(vault, "alias.md");
    expect(snapshotOf(vault.root)["nom"]).toBe("link to vrai");
    expect(snapshotOf(vault.root)["alias.md"]).toBeUndefined();
    expect(snapshotOf(vault.root)["vrai/a.md"]).toBe(before["vrai/a.md"]);
    for (const id of [removed, moved]) await undo(vault, id);
    expect(snapshotOf(vault.root)).toEqual(before);
  });

  it("can be brought back where they were when a move left them leading nowhere", async () => {
    const vault = temporaryVault({ "vrai/a.md": "un\n" });
    link(vault, "raccourci", "vrai");
    const before = snapshotOf(vault.root);
    const moved = await move(vault, "raccourci", "autre/nom");
    await undo(vault, moved);
    expect(snapshotOf(vault.root)).toEqual(before);
  });
});

describe("links that lead nowhere good", () => {
  it.each([
    ["to themselves", "boucle", "boucle"],
    ["to each other", "aller", "retour"],
    ["to a folder above them through themselves", "dedans", "dedans/plus/loin"],
  ])("are refused when they lead %s", async (_, name, target) => {
    const vault = temporaryVault({ "a.md": "a" });
    link(vault, name, target);
    link(vault, "retour", "aller");
    for (const asked of [name, `${name}/x.md`]) {
      expect(await codeOf(() => vault.openText(asked))).toBe("outside_vault");
    }
    expect(await walked(vault)).toEqual(["a.md"]);
  });

  it("are not_found when the target is missing, and nothing is made through them", async () => {
    const vault = temporaryVault({ "a.md": "a" });
    link(vault, "perdu", "nulle-part");
    const before = snapshotOf(vault.root);
    expect(await codeOf(() => vault.openText("perdu"))).toBe("not_found");
    for (const name of ["perdu", "perdu/b.md"]) {
      const code = await codeOf(async () => create(vault, name, "b"));
      expect(["not_found", "already_exists"]).toContain(code);
    }
    expect(snapshotOf(vault.root)).toEqual(before);
  });

  it("end a walk that would turn in a circle", async () => {
    const vault = temporaryVault({ "a/b/c.md": "c" });
    link(vault, "a/b/haut", "../..");
    expect(await walked(vault)).toEqual(["a/b/c.md"]);
    expect(await vault.shape("")).toMatchObject({ files: 1 });
  });
});

describe("links that leave the vault", () => {
  const ways = [
    ["to a file", "fuite.md", "fuite.md", "secret.md"],
    ["to a folder, in the middle of a path", "porte", "porte/secret.md", "."],
    ["to a folder, by a relative path", "relatif", "relatif/secret.md", "../dehors"],
    ["to the folder above the root", "haut", "haut/dehors/secret.md", ".."],
    ["to the root of the disk", "racine", "racine/etc/passwd", "/"],
  ] as const;

  it.each(ways)("are refused: %s", async (_, name, asked, target) => {
    const vault = temporaryVault({ "a.md": "a" });
    const folder = outside(vault);
    link(vault, name, path.resolve(folder, target));
    expect(await codeOf(() => vault.find(asked))).toBe("outside_vault");
    expect(await codeOf(() => vault.openText(asked))).toBe("outside_vault");
    expect(await codeOf(() => vault.readBytes(asked, 100))).toBe("outside_vault");
    expect(await codeOf(() => vault.shape(asked))).toBe("outside_vault");
    expect(await walked(vault)).toEqual(["a.md"]);
    expect(await vault.shape("")).toMatchObject({ files: 1 });
  });

  it("take no new file, change nothing, and are neither moved nor removed", async () => {
    const vault = temporaryVault({ "a.md": "a" });
    const folder = outside(vault);
    link(vault, "porte", folder);
    link(vault, "fuite.md", path.join(folder, "secret.md"));
    const inside = snapshotOf(vault.root);
    const beyond = snapshotOf(folder, { times: true });
    const tries = [
      async () => create(vault, "porte/b.md", "b"),
      async () => create(vault, "porte/x/b.md", "b"),
      async () => move(vault, "a.md", "porte/a.md"),
      async () => move(vault, "porte", "autre"),
      async () => remove(vault, "fuite.md"),
      async () => remove(vault, "porte/secret.md"),
      async () => update(vault, "fuite.md", "b"),
      async () => makeFolder(vault, "porte/dossier"),
    ];
    for (const attempt of tries) expect(await codeOf(attempt)).toBe("outside_vault");
    expect(snapshotOf(vault.root)).toEqual(inside);
    expect(snapshotOf(folder, { times: true })).toEqual(beyond);
    expect(await logOf(vault)).toEqual([]);
  });

  it("are refused too when they lead to something hidden inside", async () => {
    const vault = temporaryVault({ ".git/config": "url = secret", ".env": "KEY=1", "a.md": "a" });
    link(vault, "config.md", ".git/config");
    link(vault, "depot", ".git");
    link(vault, "env.md", ".env");
    for (const asked of ["config.md", "depot/config", "depot", "env.md"]) {
      expect(await codeOf(() => vault.find(asked))).toBe("outside_vault");
    }
    expect(await walked(vault)).toEqual(["a.md"]);
  });
});

/** Things of every other kind that this user can make; their names. */
async function special(vault: LocalVault): Promise<string[]> {
  const at = (name: string): string => path.join(vault.root, name);
  execFileSync("mkfifo", [at("tuyau.md")]);
  const server = createServer().listen(at("prise.md"));
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const names = ["tuyau.md", "prise.md"];
  if (process.getuid?.() === 0) {
    execFileSync("mknod", [at("zéro.md"), "c", "1", "5"]);
    names.push("zéro.md");
  }
  return names;
}

describe("things that are neither file nor folder", () => {
  it("are never read, and do not make anyone wait", async () => {
    const vault = temporaryVault({ "a.md": "a" });
    for (const name of await special(vault)) {
      expect((await vault.find(name)).kind).toBe("other");
      expect(await codeOf(() => vault.openText(name))).toBe("not_text");
      expect(await codeOf(() => vault.readBytes(name, 10))).toBe("not_text");
    }
    expect(await walked(vault)).toEqual(["a.md"]);
  });

  it("are not removed, alone or with their folder, since they could not be brought back", async () => {
    const vault = temporaryVault({ "d/a.md": "a" });
    execFileSync("mkfifo", [path.join(vault.root, "d", "tuyau")]);
    const before = snapshotOf(vault.root, { times: true });
    for (const name of ["d", "d/tuyau"]) {
      expect(await codeOf(async () => remove(vault, name))).toBe("not_text");
    }
    expect(snapshotOf(vault.root, { times: true })).toEqual(before);
    expect(await logOf(vault)).toEqual([]);
  });

  it("are outside the vault when a link leads to one in /dev", async () => {
    const vault = temporaryVault();
    link(vault, "zéro.md", "/dev/zero");
    expect(await codeOf(() => vault.openText("zéro.md"))).toBe("outside_vault");
  });
});

describe("files and folders without permission", () => {
  it("are refused with no_permission, and the rest of the vault stays readable", async () => {
    const vault = temporaryVault({ "a.md": "a", "clos/b.md": "b", "muet.md": "m" });
    const at = (name: string): string => path.join(vault.root, name);
    await asOrdinaryUser(path.dirname(vault.root), async () => {
      chmodSync(at("clos"), 0o000);
      chmodSync(at("muet.md"), 0o000);
      try {
        expect(await codeOf(() => vault.openText("muet.md"))).toBe("no_permission");
        expect(await codeOf(() => vault.openText("clos/b.md"))).toBe("no_permission");
        expect(await codeOf(() => vault.list("clos"))).toBe("no_permission");
        expect(await codeOf(() => vault.find("clos/absent/c.md"))).toBe("no_permission");
        expect(await firstLine(vault, "a.md")).toBe("a");
        expect(await walked(vault)).toEqual(["a.md", "muet.md"]);
      } finally {
        chmodSync(at("clos"), 0o755);
      }
    });
  });

  it.each([
    ["listed but not entered", 0o644],
    ["entered but not listed", 0o311],
  ])(
    "let a walk and a search for near names pass over a folder that can be %s",
    async (_, mode) => {
      const vault = temporaryVault({ "a.md": "a", "clos/b.md": "b", "clos/sous/c.md": "c" });
      const folder = path.join(vault.root, "clos");
      await asOrdinaryUser(path.dirname(vault.root), async () => {
        chmodSync(folder, mode);
        try {
          expect(await walked(vault)).toContain("a.md");
          expect(await codeOf(() => vault.get("aa.md"))).toBe("not_found");
        } finally {
          chmodSync(folder, 0o755);
        }
      });
    },
  );

  it("keep no descriptor open after a hundred refusals", async () => {
    const vault = temporaryVault({ "a.md": "a", "muet/b.md": "b" });
    const folder = path.join(vault.root, "muet");
    await create(vault, "z.md", "z");
    await asOrdinaryUser(path.dirname(vault.root), async () => {
      // May be entered and written to, but not opened.
      chmodSync(folder, 0o333);
      try {
        const open = readdirSync("/proc/self/fd").length;
        for (let round = 0; round < 100; round += 1) {
          const tries = [
            async () => vault.openText("muet/absent.md"),
            async () => move(vault, "a.md", "muet/a.md"),
            async () => create(vault, "muet/c.md", "c"),
            async () => vault.openText("muet"),
          ];
          for (const attempt of tries) expect(await codeOf(attempt)).not.toBe("done");
        }
        expect(readdirSync("/proc/self/fd").length).toBeLessThan(open + 10);
      } finally {
        chmodSync(folder, 0o755);
      }
    });
  });
});
