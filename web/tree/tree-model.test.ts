import { describe, expect, it } from "vitest";

import type { TreeEntry } from "../../src/server/api/contract.ts";
import {
  eventually,
  startScriptedService,
  type ScriptedService,
} from "../testing/scripted-service.ts";
import { TreeModel } from "./tree-model.ts";

const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  "vault/": ["vault/projects/", "vault/a.md"],
  "vault/projects/": ["vault/projects/loft/", "vault/projects/boat/"],
  "vault/projects/loft/": ["vault/projects/loft/state.md"],
  "vault/projects/boat/": ["vault/projects/boat/state.md"],
};

const entry = (path: string, children?: readonly string[]): TreeEntry => ({
  path,
  kind: path.endsWith("/") ? "folder" : "file",
  tokens: 1,
  changed: null,
  ...(children === undefined ? {} : { children: children.map((child) => entry(child)) }),
});

const folderIn = (request: string): string =>
  new URLSearchParams(request.slice(request.indexOf("?"))).get("path") ?? "";

async function withFolders(
  folders: Record<string, readonly string[]> = { ...FOLDERS },
): Promise<{ tree: TreeModel; service: ScriptedService; asked: () => string[] }> {
  const service = await startScriptedService((request) => {
    const folder = folderIn(request);
    const children = folders[folder];
    return children === undefined ? undefined : entry(folder, children);
  });
  const tree = new TreeModel(service);
  let before = 0;
  const asked = (): string[] => {
    const since = service.requests.slice(before).map(folderIn);
    before = service.requests.length;
    return since.toSorted();
  };
  return { tree, service, asked };
}

const known = (tree: TreeModel): string[] => [...tree.state.get().folders.keys()].toSorted();

async function started(
  folders?: Record<string, readonly string[]>,
): Promise<Awaited<ReturnType<typeof withFolders>>> {
  const home = await withFolders(folders);
  await home.tree.start();
  await eventually(() => expect(known(home.tree)).toEqual(["vault/", "vault/projects/"]));
  home.asked();
  return home;
}

describe("the tree of the page", () => {
  it("asks for no folder that is not there", async () => {
    const { tree, asked } = await withFolders({ "vault/": ["vault/a.md"] });
    await tree.start();
    expect(asked()).toEqual(["vault/"]);
    expect(known(tree)).toEqual(["vault/"]);
  });

  it("loads the root and the projects first, and other folders when they are unfolded", async () => {
    const { tree, asked } = await started();
    expect(tree.root.get()?.path).toBe("vault/");
    tree.toggle("vault/projects/boat/");
    await eventually(() => expect(known(tree)).toContain("vault/projects/boat/"));
    tree.toggle("vault/projects/boat/");
    expect(tree.state.get().expanded).toEqual(new Set(["vault/projects/"]));
    expect(asked()).toEqual(["vault/projects/boat/"]);
  });

  it("unfolds and loads the folders above a path that is opened", async () => {
    const { tree, asked } = await started();
    tree.reveal("vault/projects/loft/state.md");
    await eventually(() => expect(known(tree)).toContain("vault/projects/loft/"));
    tree.reveal("vault/projects/loft/state.md");
    expect(asked()).toEqual(["vault/projects/loft/"]);
  });

  it("reloads the known folders above files that changed, once for changes that come together", async () => {
    const folders = { ...FOLDERS };
    const { tree, service, asked } = await started(folders);
    folders["vault/"] = ["vault/projects/", "vault/a.md", "vault/new.md"];
    service.emit({ type: "file", changed: ["vault/new.md"], created: [], gone: [] });
    service.emit({
      type: "file",
      changed: ["vault/projects/loft/state.md", "vault/tree.md"],
      created: [],
      gone: ["vault/projects/boat/x.md"],
    });
    await eventually(() => expect(tree.state.get().folders.get("vault/")).toHaveLength(3));
    await eventually(() => expect(service.requests).toHaveLength(4));
    expect(asked()).toEqual(["vault/", "vault/projects/"]);
    expect([...tree.recent.get().keys()]).toEqual(["vault/new.md", "vault/projects/loft/state.md"]);
  });

  it("forgets a folder that is gone", async () => {
    const folders = { ...FOLDERS };
    const { tree, service } = await started(folders);
    delete folders["vault/projects/"];
    service.emit({ type: "resync" });
    await eventually(() => expect(known(tree)).toEqual(["vault/"]));
    expect(tree.problem.get()).toBeNull();
  });

  it("ignores an answer that a later one overtook", async () => {
    const first = Promise.withResolvers<TreeEntry>();
    const answers = [
      first.promise,
      entry("vault/", ["vault/a.md"]),
      entry("vault/", ["vault/a.md", "vault/b.md"]),
    ];
    const service = await startScriptedService(() => answers.shift());
    const tree = new TreeModel(service);
    const counts: unknown[] = [];
    tree.state.subscribe(() => counts.push(tree.state.get().folders.get("vault/")?.length));
    service.emit({ type: "resync" });
    await eventually(() => expect(answers).toHaveLength(2));
    service.emit({ type: "resync" });
    await eventually(() => expect(counts).toEqual([1]));
    first.resolve(entry("vault/", []));
    service.emit({ type: "resync" });
    await eventually(() => expect(counts.at(-1)).toBe(2));
    expect(counts).toEqual([1, 2]);
  });

  it("keeps what it knows when the service does not answer, and says so", async () => {
    let isAway = false;
    const service = await startScriptedService((request) => {
      if (isAway) throw new Error("away");
      return entry(folderIn(request), FOLDERS[folderIn(request)]);
    });
    const tree = new TreeModel(service);
    await tree.start();
    await eventually(() => expect(known(tree)).toHaveLength(2));
    isAway = true;
    service.emit({ type: "resync" });
    await eventually(() => expect(tree.problem.get()?.code).toBe("unreachable"));
    expect(known(tree)).toHaveLength(2);
    isAway = false;
    service.emit({ type: "resync" });
    await eventually(() => expect(tree.problem.get()).toBeNull());
  });
});
