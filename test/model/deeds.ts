import type { Random } from "../../src/testing/random.ts";
import type { ServiceClient, Answer } from "./service-client.ts";
import type { Deed, Texts } from "./vault-model.ts";

const FOLDERS = ["", "a/", "a/b/", "été/", "projets/serre/"];
const NAMES = ["un.md", "deux.md", "trois quatre.md", "cinq.txt", "six.md"];
const WORDS = "pompe toit kiln glaze harbour lantern walrus budget façade École 会議 oak".split(
  " ",
);

/** Something to do to a vault that holds these texts; most of it can be done. */
export function anyDeed(random: Random, texts: Texts): Deed {
  const known = [...texts.keys()];
  const path = (): string => (random.pick(FOLDERS) ?? "") + (random.pick(NAMES) ?? "");
  const existing = (): string => random.pick(known) ?? path();
  const deed = random.weighed<() => Deed>([
    [4, () => ({ kind: "write", path: path(), text: anyText(random) })],
    [
      4,
      () => ({
        kind: "append",
        path: random.isChance(0.8) ? existing() : path(),
        text: anyText(random),
        position: random.isChance(0.5) ? "top" : "bottom",
      }),
    ],
    [3, () => edit(random, texts, existing())],
    [2, () => ({ kind: "move", path: existing(), to: path() })],
    [
      1,
      () => ({
        kind: "move",
        path: folderOf(existing()),
        to: `dossier-${random.below(1_000_000)}`,
      }),
    ],
    [1, () => ({ kind: "delete", path: existing() })],
    [0.3, () => ({ kind: "delete", path: folderOf(existing()) })],
  ]);
  return deed?.() ?? { kind: "delete", path: existing() };
}

function folderOf(file: string): string {
  return file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : file;
}

function edit(random: Random, texts: Texts, path: string): Deed {
  const lines = (texts.get(path) ?? "").split("\n").filter((line) => line.trim() !== "");
  return { kind: "edit", path, old: random.pick(lines) ?? "absent", text: anyLine(random) };
}

function anyLine(random: Random): string {
  const words = Array.from({ length: 1 + random.below(6) }, () => random.pick(WORDS) ?? "");
  return `${words.join(" ")} ${random.below(1_000_000)}`;
}

/** Some paragraphs; now and then a text that is written the way large ones are. */
export function anyText(random: Random): string {
  const count = random.isChance(0.02) ? 9000 : 1 + random.below(4);
  const lines = Array.from({ length: count }, () => anyLine(random));
  const head = random.isChance(0.3) ? `# ${anyLine(random)}\n\n` : "";
  return `${head}${lines.join(count > 100 ? "\n" : "\n\n")}\n`;
}

/** Does it through the tools, as a model does: what is to be replaced or edited is read first. */
export async function doDeed(service: ServiceClient, deed: Deed, texts: Texts): Promise<Answer> {
  const path = `vault/${deed.path}`;
  switch (deed.kind) {
    case "write":
      if (texts.has(deed.path)) await service.call("read", { paths: [path] });
      return service.call("write", { path, content: deed.text });
    case "append":
      return service.call("append", { path, content: deed.text, position: deed.position });
    case "edit":
      await service.call("read", { paths: [path] });
      return service.call("edit", { path, old_content: deed.old, new_content: deed.text });
    case "move":
      return service.call("move", { from: path, to: `vault/${deed.to}` });
    case "delete":
      return service.call("delete", { path });
  }
}
