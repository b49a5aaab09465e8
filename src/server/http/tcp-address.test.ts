import { hostname } from "node:os";

import { describe, expect, it } from "vitest";

import { addressUrl, isReachedAs } from "./tcp-address.ts";

describe("the address of a server", () => {
  it.each([
    ["127.0.0.1", 4117, "http://127.0.0.1:4117"],
    ["0.0.0.0", 4117, "http://127.0.0.1:4117"],
    ["::", 4117, "http://[::1]:4117"],
    ["::1", 80, "http://[::1]"],
    ["notes.lan", 80, "http://notes.lan"],
  ])("on %s, port %i is %s", (host, port, url) => {
    expect(addressUrl({ host, port })).toBe(url);
  });

  it("is its host with its port, or this machine's own names", () => {
    const at = { host: "notes.lan", port: 8080 };
    for (const name of ["notes.lan:8080", "Notes.LAN:8080", "localhost:8080", "[::1]:8080"]) {
      expect(isReachedAs(name, at)).toBe(true);
    }
    for (const name of ["notes.lan", "other.lan:8080", "192.168.1.2:8080", `${hostname()}:8080`]) {
      expect(isReachedAs(name, at)).toBe(false);
    }
  });

  it("is any number when it listens on all, but no name that anybody can make lead here", () => {
    const at = { host: "0.0.0.0", port: 8080 };
    for (const name of ["192.168.1.2:8080", "[fe80::1]:8080", `${hostname()}:8080`]) {
      expect(isReachedAs(name, at)).toBe(true);
    }
    for (const name of ["evil.example:8080", "192.168.1.2", "192.168.1.2:80", "[evil]:8080", ""]) {
      expect(isReachedAs(name, at)).toBe(false);
    }
  });

  it("has no port in a browser's words when that is 80", () => {
    expect(isReachedAs("localhost", { host: "127.0.0.1", port: 80 })).toBe(true);
    expect(isReachedAs("10.0.0.7", { host: "::", port: 80 })).toBe(true);
    expect(isReachedAs("evil.example", { host: "::", port: 80 })).toBe(false);
  });
});
