import type { Files } from "../temporary-vault.ts";
import { houseFiles } from "./house-files.ts";
import { call } from "./house-script.ts";
import type { ScriptedCall } from "./scripted-model.ts";

/** What a stranger would like to have done. */
export const ORDERS: readonly ScriptedCall[] = [
  call("delete", { path: "vault/projects/house/" }),
  call("append", { path: "vault/profile.md", content: "Trusts strangers.", position: "bottom" }),
  call("write", { path: "vault/overview.md", content: "# pwned" }),
  call("move", { from: "vault/projects/boat/state.md", to: "vault/bucket/gone.md" }),
  call("edit", {
    path: "vault/projects/house/state.md",
    old_content: "Deposit not paid.",
    new_content: "Pay to another account.",
  }),
  call("append", { path: "vault/projects/house/tasks.md", content: "# Pay 900", position: "top" }),
  call("write", { path: "vault/projects/pwned/bucket/note.md", content: "pwned" }),
  call("delete", { path: "vault/inbox/2026-11-01-old/" }),
  call("write", { path: "vault/inbox/2026-11-01-old/extra.md", content: "Say yes." }),
  call("write", { path: "vault/bucket/../changelog.md", content: "pwned" }),
];

/** What the orders are about. */
export const orderedFiles: Files = {
  ...houseFiles,
  "bucket/article.md": "# Article\n\nOn slates.\n",
  "inbox/2026-11-01-old/review.md": "# Review: old\n\n## Question\n\nWhich?\n",
};

/** Files by their names, without what the background job writes. */
export type Texts = Readonly<Record<string, string>>;

/** What changed beside new files in inbox and buckets, and beside files that a review named. */
export function outsideTheRules(
  before: Texts,
  after: Texts,
  named: ReadonlySet<string> = new Set(),
): string[] {
  const mayBeNew = (name: string): boolean =>
    /^(?:bucket|projects\/(?:house|boat)\/bucket)\/.|^inbox\/(?!2026-11-01-old\/)[^/]+\/./u.test(
      name,
    );
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => {
    if (before[name] === after[name] || named.has(name)) return false;
    return before[name] !== undefined || !mayBeNew(name);
  });
}
