import { describe, expect, it } from "vitest";

import { baseOf, stemOf } from "../convert/converted.ts";
import { datedName } from "./filing.ts";

const NOW = new Date(2026, 2, 14);

describe("the name of a note", () => {
  it("begins with the day it came, unless it has one", () => {
    expect(datedName("Devis", NOW)).toBe("2026-03-14-devis");
    expect(datedName("2025-12-01 Devis", NOW)).toBe("2025-12-01-devis");
  });

  it("comes from the last part of a path, of either kind, without its extension", () => {
    expect(stemOf("dossier/Devis.v2.pdf")).toBe("Devis.v2");
    expect(baseOf(String.raw`C:\Bureau\Devis.pdf`)).toBe("Devis.pdf");
    expect(stemOf(".profile")).toBe(".profile");
  });
});
