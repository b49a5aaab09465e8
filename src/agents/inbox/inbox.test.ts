import { describe, expect, it } from "vitest";

import { refusalOf } from "../../testing/expected-error.ts";
import { temporaryVault } from "../../testing/temporary-vault.ts";
import { countInbox, inboxItem, inboxItems } from "./inbox.ts";

const files = {
  "inbox/2026-01-02-b/original.md": "text\n",
  "inbox/2026-01-01-a/review.md":
    "---\ntokens: 3\n---\n\n# Revue : le four\n\n## Ce que j'ai trouvé\n\nRien.\n\n## Question\n\nOù le ranger ?\nVraiment ?\n\n## Autre\n\nx\n",
  "inbox/2026-01-01-a/photos/four.png": "x",
  "inbox/loose.md": "not an item\n",
};

describe("the inbox", () => {
  it("lists its folders, the oldest first, with the question of each", async () => {
    const vault = temporaryVault(files);
    expect(await countInbox(vault)).toBe(2);
    expect(await inboxItems(vault)).toEqual([
      {
        ref: "2026-01-01-a",
        path: "vault/inbox/2026-01-01-a/",
        title: "le four",
        question: "Où le ranger ?\nVraiment ?",
        originals: ["vault/inbox/2026-01-01-a/photos/four.png"],
      },
      {
        ref: "2026-01-02-b",
        path: "vault/inbox/2026-01-02-b/",
        title: "2026-01-02-b",
        question: null,
        originals: ["vault/inbox/2026-01-02-b/original.md"],
      },
    ]);
  });

  it.each(["2026-01-01-a", "inbox/2026-01-01-a", "vault/inbox/2026-01-01-a/", "2026-01-01-a/"])(
    "finds an item by %s",
    async (given) => {
      const { ref, review } = await inboxItem(temporaryVault(files), given);
      expect(ref).toBe("2026-01-01-a");
      expect(review).toMatch(/^# Revue : le four\n/u);
    },
  );

  it("names the items there are when it does not find one", async () => {
    const vault = temporaryVault(files);
    const refusal = await refusalOf(() => inboxItem(vault, "../projects"));
    expect(refusal?.code).toBe("outside_vault");
    const missing = await refusalOf(() => inboxItem(vault, "2026"));
    expect(missing?.message).toBe(
      'There is no inbox item "2026". There are: 2026-01-01-a, 2026-01-02-b.',
    );
  });

  it("is empty in a vault without one", async () => {
    expect(await inboxItems(temporaryVault())).toEqual([]);
  });
});
