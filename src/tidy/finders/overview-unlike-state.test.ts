import { expect, it } from "vitest";

import { look, titlesOf } from "../testing/look.ts";
import { overviewUnlikeState } from "./overview-unlike-state.ts";

const overview = (projects: string): string =>
  `# Overview\n\n## Right now\n\nThe sail loft takes the time, 99 days of it.\n\n## Projects\n\n${projects}\n## Inbox\n\nNothing waits.\n`;
const state =
  "## Status\n\nPaused. Nothing before spring.\n\n## Sales\n\n31 of 48 places, opening on 2026-12-20.\n";

it("adds projects that the map does not name, in their own words", async () => {
  const files = {
    "overview.md": overview("- **other** (active): x.\n"),
    "projects/other/state.md": "## Status\n\nActive.\n",
    "projects/sail-loft2/state.md": state,
    "projects/sail-loft2/description.md": "# Loft\n\nA second pottery studio. Much more.\n",
    "projects/no-pages/bucket/x.md": "x",
  };
  const { find, apply, read } = look(files, overviewUnlikeState.find);
  await apply(await find());
  expect(read("overview.md")).toContain(
    "- **other** (active): x.\n- **sail-loft2** (paused): A second pottery studio. See [[projects/sail-loft2/state]].\n",
  );
  expect(await find()).toEqual([]);
});

it("does so in French", async () => {
  const files = {
    "overview.md":
      "# Vue\n\n## Projets\n\nUne ligne pour chaque dossier, avec ce dont il s'agit.\n",
    "projects/voilerie/state.md": "## Statut\n\nEn préparation. Pas avant mars.\n",
  };
  const { find, apply, read } = look(files, overviewUnlikeState.find);
  await apply(await find());
  expect(read("overview.md")).toContain(
    "- **voilerie** (en préparation) : En préparation. Voir [[projects/voilerie/state]].\n",
  );
});

it("takes the status from the state page", async () => {
  const files = {
    "overview.md": overview(
      "- **sail-loft** (active): a studio. See [[projects/sail-loft/state]].\n",
    ),
    "projects/sail-loft/state.md": state,
  };
  const { find, apply, read } = look(files, overviewUnlikeState.find);
  await apply(await find());
  expect(read("overview.md")).toContain("- **sail-loft** (paused): a studio.");
  expect(await find()).toEqual([]);
});

it("names figures and days that the project's own pages do not have, and projects that are gone", async () => {
  const files = {
    "overview.md": overview(
      "- **sail-loft** (paused): 33 of 48 places sold,\n  opening on 2026-12-06, with 3 tables.\n- **old**: see [[projects/old/state]].\n",
    ),
    "projects/sail-loft/state.md": state,
  };
  const found = await look(files, overviewUnlikeState.find).find();
  expect(found.map(({ title, line, changes }) => [title.en, line, changes])).toEqual([
    [
      "vault/overview.md says 33, 2026-12-06 of sail-loft, which vault/projects/sail-loft/state.md does not say",
      9,
      [],
    ],
    ["vault/overview.md speaks of projects/old/, which is not there", 11, []],
  ]);
});

it.each([
  [
    "an overview without such a section",
    { "overview.md": "# Home\n\nx\n", "projects/a/state.md": state },
  ],
  ["no overview", { "projects/a/state.md": state }],
  [
    "a vault with another structure",
    { "overview.md": overview("- **x** (y): 99 of [[projects/x/state]].\n"), "Areas/a.md": "" },
  ],
])("finds nothing in %s", async (_, files) => {
  expect(await titlesOf(files, overviewUnlikeState)).toEqual([]);
});
