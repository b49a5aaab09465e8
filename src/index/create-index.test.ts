import { describe } from "vitest";

import { describeSearchIndex } from "../testing/suites/search-index-suite.ts";
import { MemoryIndex } from "./create-index.ts";

describe("an index in memory", () => {
  describeSearchIndex(() => new MemoryIndex());
});
