import { describe } from "vitest";

import { recallScene } from "./recall-scene.ts";
import { RECALL, RECALL_SCRIPTS } from "./recall.ts";
import { checkOn } from "./statement.ts";

const scene = await recallScene(RECALL_SCRIPTS);

describe("the search agent's answer", () => {
  checkOn(RECALL, () => scene);
});
