import { describe } from "vitest";

import { describeSearchIndex } from "../testing/suites/search-index-suite.ts";
import { MemoryIndex } from "./memory-index.ts";

describe("the index in memory", () => {
  describeSearchIndex(() => new MemoryIndex());
});
