import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { formatNumber } from "./number-format.ts";

describe("a number format", () => {
  it.each([
    [1599.99, "$#,##0.00", "$1,599.99"],
    [1599.99, '"$"#,##0.00', "$1,599.99"],
    [1234.5, "[$€-407] #,##0.00", "€ 1,234.50"],
    [1234.5, '#,##0.00\\ "€"', "1,234.50 €"],
    [0.666666666666667, "0%", "67%"],
    [0.125, "0.00%", "12.50%"],
    [-3, "#,##0_);(#,##0)", "(3)"],
    [-3, "0.0", "-3.0"],
    [0, '0;-0;"none"', "none"],
    [1234567, "#,##0,", "1,235"],
    [0.5, "#.##", ".5"],
    [7, "000", "007"],
    [12345.678, "0.00E+00", "1.23E+04"],
    [0.75, "# ?/?", "3/4"],
    [1.2, "# ?/?", "1 1/5"],
    [2.99, "# ?/?", "3"],
    [2.71, "# ??/??", "2 49/69"],
    [0.3, "# ?/8", "2/8"],
    [1.5, "?/?", "3/2"],
    [-0.5, "# ?/?", "-1/2"],
    [1, "yyyy-mm-dd", "1900-01-01"],
    [61, "yyyy-mm-dd", "1900-03-01"],
    [3, '0 "kg"', "3 kg"],
    [0.1 + 0.2, "General", "0.3"],
    [45366, "dd/mm/yyyy", "2024-03-15"],
    [45366.75, "yyyy-mm-dd hh:mm", "2024-03-15 18:00"],
    [1.5, "[h]:mm:ss", "36:00:00"],
    [0.75, "h:mm AM/PM", "18:00:00"],
    [5, '"red"', "red"],
  ])("shows %d by %s as %s", (value, code, shown) => {
    expect(formatNumber(value, code, false)).toBe(shown);
  });

  it("never fails, whatever it says", () => {
    fc.assert(
      fc.property(fc.double(), fc.string({ maxLength: 60 }), (value, code) => {
        expect(typeof formatNumber(value, code, false)).toBe("string");
      }),
    );
  });
});
