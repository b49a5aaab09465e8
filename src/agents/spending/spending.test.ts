import { describe, expect, it } from "vitest";

import { agentHome } from "../../testing/agent-home.ts";
import { refusalOf } from "../../testing/expected-error.ts";
import { houseFiles } from "../../testing/models/house-files.ts";
import { FILE, LOOK, NOTE, REPORT } from "../../testing/models/house-script.ts";
import { temporaryFolder } from "../../testing/temporary-vault.ts";
import { Spending } from "./spending.ts";

let today = "2026-11-16T10:00:00";
const now = (): Date => new Date(today);

describe("what models use up", () => {
  it("is counted by the day, and survives a restart", async () => {
    const state = temporaryFolder();
    today = "2026-11-16T23:59:00";
    const first = new Spending({ state, most: null, now });
    expect(first.today()).toEqual({
      day: "2026-11-16",
      most: null,
      input: 0,
      output: 0,
      cached: 0,
    });
    first.add({ input: 100, output: 10, cached: 50 });
    first.add({ input: 1, output: 1, cached: 0 });
    first.close();
    const again = new Spending({ state, most: 112, now });
    expect(again.today()).toMatchObject({ input: 101, output: 11, cached: 50, most: 112 });
    const refused = await refusalOf(() => again.check());
    expect(refused).toMatchObject({ code: "unavailable" });
    today = "2026-11-17T00:00:00";
    expect(again.today()).toMatchObject({ day: "2026-11-17", input: 0, output: 0 });
    again.check();
    again.close();
  });

  it("is refused before the limit is passed by a second turn, and the note waits, whole", async () => {
    today = "2026-11-16T10:00:00";
    const script = [LOOK, FILE, REPORT];
    const home = await agentHome(houseFiles, script, { now, dailyTokens: 1 });
    const before = home.read("projects/house/state.md");
    const { status, report } = await home.remember(NOTE);
    expect(home.model.requests).toHaveLength(1);
    expect(status).toBe("parked");
    expect(report?.text).toMatch(/^Not filed: /u);
    expect(report?.text).toContain("The models have had their tokens of today: ");
    expect(home.read("projects/house/state.md")).toBe(before);
    expect(home.read(`inbox/${report?.inbox}/original.md`)).toContain(NOTE);
    const spent = (await home.service.status()).spent;
    expect(spent).toMatchObject({ day: "2026-11-16", most: 1 });
    expect((spent?.input ?? 0) + (spent?.output ?? 0)).toBeGreaterThan(0);

    const answer = await home.memory.recall("Who repairs the roof?");
    expect(answer).toMatchObject({ model: null, steps: 0 });
    expect(answer.answer).toContain("The models have had their tokens of today");
    expect(answer.passages.length).toBeGreaterThan(0);
    expect(home.model.requests).toHaveLength(1);

    today = "2026-11-17T10:00:00";
    await home.remember(NOTE);
    expect(home.model.requests).toHaveLength(2);
    expect(home.bugs).toEqual([]);
  });

  it("counts an answer that broke off, too", async () => {
    today = "2026-11-16T10:00:00";
    const script = [{ text: "I look at the vault first.", drops: true }, LOOK, FILE, REPORT];
    const home = await agentHome(houseFiles, script, { now });
    const { report } = await home.remember(NOTE);
    const spent = (await home.service.status()).spent;
    expect(spent?.most).toBeNull();
    expect(spent?.input).toBeGreaterThan(report?.usage.input ?? 0);
  });
});
