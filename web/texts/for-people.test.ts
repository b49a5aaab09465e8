import { expect, it } from "vitest";

import { forPeople } from "./for-people.ts";

it.each([
  ['vault/x.md does not exist. Look with tree("vault/").', "vault/x.md does not exist."],
  [
    "vault/a.bin is not text (image/png). Its bytes are at /api/raw?path=vault%2Fa.bin.",
    "vault/a.bin is not text (image/png).",
  ],
  [
    "The frontmatter of vault/x.md cannot be changed key by key: it is not valid YAML. Nothing was changed. Use old_content.",
    "The frontmatter of vault/x.md cannot be changed key by key: it is not valid YAML. Nothing was changed.",
  ],
  [
    "vault/x.md does not exist. Did you mean vault/y.md?",
    "vault/x.md does not exist. Did you mean vault/y.md?",
  ],
])("%s", (said, shown) => {
  expect(forPeople(said)).toBe(shown);
});
