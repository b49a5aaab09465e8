import { describe } from "vitest";

import { describeReplacements } from "../testing/suites/replaced-suite.ts";
import { describeSearchIndex } from "../testing/suites/search-index-suite.ts";
import { MemoryIndex } from "./create-index.ts";

describe("an index in memory", () => {
  describeSearchIndex(() => new MemoryIndex());
  describeReplacements(() => new MemoryIndex());
});
