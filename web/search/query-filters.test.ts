import { describe, expect, it } from "vitest";

import { splitQuery, withFilter, withoutFilter, withoutFilters } from "./query-filters.ts";

describe("the filters of a query", () => {
  it("are found, and days are taken out of what is searched for", () => {
    const query = 'oak tag:tree -path:"old things" since:2026-01-02 at 10:30 https://x.org';
    const { search, filters, since, until, isEmpty } = splitQuery(query);
    expect(search).toBe('oak tag:tree -path:"old things"  at 10:30 https://x.org');
    expect(filters.map(({ key, value }) => [key, value])).toEqual([
      ["tag", "tree"],
      ["path", "old things"],
      ["since", "2026-01-02"],
    ]);
    expect([since, until, isEmpty]).toEqual(["2026-01-02", null, false]);
    expect(withoutFilters("oak tag:tree 10:30").trim()).toBe("oak   10:30");
    expect(splitQuery('oak "due date":2026-05-01 "a phrase"').filters).toEqual([
      { text: '"due date":2026-05-01', at: 4, key: "due date", value: "2026-05-01" },
    ]);
  });

  it("are added and taken away", () => {
    expect(withFilter("oak", "tag", "old tree")).toBe('oak tag:"old tree"');
    const dated = withFilter(withFilter("oak", "since", "2026-01-01"), "since", "2026-02-01");
    expect(dated).toBe("oak since:2026-02-01");
    const twice = "since:2026-01-01 oak since:2026-01-02";
    expect(withFilter(` ${twice}`, "since", "2026-02-01")).toBe("oak since:2026-02-01");
    const [filter] = splitQuery("oak tag:a elm").filters;
    expect(filter === undefined ? "" : withoutFilter("oak tag:a elm", filter)).toBe("oak elm");
  });

  it.each([
    ["-tag:x tag:x", 1, "-tag:x"],
    ["-tag:x tag:x", 0, "tag:x"],
    ["tag:oaks tag:oak", 1, "tag:oaks"],
    ["tag:oak tag:oak", 1, "tag:oak"],
  ])("of %j: without number %i it is %j", (query, number, rest) => {
    const filter = splitQuery(query).filters[number];
    expect(filter && withoutFilter(query, filter)).toBe(rest);
  });

  it.each([
    ["", true],
    ["  -  ", true],
    ["tag:x", false],
    ["since:2026-01-01", false],
  ])("of %j: there is nothing to look for: %j", (query, isEmpty) => {
    expect(splitQuery(query).isEmpty).toBe(isEmpty);
  });
});
