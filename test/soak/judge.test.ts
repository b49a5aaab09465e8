import { describe, expect, it } from "vitest";

import { judge, type TimedSample } from "./judge.ts";

const REST = { heapUsed: 40e6, external: 5e6, rss: 180e6, p99: 20, max: 50 };
const before = { ...REST, descriptors: 40, watches: 12 };

/** A sample every ten seconds, whose memory is `heap` at a minute. */
function samples(minutes: number, heap: (minute: number) => number): TimedSample[] {
  return Array.from({ length: minutes * 6 }, (_, at) => {
    const minute = (at + 1) / 6;
    return { ...before, heapUsed: heap(minute), at: minute * 60_000 };
  });
}

describe("a soak", () => {
  it("accepts memory that grows while caches fill, until the fifth minute", () => {
    const { findings, basis } = judge({
      samples: samples(15, (minute) => 40e6 + Math.min(minute, 4.5) * 10e6),
      before,
      after: before,
      folders: 10,
    });
    expect([basis, findings]).toEqual(["its fifth minute", []]);
  });

  it("reports memory that goes on growing", () => {
    const { findings } = judge({
      samples: samples(15, (minute) => 40e6 + minute * 2e6),
      before,
      after: before,
      folders: 10,
    });
    expect(findings).toEqual([
      expect.stringMatching(/grew by \d+ % over that of its fifth minute/u),
    ]);
  });

  it("compares a short run with its first seconds, and says so", () => {
    const { findings, basis } = judge({
      samples: samples(1, (minute) => 40e6 + minute * 30e6),
      before,
      after: before,
      folders: 10,
    });
    expect(basis).toContain("the run is shorter than six minutes");
    expect(findings).toHaveLength(1);
  });

  it("reports an event loop that waits longer and longer, in a run that is long enough", () => {
    const slower = (minutes: number, delays: (minute: number) => number): readonly string[] => {
      const all = samples(minutes, () => 40e6);
      const late = all.map((each) => ({ ...each, p99: delays(each.at / 60_000) }));
      return judge({ samples: late, before, after: before, folders: 10 }).findings;
    };
    expect(slower(15, (minute) => minute * 40)).toEqual([
      "the event loop waits longer than in its fifth minute: the 99th percentile went from 180 to 580 ms",
    ]);
    // Another program takes the processors for a while; and a delay that nobody feels.
    expect(slower(15, (minute) => (minute > 7 && minute < 9 ? 2000 : 60))).toEqual([]);
    expect(slower(15, (minute) => (minute < 6 ? 12 : 190))).toEqual([]);
    expect(slower(3, (minute) => minute * 400)).toEqual([]);
  });

  it("reports descriptors and watches that are not let go of", () => {
    const after = { ...before, descriptors: 80, watches: 60 };
    const { findings } = judge({ samples: samples(15, () => 40e6), before, after, folders: 10 });
    expect(findings).toEqual([
      "descriptors at rest: 40 before, 80 after",
      "60 inotify watches for 10 folders",
    ]);
  });
});
