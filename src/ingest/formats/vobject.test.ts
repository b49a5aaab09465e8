import { describe, expect, it } from "vitest";

import { convertHere } from "../testing/convert.ts";
import { pngFile } from "../testing/png-file.ts";

function calendar(...events: readonly (readonly string[])[]): string {
  const blocks = events.flatMap((lines) => ["BEGIN:VEVENT", ...lines, "END:VEVENT"]);
  return ["BEGIN:VCALENDAR", "VERSION:2.0", ...blocks, "END:VCALENDAR"].join("\r\n");
}

const NEW_YORK = "TZID=America/New_York";

describe("an entry of a calendar", () => {
  it("says in which time zone it is, once, and who called it", async () => {
    const { markdown } = await convertHere(
      "a.ics",
      calendar([
        "SUMMARY:Call",
        `DTSTART;${NEW_YORK}:20240302T100000`,
        `DTEND;${NEW_YORK}:20240302T110000`,
        'ORGANIZER;CN="Ana Lee":mailto:ana@example.org',
        "ATTENDEE:mailto:zoe@example.org",
      ]),
    );
    expect(markdown).toBe(
      "## Call\n\n- When: 2024-03-02 10:00 – 2024-03-02 11:00 (America/New\\_York)\n- Organiser: Ana Lee\n- Who: zoe@example.org",
    );
  });

  it("says both time zones when it ends in another than it begins", async () => {
    const { markdown } = await convertHere(
      "a.ics",
      calendar([
        "SUMMARY:Flight",
        "DTSTART;TZID=Europe/Paris:20240302T100000",
        `DTEND;${NEW_YORK}:20240302T120000`,
      ]),
    );
    expect(markdown).toContain(
      "2024-03-02 10:00 (Europe/Paris) – 2024-03-02 12:00 (America/New\\_York)",
    );
  });

  it("says when a series is left out, added to and moved", async () => {
    const { markdown } = await convertHere(
      "a.ics",
      calendar(
        [
          "SUMMARY:Choir",
          "DTSTART;VALUE=DATE:20240304",
          "RRULE:FREQ=WEEKLY",
          "EXDATE;VALUE=DATE:20240311,20240318",
          "EXDATE;VALUE=DATE:20240401",
          "RDATE;VALUE=DATE:20240320",
        ],
        ["SUMMARY:Choir", "DTSTART:20240326T180000Z", `RECURRENCE-ID;${NEW_YORK}:20240325T100000`],
      ),
    );
    expect(markdown).toContain("- Except: 2024-03-11, 2024-03-18, 2024-04-01");
    expect(markdown).toContain("- Also: 2024-03-20");
    expect(markdown).toContain("- Instead of: 2024-03-25 10:00 (America/New\\_York)");
    expect(markdown).toContain("- When: 2024-03-26 18:00 UTC");
  });

  it("that is beyond the limit is counted", async () => {
    const many = Array.from({ length: 20_002 }, () => ["SUMMARY:x"]);
    const { notices } = await convertHere("a.ics", calendar(...many));
    // The calendar is a block too.
    expect(notices).toEqual(["Entries were left out: 3. A file of 20,000 is taken in."]);
  });
});

describe("a contact", () => {
  it("keeps its picture, and names one that is not kept", async () => {
    const png = pngFile().toString("base64");
    const card = (photo: string): string =>
      `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ana\r\n${photo}\r\nEND:VCARD`;
    const { markdown, images, notices } = await convertHere(
      "a.vcf",
      [
        card(`PHOTO;ENCODING=b;TYPE=PNG:${png.slice(0, 40)}\r\n ${png.slice(40)}`),
        card(`PHOTO:data:image/png;base64,${png}`),
        card("PHOTO;VALUE=uri:https://example.org/a.png"),
        card("PHOTO;ENCODING=b;TYPE=TIFF:bm8="),
      ].join("\r\n"),
    );
    expect(markdown.match(/!\[\]\(attachment:image-1\.png\)/gu)).toHaveLength(2);
    expect(images).toHaveLength(1);
    expect(notices.join()).toContain("were left out: 1.");
  });
});
