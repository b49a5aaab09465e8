import { expect, it } from "vitest";

import { temporaryVault } from "../../testing/temporary-vault.ts";
import { treeFile } from "../tree/tree-text.ts";
import { isTreeText } from "./generated-tree.ts";

async function listing(): Promise<string> {
  const root = await temporaryVault({
    "a.md": "A\n",
    "bucket/b.md": "B\n",
    "projects/p/state.md": "P\n",
    "autre/c/d.md": "D\n",
    "image.png": "no image",
  }).shape("");
  return root.kind === "folder" ? treeFile(root) : "";
}

it("recognises what we generate, folded and empty too", async () => {
  expect(isTreeText(await listing())).toBe(true);
  expect(isTreeText("```\nvault/                           [0 · —]\n```\n")).toBe(true);
});

it.each([
  ["nothing", () => ""],
  ["a note", () => "# Trees\n\nThe oak is 200 years old.\n"],
  ["a word before it", (text: string) => `My tree\n${text}`],
  ["a word after it", (text: string) => `${text}rien de bon\n`],
  ["a word inside it", (text: string) => text.replace("\n├", "\nThe oak.\n├")],
  ["frontmatter above it", (text: string) => `---\ntags: [x]\n---\n${text}`],
  ["what another program lists", () => "```\n.\n├── a.md\n└── b.md\n```\n"],
])("takes %s for the person's", async (_, spoil) => {
  expect(isTreeText(spoil(await listing()))).toBe(false);
});
