import { expect, it } from "vitest";

import { launchdUnit, systemdUnit, type UnitFacts } from "./service-unit.ts";

const FACTS: UnitFacts = {
  launch: {
    command: "/opt/node/bin/node",
    args: ["/usr/lib/coffre/main.js", "serve", "--vault", '/home/zoé/my "notes" & 100% $HOME'],
  },
  id: "notes-1a2b3c4d",
  vault: "/home/zoé/notes 100%",
  home: "/home/zoé",
  configHome: undefined,
};

it("quotes what systemd would take for something else", () => {
  const { file, text, enable, disable } = systemdUnit(FACTS);
  expect(file).toBe("/home/zoé/.config/systemd/user/coffre-notes-1a2b3c4d.service");
  expect(text).toContain("Description=coffre: /home/zoé/notes 100%%\n");
  expect(text).toContain(
    String.raw`ExecStart="/opt/node/bin/node" "/usr/lib/coffre/main.js" "serve" "--vault" "/home/zoé/my \"notes\" & 100%% $$HOME"`,
  );
  expect(text).toContain("Restart=on-failure");
  expect(enable.at(-1)).toContain("coffre-notes-1a2b3c4d.service");
  expect(disable.at(-1)).toContain("coffre-notes-1a2b3c4d.service");
});

it("goes where this user keeps units", () => {
  const { file } = systemdUnit({ ...FACTS, configHome: "/home/zoé/conf" });
  expect(file).toBe("/home/zoé/conf/systemd/user/coffre-notes-1a2b3c4d.service");
});

it("quotes what XML would take for something else", () => {
  const { file, text } = launchdUnit(FACTS);
  expect(file).toBe("/home/zoé/Library/LaunchAgents/coffre.notes-1a2b3c4d.plist");
  expect(text).toContain('<string>/home/zoé/my "notes" &amp; 100% $HOME</string>');
  expect(text).toContain("<key>RunAtLoad</key>\n  <true/>");
});
