import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it, onTestFinished } from "vitest";

import { ExpectedError } from "../src/errors.ts";
import { LookingService } from "../src/looking-service.ts";
import { recordOpens } from "../src/testing/record-opens.ts";
import { wordCounts } from "../src/testing/suites/index-contents.ts";
import { found, home, start, until, update } from "../src/testing/service-home.ts";

it("a running service weighs words by how rare they are, whichever way their files came and went", async () => {
  const common = Array.from({ length: 40 }, (_, at) => [
    `n/${at}.md`,
    `# Note ${at}\n\nla pompe, la pompe et encore la pompe ${at}\n`,
  ]);
  const place = home({ ...Object.fromEntries(common), "rare.md": "un mot sur la turbine\n" });
  const service = await start(place);
  const isExact = (): void => {
    const { kept, counted } = wordCounts(path.join(place.state, "index"));
    expect(kept).toEqual(counted);
  };
  expect((await found(service, "pompe turbine"))[0]).toBe("rare.md");
  isExact();
  await update(service, "write", { path: "ecrit.md", content: "le carter de la turbine\n" });
  await update(service, "move", { from: "n/0.md", to: "m/zero.md" });
  await update(service, "delete", { path: "n/1.md" });
  writeFileSync(place.file("n/2.md"), "rien de tel\n");
  rmSync(place.file("n/3.md"));
  await until(service, async () => {
    const files = await found(service, "pompe");
    return !files.includes("n/2.md") && !files.includes("n/3.md");
  });
  expect((await found(service, "pompe carter"))[0]).toBe("ecrit.md");
  isExact();
});

it("a search opens no file whose text the index has, and the one that is newer than the index", async () => {
  const place = home({
    "a.md": `# Pompe\n\nla pompe\n\n# Cave\n\n${"la cave\n".repeat(300)}`,
    "b.md": "la pompe du voisin\n",
  });
  const service = await start(place, "none");
  const search = async (args: object): Promise<string> =>
    JSON.stringify((await update(service, "search", { queries: ["pompe"], ...args })).structured);
  const opened = recordOpens(place.root);
  for (const args of [{}, { limit: 50 }, { mode: "deep" }, { scopes: ["vault/a.md"] }])
    expect(await search(args)).toContain("la pompe");
  expect(opened).toEqual([]);
  writeFileSync(place.file("b.md"), "la pompe est neuve\n");
  // The watcher has had no time to report it.
  expect(await search({})).toContain("la pompe est neuve");
  expect(opened).toContain("b.md");
  expect(opened).not.toContain("a.md");
});

it("links are known to a running service, and to one that only looks", async () => {
  const place = home({ "a.md": "[[b]] ![[x.png]] [[c]]\n", "b.md": "b\n", "d/x.png": "x" });
  const service = await start(place);
  await update(service, "write", { path: "e.md", content: "[a](a.md)\n" });
  const looking = new LookingService({
    root: place.root,
    state: place.state,
    now: () => new Date(),
    whyNotOwned: new ExpectedError("busy", "owned by the service"),
    settings: () => Promise.reject(new Error("links need no settings")),
    onBug: (error) => {
      throw error;
    },
    onIndexing: () => {},
    onRebuild: () => {},
  });
  onTestFinished(() => looking.close());
  for (const { links } of [service.index, looking.index]) {
    const from = await links.from("a.md");
    expect(from.map(({ to }) => to)).toEqual(["b.md", "d/x.png", null]);
    expect((await links.to("a.md")).map(({ from: note }) => note)).toEqual(["e.md"]);
    expect((await links.to("d/x.png")).map(({ from: note }) => note)).toEqual(["a.md"]);
    expect((await links.dead()).map(({ target }) => target)).toEqual(["c"]);
  }
});

const WRITTEN = {
  "cpp.md": "Le pilote est en C++ depuis 2019.\n",
  "c.md": "Le vieux pilote est en C.\n",
  "erreur.md": "La page répond 404 sans cache.\n",
  "api.md": "Le contrat de l'API de paiement.\n",
  "camel.md": "La fonction getUserName lit le compte.\n",
  "tiret.md": "Un e-mail au sous-traitant.\n",
  "unite.md": "Une dose de 40mg le soir.\n",
  "compose.md": "Das Donaudampfschiff fährt.\n",
  "faute.md": "Le prestataire ne livre plus.\n",
  "groupe.md": "Le devis est de 12 500 €.\n",
  "entier.md": "La facture est de 3400 €.\n",
  "heure.md": "Le rendez-vous est à 10:30.\n",
  "horaire.md": "Le train part à 18h45.\n",
  "version.md": "La v2.7 tourne avec node.js et B12.\n",
  "chinois.md": "昨天我们在北京大学开会。\n",
  "japonais.md": "東京タワーの写真です。\n",
  "russe.md": "Договор аренды подписан вчера.\n",
  "arabe.md": "وقّعنا عقد الإيجار أمس.\n",
};

it.each([
  ["C++", "cpp.md"],
  ["404", "erreur.md"],
  ["l'API", "api.md"],
  ["l’api", "api.md"],
  ["user name", "camel.md"],
  ["getUserName", "camel.md"],
  ["username", "camel.md"],
  ["email", "tiret.md"],
  ["e-mail", "tiret.md"],
  ["sous traitant", "tiret.md"],
  ["40 mg", "unite.md"],
  ["40mg", "unite.md"],
  ["dampfschiff", "compose.md"],
  ["prestatiare", "faute.md"],
  ["rpestataire", "faute.md"],
  ["12500 €", "groupe.md"],
  ["12.500", "groupe.md"],
  ["3 400 €", "entier.md"],
  ["3,400", "entier.md"],
  ["10h30", "heure.md"],
  ["18:45", "horaire.md"],
  ["nodejs", "version.md"],
  ["b 12", "version.md"],
  ["2.7", "version.md"],
  ["北京", "chinois.md"],
  ["大学", "chinois.md"],
  ["会", "chinois.md"],
  ["東京", "japonais.md"],
  ["タワー", "japonais.md"],
  ["договор аренды", "russe.md"],
  ["ДОГОВОР", "russe.md"],
  ["عقد", "arabe.md"],
  ["الإيجار", "arabe.md"],
])("a running service finds %s", async (query, file) => {
  const service = await start(home(WRITTEN), "none");
  expect((await found(service, query))[0]).toBe(file);
});
