import { beforeAll, describe } from "vitest";

import { recallScene, type RecallScene } from "./recall-scene.ts";
import { RECALL, RECALL_SCRIPTS } from "./recall.ts";
import { checkOn } from "./statement.ts";

let scene: RecallScene;

beforeAll(async () => {
  scene = await recallScene(RECALL_SCRIPTS);
});

describe("the search agent's answer", () => {
  checkOn(RECALL, () => scene);
});
