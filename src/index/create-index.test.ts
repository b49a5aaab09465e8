import { describe } from "vitest";

import { describeFilters } from "../testing/suites/filter-suite.ts";
import { describeSpellings } from "../testing/suites/spelling-suite.ts";
import { describeReplacements } from "../testing/suites/replaced-suite.ts";
import { describeSearchIndex } from "../testing/suites/search-index-suite.ts";
import { describeWithoutModel } from "../testing/suites/without-model-suite.ts";
import { MemoryIndex } from "./create-index.ts";

describe("an index in memory", () => {
  describeSearchIndex(() => new MemoryIndex());
  describeFilters(() => new MemoryIndex());
  describeSpellings(() => new MemoryIndex());
  describeWithoutModel(() => new MemoryIndex());
  describeReplacements(() => new MemoryIndex());
});
