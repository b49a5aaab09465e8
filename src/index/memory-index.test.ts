import { describe } from "vitest";

import { describeSearchIndex } from "../testing/search-index-suite.ts";
import { MemoryIndex } from "./memory-index.ts";

describe("the index in memory", () => {
  describeSearchIndex(() => new MemoryIndex());
});
