import { expect, it } from "vitest";

import type { Ledger } from "../../tools/session.ts";
import type { FileVersion } from "../../vault/files/version.ts";

function version(text: string): FileVersion {
  return { signature: `signature of ${text}`, hash: text };
}

/**
 * What any ledger of what a caller has read must do.
 * @param open a ledger in which nothing is yet
 */
export function describeLedger(open: () => Promise<Ledger>): void {
  it("tells a file that was never read from one that is current, and one that changed", async () => {
    const ledger = await open();
    expect(await ledger.state("a.md", version("1"))).toBe("never");
    await ledger.saw("a.md", version("1"));
    expect(await ledger.state("a.md", version("1"))).toBe("current");
    expect(await ledger.state("a.md", version("2"))).toBe("changed");
    expect(await ledger.state("b.md", version("1"))).toBe("never");
    await ledger.saw("a.md", version("2"));
    expect(await ledger.state("a.md", version("2"))).toBe("current");
  });

  it("compares files without a hash by their signature, or by the one they had before they were stamped", async () => {
    const ledger = await open();
    await ledger.saw("large.md", { signature: "s1", hash: null });
    expect(await ledger.state("large.md", { signature: "s1", hash: null })).toBe("current");
    expect(await ledger.state("large.md", { signature: "s2", hash: null })).toBe("changed");
    const stamped = { signature: "s3", hash: null, origin: "s1" };
    expect(await ledger.state("large.md", stamped)).toBe("current");
    await ledger.saw("large.md", stamped);
    expect(await ledger.state("large.md", { signature: "s1", hash: null })).toBe("current");
  });

  it("knows what the caller wrote itself, if it had read what was there", async () => {
    const ledger = await open();
    await ledger.wrote("a.md", version("1"), version("2"));
    expect(await ledger.state("a.md", version("2"))).toBe("never");
    await ledger.saw("a.md", version("2"));
    await ledger.wrote("a.md", version("2"), version("3"));
    expect(await ledger.state("a.md", version("3"))).toBe("current");
    await ledger.wrote("a.md", version("somebody else's"), version("5"));
    expect(await ledger.state("a.md", version("5"))).toBe("changed");
  });

  it("follows a file, and all files of a folder, that are moved", async () => {
    const ledger = await open();
    for (const path of ["d/a.md", "d/é/b.md", "dd/c.md", "e/a.md"])
      await ledger.saw(path, version(path));
    await ledger.moved("d", "e");
    expect(await ledger.state("e/a.md", version("d/a.md"))).toBe("current");
    expect(await ledger.state("e/é/b.md", version("d/é/b.md"))).toBe("current");
    expect(await ledger.state("dd/c.md", version("dd/c.md"))).toBe("current");
    expect(await ledger.state("d/a.md", version("d/a.md"))).toBe("never");
    await ledger.moved("e/a.md", "x.md");
    expect(await ledger.state("x.md", version("d/a.md"))).toBe("current");
  });
}
