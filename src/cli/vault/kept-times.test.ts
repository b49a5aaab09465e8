import { appendFileSync, utimesSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { createService } from "../../compose.ts";
import { temporaryPlace } from "../testing/cli.ts";

const PAST = new Date(2024, 4, 5, 6, 7, 8);

describe("looking without a service", () => {
  it("shows of a note that was only touched when its text last changed, in tree and search", async () => {
    const { root, state, json, run } = temporaryPlace({ "a.md": "pompe\n", "b.md": "turbine\n" });
    for (const name of ["a.md", "b.md"]) utimesSync(path.join(root, name), PAST, PAST);
    // Before a service has seen it, the disk's time is all there is.
    expect(await json(["tree", "a.md"])).toMatchObject({ changed: "2024-05-05T06:07:08" });
    const service = await createService({ root, state });
    await service.settled();
    await service.close();
    const later = new Date(2025, 0, 2, 3, 4, 5);
    utimesSync(path.join(root, "a.md"), later, later);
    appendFileSync(path.join(root, "b.md"), "et une vanne\n");
    utimesSync(path.join(root, "b.md"), later, later);
    expect(await json(["tree"])).toMatchObject({
      children: [{ changed: "2024-05-05T06:07:08" }, { changed: "2025-01-02T03:04:05" }],
    });
    expect(
      (await run(["search", "pompe", "--from", "2024-05-01", "--to", "2024-05-31"])).stdout,
    ).toContain("vault/a.md");
    expect(
      (await run(["search", "vanne", "--from", "2025-01-01", "--to", "2025-01-31"])).stdout,
    ).toContain("vault/b.md");
    expect((await run(["search", "pompe", "--from", "2025-01-01"])).stdout).not.toContain(
      "vault/a.md",
    );
  });

  it("shows the same time as the service did of a note whose own `updated` did not move with its text", async () => {
    const own = "---\nupdated: 2020-03-04\n---\n\npompe\n";
    const { root, state, json } = temporaryPlace({ "own.md": own, "other.md": own });
    const at = (name: string): string => path.join(root, name);
    for (const name of ["own.md", "other.md"]) utimesSync(at(name), PAST, PAST);
    const service = await createService({ root, state });
    await service.settled();
    appendFileSync(at("own.md"), "et une vanne\n");
    utimesSync(at("own.md"), PAST, PAST);
    await service.rescan();
    await service.settled();
    const times = {
      children: [{ changed: "2020-03-04T00:00:00" }, { changed: "2024-05-05T06:07:08" }],
    };
    const files = await Promise.all(
      ["own.md", "other.md"].map((file) => service.vault.shape(file)),
    );
    expect(files).toMatchObject(times.children.toReversed().map((facts) => ({ facts })));
    await service.close();
    expect(await json(["tree"])).toMatchObject(times);
    // Touched, it keeps it, as it does at the next start of the service.
    const later = new Date(2025, 0, 2, 3, 4, 5);
    utimesSync(at("own.md"), later, later);
    expect(await json(["tree"])).toMatchObject(times);
    const next = await createService({ root, state });
    await next.settled();
    expect(await next.vault.shape("own.md")).toMatchObject({ facts: times.children[1] });
    await next.close();
  });
});
