import { rightsSuite } from "../../testing/suites/rights-suite.ts";
import { temporaryVault } from "../../testing/temporary-vault.ts";
import { PersonIndex } from "./person-index.ts";
import { Rights } from "./rights.ts";

rightsSuite(
  async (files) => {
    const vault = temporaryVault(files);
    const version = async (): Promise<string> => JSON.stringify(await vault.scan());
    const rights = new Rights([{ folder: "", role: "viewer" }]);
    return { vault, version, index: new PersonIndex({ vault, seen: vault, rights, version }) };
  },
  [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
);
