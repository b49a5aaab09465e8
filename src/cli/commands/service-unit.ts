import path from "node:path";

import type { Launch } from "../connect/launch.ts";
import { template } from "../system/template.ts";

/** A file that has the system keep the service running, and what puts it in force or takes it out. */
export interface ServiceUnit {
  readonly file: string;
  readonly text: string;
  readonly enable: readonly (readonly string[])[];
  readonly disable: readonly (readonly string[])[];
}

export interface UnitFacts {
  /** What to run: absolute paths. */
  readonly launch: Launch;
  /** Readable, and different for every vault. */
  readonly id: string;
  readonly vault: string;
  readonly home: string;
  /** `$XDG_CONFIG_HOME`, when it is set. */
  readonly configHome: string | undefined;
}

/** For systemd, as a service of this user. */
export function systemdUnit({ launch, id, vault, home, configHome }: UnitFacts): ServiceUnit {
  const name = `coffre-${id}.service`;
  const file = path.posix.join(
    configHome ?? path.posix.join(home, ".config"),
    "systemd",
    "user",
    name,
  );
  const text = template("service/systemd.service", {
    description: systemdText(vault),
    command: [launch.command, ...launch.args].map(systemdWord).join(" "),
  });
  return {
    file,
    text,
    enable: [
      ["systemctl", "--user", "daemon-reload"],
      ["systemctl", "--user", "enable", "--now", name],
    ],
    disable: [["systemctl", "--user", "disable", "--now", name]],
  };
}

/** `%` and `$` mean something to systemd, also inside quotes. */
function systemdWord(word: string): string {
  const escaped = word.replaceAll(/["\\]/gu, "\\$&").replaceAll("$", "$$$$");
  return `"${systemdText(escaped)}"`;
}

function systemdText(text: string): string {
  return text.replaceAll("%", "%%");
}

/** For launchd, as an agent of this user. */
export function launchdUnit({ launch, id, home }: UnitFacts): ServiceUnit {
  const label = `coffre.${id}`;
  const file = path.posix.join(home, "Library", "LaunchAgents", `${label}.plist`);
  const words = [launch.command, ...launch.args];
  const text = template("service/launchd.plist", {
    label: xmlText(label),
    arguments: words.map((word) => `    <string>${xmlText(word)}</string>`).join("\n"),
  });
  return {
    file,
    text,
    enable: [["launchctl", "load", "-w", file]],
    disable: [["launchctl", "unload", "-w", file]],
  };
}

function xmlText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
