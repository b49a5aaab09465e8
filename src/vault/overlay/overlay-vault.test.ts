import { describeOverlays } from "../../testing/suites/overlay-suite.ts";
import { temporaryFolder, temporaryVault } from "../../testing/temporary-vault.ts";
import { DiskOverlays } from "./disk-overlays.ts";

const now = (): Date => new Date(2026, 10, 18);

describeOverlays({
  make: async (files) => {
    const base = temporaryVault(files);
    return { base, overlays: new DiskOverlays({ base, folder: temporaryFolder(), now }) };
  },
  runs: 60,
});
