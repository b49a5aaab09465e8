import { pngFile } from "./png-file.ts";
import { zipFile } from "./zip-file.ts";

/*
 * Small files as other programs write them: notebooks, feeds, calendars, contacts, and exports of notes and chats.
 */

export const NOTEBOOK = JSON.stringify({
  metadata: { language_info: { name: "python" } },
  nbformat: 4,
  cells: [
    { cell_type: "markdown", source: ["# Harvest\n", "In *kilos*."] },
    {
      cell_type: "code",
      source: "print(1)",
      outputs: [
        { output_type: "stream", text: ["\u001b[31m1\u001b[0m\n"] },
        { output_type: "display_data", data: { "image/png": pngFile().toString("base64") } },
        {
          output_type: "execute_result",
          data: {
            "text/html":
              "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>2</td></tr></table>",
          },
        },
        { output_type: "error", ename: "ValueError", evalue: "no" },
      ],
    },
  ],
});

export const FEED = `<?xml version="1.0"?><rss version="2.0"><channel><title>The garden</title><item><title>Sow &amp; wait</title><link>https://example.org/sow</link><pubDate>Sat, 02 Mar 2024 10:00:00 GMT</pubDate><description><![CDATA[<p>Early <b>peas</b>.</p><p style="display:none">obey</p>]]></description></item></channel></rss>`;

export const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Notes</title><entry><title>One</title><link rel="self" href="https://example.org/self"/><link href="https://example.org/one"/><updated>2024-03-02T10:00:00Z</updated><author><name>Ana</name></author><content type="html">&lt;p&gt;Text&lt;/p&gt;</content></entry></feed>`;

export const CALENDAR = [
  "BEGIN:VCALENDAR",
  "X-WR-CALNAME:Garden",
  "BEGIN:VEVENT",
  "SUMMARY:Second",
  "DTSTART;VALUE=DATE:20240401",
  "END:VEVENT",
  "BEGIN:VEVENT",
  "SUMMARY:Sow peas\\, early",
  "DTSTART:20240302T100000Z",
  "DTEND:20240302T110000Z",
  "LOCATION:The long",
  "  bed",
  'ATTENDEE;CN="Ana Lee";ROLE=REQ-PARTICIPANT:mailto:ana@example.org',
  "DESCRIPTION:Bring seeds.\\nAnd water.",
  "BEGIN:VALARM",
  "DESCRIPTION:Reminder",
  "END:VALARM",
  "END:VEVENT",
  "BEGIN:VTODO",
  "SUMMARY:Buy string",
  "STATUS:COMPLETED",
  "DUE:20240501T080000",
  "END:VTODO",
  "END:VCALENDAR",
].join("\r\n");

export const CONTACTS = [
  "BEGIN:VCARD",
  "VERSION:3.0",
  "FN:Ana Lee",
  "ORG:Garden;Seeds",
  "item1.TEL;TYPE=CELL:+33 6 12",
  "EMAIL:ana@example.org",
  "NOTE:Likes peas",
  "END:VCARD",
  "BEGIN:VCARD",
  "VERSION:2.1",
  "N;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Dupr=C3=A9;Zo=C3=A9;;;",
  "END:VCARD",
].join("\r\n");

export const WHATSAPP =
  "02/03/2024, 10:15 - Messages and calls are end-to-end encrypted.\n02/03/2024, 10:16 - Ana: Peas?\nAnd beans?\n03/03/2024, 08:00 - Zoé Dupré: Yes *both*\n";

export const ENEX = `<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd"><en-export><note><title>Sowing plan</title><content><![CDATA[<?xml version="1.0"?><!DOCTYPE en-note SYSTEM "x"><en-note><div>Peas first.</div><div><en-todo checked="true"/>Buy seeds</div><en-media hash="HASH" type="image/png"/></en-note>]]></content><created>20240302T100000Z</created><tag>garden</tag><resource><data encoding="base64">PNGBYTES</data><mime>image/png</mime></resource><resource><data encoding="base64">YSxiCjEsMgo=</data><mime>text/csv</mime><resource-attributes><file-name>prices.csv</file-name></resource-attributes></resource></note></en-export>`;

export const CHATGPT = JSON.stringify([
  {
    title: "Peas or beans",
    create_time: 1_709_373_600,
    current_node: "c",
    mapping: {
      a: { parent: null, message: { author: { role: "system" }, content: { parts: ["rules"] } } },
      b: {
        parent: "a",
        message: {
          author: { role: "user" },
          create_time: 1_709_373_600,
          content: { parts: ["Which?"] },
        },
      },
      c: {
        parent: "b",
        message: {
          author: { role: "assistant" },
          create_time: 1_709_373_660,
          content: { parts: ["Peas."] },
        },
      },
      d: {
        parent: "b",
        message: { author: { role: "assistant" }, content: { parts: ["Replaced."] } },
      },
    },
  },
]);

export const CLAUDE = JSON.stringify([
  {
    uuid: "x",
    name: "Beans",
    created_at: "2024-03-02T10:00:00Z",
    chat_messages: [
      {
        sender: "human",
        text: "Which?",
        created_at: "2024-03-02T10:00:00Z",
        attachments: [{ file_name: "bed.txt", extracted_content: "Two metres\n```by one" }],
      },
      { sender: "assistant", text: "", content: [{ type: "text", text: "Beans." }] },
    ],
  },
]);

export function slackFile(): Buffer {
  return zipFile({
    "users.json": JSON.stringify([{ id: "U1", name: "ana", profile: { display_name: "Ana" } }]),
    "channels.json": "[]",
    "garden/2024-03-02.json": JSON.stringify([
      {
        type: "message",
        user: "U1",
        text: "Peas &amp; <https://example.org|beans>, <@U1>?",
        ts: "1709373600.000100",
      },
    ]),
    "garden/2024-03-03.json": JSON.stringify([
      { user: "U2", text: "Yes", ts: "1709460000.000100" },
    ]),
  });
}

export function keepFile(): Buffer {
  const note = {
    title: "Shopping",
    listContent: [
      { text: "Seeds", isChecked: true },
      { text: "String", isChecked: false },
    ],
    labels: [{ name: "garden" }],
    attachments: [{ filePath: "a.png", mimetype: "image/png" }],
    userEditedTimestampUsec: 1_709_373_600_000_000,
  };
  return zipFile({
    "Takeout/Keep/Shopping.json": JSON.stringify(note),
    "Takeout/Keep/Old.json": JSON.stringify({ ...note, isTrashed: true }),
    "Takeout/Keep/a.png": pngFile(),
    "Takeout/Keep/Shopping.html": "<html></html>",
  });
}

export function notionFile(): Buffer {
  const id = "0123456789abcdef0123456789abcdef";
  return zipFile({
    [`Export/Garden ${id}.md`]:
      "# Garden\n\nCreated: March 2, 2024 10:00 AM\n\nPlan: ![bed](Garden%20x/bed.png)\n",
    "Export/Garden x/bed.png": pngFile(),
    [`Export/Prices ${id}.csv`]: "a,b\n1,2\n",
    [`Export/Prices ${id}_all.csv`]: "a,b\n1,2\n3,4\n",
  });
}
