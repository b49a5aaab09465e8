import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";

import { english } from "../../src/texts/page/english.ts";
import { englishTeam as texts } from "../../src/texts/page/english-team.ts";
import { SCOPES } from "../../src/team/rights/rights.ts";
import { newWindow, useChromium } from "./chromium.ts";
import { useLoginProvider } from "./login-provider.ts";
import { useTeamService } from "./team-service.ts";
import { violationsIn } from "./violations.ts";

useChromium();
const provider = await useLoginProvider();
const service = useTeamService({
  COFFRE_OIDC_ISSUER: provider.issuer,
  COFFRE_OIDC_CLIENT_ID: "coffre",
  COFFRE_OIDC_CLIENT_SECRET: "p:w d",
});

const FILES = {
  "roof.md": "# Roof\n\nTiles are red.\n\n- [ ] Count the tiles\n\nSee the [[gutter]].\n",
  "hr/pay.md": "# Pay\n\nNobody is paid enough.\n",
  "plans/loft.md": "# Loft\n\nThe floor comes first.\n",
};

function panel(page: Page): ReturnType<Page["getByRole"]> {
  return page.getByRole("region", { name: texts.settings.you, exact: true });
}

describe("coming in", () => {
  it("somebody who was added by their address logs in with the provider, sees their vaults only, and logs out", async () => {
    const vault = await service.vault(FILES);
    const other = await service.vault(FILES);
    await vault.member("Ada Lovelace", { "": "owner" });
    await vault.member("Lena Login", { "": "editor" });
    provider.account = { sub: "lena", name: "Lena", email: "lena@example.com" };
    const { page, complaints } = await newWindow();
    await page.goto(`${vault.address}/file/vault/roof.md`);
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole("link", { name: "Log in with your account" }).click();
    await page.getByText("Tiles are red.").waitFor();
    expect(page.url()).toBe(`${vault.address}/file/vault/roof.md`);
    await panel(page).getByText("Lena Login").waitFor();
    await panel(page).getByRole("link", { name: texts.allVaults }).click();
    await page.getByRole("link", { name: vault.name }).waitFor();
    expect(await page.getByRole("link", { name: other.name }).count()).toBe(0);
    expect(await page.locator("main").textContent()).toContain("Lena Login");
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole("link", { name: vault.name }).click();
    await panel(page).getByRole("button", { name: texts.logOut }).click();
    await page.getByRole("link", { name: "Log in with your account" }).waitFor();
    expect((await page.request.get(`${vault.address}/api/me`)).status()).toBe(401);
    expect(await page.evaluate("sessionStorage.length")).toBe(0);
    await page.getByRole("link", { name: "Log in with your account" }).click();
    await page.getByRole("button", { name: texts.logOut }).click();
    await page.getByRole("link", { name: "Log in with your account" }).waitFor();
    expect((await page.request.get(`${vault.address}/api/me`)).status()).toBe(401);
    expect(complaints.filter((text) => !/40[14]/u.test(text))).toEqual([]);
  });

  it("an owner invites somebody, who comes in by the link once, under the name that they give", async () => {
    const vault = await service.vault(FILES);
    const owner = await vault.member("Ada Lovelace", { "": "owner" });
    const { page } = await vault.open(owner, "/settings/people");
    await page.getByLabel(texts.invitations.role, { exact: true }).selectOption("editor");
    await page.getByRole("button", { name: texts.invitations.make }).click();
    const link = await page.getByLabel(texts.invitations.made).inputValue();
    await page.getByText(texts.invitations.anybody).waitFor();
    const guest = await newWindow();
    await guest.page.goto(link);
    expect(await violationsIn(guest.page)).toEqual([]);
    await guest.page.getByLabel("Your name, as the others will see it").fill("Bo Diddley");
    await guest.page.getByRole("button", { name: "Come in" }).click();
    await panel(guest.page).getByText("Bo Diddley").waitFor();
    expect(guest.page.url()).toBe(`${vault.address}/`);
    const again = await newWindow();
    await again.page.goto(link);
    await again.page.getByText("This invitation is not valid, or not any more.").waitFor();
    await page.reload();
    await page.getByLabel(texts.people.roleOf("Bo Diddley")).waitFor();
    expect(await page.getByLabel(texts.people.roleOf("Bo Diddley")).inputValue()).toBe("editor");
    await page.getByText(texts.invitations.empty).waitFor();
  });

  it("an invitation that was taken back lets nobody in", async () => {
    const vault = await service.vault(FILES);
    const owner = await vault.member("Ada Lovelace", { "": "owner" });
    const { page } = await vault.open(owner, "/settings/people");
    await page.getByLabel(texts.invitations.email).fill("cyd@example.com");
    await page.getByRole("button", { name: texts.invitations.make }).click();
    const link = await page.getByLabel(texts.invitations.made).inputValue();
    await page
      .getByRole("button", { name: `${texts.invitations.revoke}: cyd@example.com` })
      .click();
    await page
      .getByRole("button", { name: `${texts.invitations.revokeNow}: cyd@example.com` })
      .click();
    await page.getByText(texts.invitations.empty).waitFor();
    const guest = await newWindow();
    expect((await guest.page.goto(link))?.status()).toBe(404);
    await guest.page.getByText("This invitation is not valid, or not any more.").waitFor();
  });
});

describe("the settings", () => {
  it("an owner gives roles for the vault and for a folder, and takes them away", async () => {
    const vault = await service.vault(FILES);
    const owner = await vault.member("Ada Lovelace", { "": "owner" });
    const bo = await vault.member("Bo Diddley", { "": "viewer" });
    const { page, complaints } = await vault.open(owner, "/settings/people");
    const rights = async (): Promise<readonly string[]> =>
      (await service.team.grants.list({ person: bo.id, vault: vault.id })).map(
        ({ folder, role }) => `${folder} ${role}`,
      );
    await page.getByLabel(texts.people.roleOf("Bo Diddley")).selectOption("editor");
    await expect.poll(rights).toEqual([" editor"]);
    const row = page.getByRole("listitem").filter({ hasText: "Bo Diddley" }).first();
    await row.getByRole("button", { name: texts.people.addFolder }).click();
    await row.getByLabel(texts.people.folder, { exact: true }).fill("vault/hr/");
    await row.getByLabel(texts.people.role, { exact: true }).selectOption("none");
    await row.getByRole("button", { name: texts.people.add, exact: true }).click();
    await expect.poll(rights).toEqual([" editor", "hr none"]);
    expect(await page.getByText(texts.people.missing("vault/hr/")).count()).toBe(0);
    await row.getByLabel(texts.people.roleIn("Bo Diddley", "vault/hr/")).selectOption("viewer");
    await expect.poll(rights).toEqual([" editor", "hr viewer"]);
    expect(await violationsIn(page)).toEqual([]);
    await row.getByRole("button", { name: texts.people.drop("vault/hr/") }).click();
    await expect.poll(rights).toEqual([" editor"]);
    await row.getByRole("button", { name: texts.people.addFolder }).click();
    await row.getByLabel(texts.people.folder, { exact: true }).fill("vault/hrr/");
    await row.getByRole("button", { name: texts.people.add, exact: true }).click();
    await page.getByText(texts.people.missing("vault/hrr/")).waitFor();
    await row.getByRole("button", { name: texts.people.drop("vault/hrr/") }).click();
    await expect.poll(rights).toEqual([" editor"]);
    await row.getByRole("button", { name: `${texts.people.remove}: Bo Diddley` }).click();
    await row.getByRole("button", { name: `${texts.people.removeNow}: Bo Diddley` }).click();
    await expect.poll(rights).toEqual([]);
    await expect.poll(async () => page.getByText("Bo Diddley").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("says why the last owner stays one", async () => {
    const vault = await service.vault(FILES);
    const owner = await vault.member("Ada Lovelace", { "": "owner" });
    const { page } = await vault.open(owner, "/settings/people");
    await page.getByLabel(texts.people.roleOf("Ada Lovelace")).selectOption("viewer");
    await page.getByText("The vault would have no owner.").waitFor();
    expect(await page.getByLabel(texts.people.roleOf("Ada Lovelace")).inputValue()).toBe("owner");
  });

  it("a token is shown once, opens what it is for, and nothing once it is revoked", async () => {
    const vault = await service.vault(FILES);
    await vault.member("Ada Lovelace", { "": "owner" });
    const bo = await vault.member("Bo Diddley", { "": "viewer" });
    const { page } = await vault.open(bo, "/settings");
    await page.getByRole("button", { name: texts.tokens.make }).click();
    await page.getByLabel(texts.tokens.name).fill("laptop");
    await page.getByLabel(texts.tokens.folder).fill("vault/plans/");
    await page.getByRole("button", { name: texts.tokens.create }).click();
    const token = await page.getByLabel(texts.tokens.made).inputValue();
    const ask = async (path: string): Promise<number> => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${vault.address}/api/raw?path=${path}`, { headers })).status;
    };
    expect(await ask("vault/plans/loft.md")).toBe(200);
    expect(await ask("vault/roof.md")).toBe(404);
    const address = await page.getByLabel(texts.tokens.address, { exact: true }).inputValue();
    expect(address).toBe(`${vault.address}/mcp/search`);
    expect(await page.getByLabel(texts.tokens.line, { exact: true }).inputValue()).toBe(
      `claude mcp add --transport http ${vault.name} ${address} --header "Authorization: Bearer ${token}"`,
    );
    await page.getByText(texts.tokens.unused).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await page.reload();
    await page.getByText("laptop").waitFor();
    expect(await page.locator("body").textContent()).not.toContain(token);
    await page.getByRole("button", { name: `${texts.tokens.revoke}: laptop` }).click();
    await page.getByRole("button", { name: `${texts.tokens.revokeNow}: laptop` }).click();
    await page.getByText(texts.tokens.empty).waitFor();
    expect(await ask("vault/plans/loft.md")).toBe(401);
  });

  it("somebody logs in on another device by a link of their own, and logs out everywhere", async () => {
    const vault = await service.vault(FILES);
    await vault.member("Ada Lovelace", { "": "owner" });
    const bo = await vault.member("Bo Diddley", { "": "viewer" });
    const { page } = await vault.open(bo, "/settings");
    await page.getByRole("button", { name: texts.devices.make }).click();
    const link = await page.getByLabel(texts.devices.made).inputValue();
    expect(await violationsIn(page)).toEqual([]);
    const phone = await newWindow();
    await phone.page.goto(link);
    expect(await violationsIn(phone.page)).toEqual([]);
    await phone.page.getByRole("button", { name: "Come in" }).click();
    await phone.page.getByRole("link", { name: vault.name }).click();
    await panel(phone.page).getByText("Bo Diddley").waitFor();
    await page.getByRole("button", { name: `${texts.devices.everywhere}: ` }).click();
    await page.getByRole("button", { name: `${texts.devices.everywhereNow}: ` }).click();
    await page.getByRole("link", { name: "Log in with your account" }).waitFor();
    expect((await phone.page.request.get(`${vault.address}/api/me`)).status()).toBe(401);
  });

  it("an owner sees what was done and by whom, of one person too, and takes it away as a file", async () => {
    const vault = await service.vault(FILES);
    const owner = await vault.member("Ada Lovelace", { "": "owner" });
    const bo = await vault.member("Bo Diddley", { "": "editor" });
    const guest = await vault.open(bo, "/file/vault/roof.md");
    await guest.page.getByRole("button", { name: english.write.edit }).waitFor();
    await guest.page.getByRole("checkbox", { name: english.note.taskOpen }).click();
    await guest.page.getByRole("checkbox", { name: english.note.taskDone }).waitFor();
    const { page } = await vault.open(owner, "/settings/log");
    await page.getByLabel(texts.log.person).selectOption("Bo Diddley");
    const lines = page.getByRole("main").getByRole("listitem");
    await lines.filter({ hasText: "vault/roof.md" }).first().waitFor();
    expect(await lines.filter({ hasText: "Ada Lovelace" }).count()).toBe(0);
    await lines.filter({ hasText: "GET /api/" }).first().waitFor();
    await page.getByLabel(texts.log.changes).check();
    await expect.poll(async () => lines.filter({ hasText: "GET /api/" }).count()).toBe(0);
    await lines.filter({ hasText: "vault/roof.md" }).first().waitFor();
    expect(await lines.filter({ hasText: "GET /api/" }).count()).toBe(0);
    expect(await violationsIn(page)).toEqual([]);
    const started = page.waitForEvent("download");
    await page.getByRole("link", { name: "CSV" }).click();
    expect((await started).suggestedFilename()).toBe(`${vault.name}-audit.csv`);
  });

  it("is about themselves for everybody else", async () => {
    const vault = await service.vault(FILES);
    await vault.member("Ada Lovelace", { "": "owner" });
    const bo = await vault.member("Bo Diddley", { "": "viewer", plans: "editor" });
    const { page } = await vault.open(bo, "/settings");
    await page.getByRole("heading", { name: texts.tokens.title }).waitFor();
    await page.getByRole("region", { name: texts.you.title }).getByText("vault/plans/").waitFor();
    expect(await page.getByRole("link", { name: texts.settings.people }).count()).toBe(0);
    await page.goto(`${vault.address}/settings/people`);
    await page.getByText(texts.settings.ownersOnly).waitFor();
    expect(await violationsIn(page)).toEqual([]);
  });
});

describe("names that others chose", () => {
  it("do nothing in any view that has them: of people, tokens, clients, invitations", async () => {
    const evil = `<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>`;
    const vault = await service.vault(FILES);
    const owner = await vault.member("Ada Lovelace", { "": "owner" });
    const bo = await service.team.people.add(evil, "evil@example.com");
    await vault.grant(bo.id, { "": "editor" });
    const given = { person: bo.id, name: evil, scopes: SCOPES, vault: vault.id };
    const expires = new Date(Date.now() + 3_600_000);
    const { text: token } = await service.team.tokens.create({ ...given, expires });
    const { cookie } = await service.team.sessions.start(bo.id);
    const headers = {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "coffre-client": encodeURIComponent(evil),
    };
    const send = async (path: string, body: object): Promise<number> =>
      (
        await fetch(`${vault.address}/api/${path}`, {
          method: "POST",
          headers,
          body: JSON.stringify(body),
        })
      ).status;
    expect(await send("tools/write", { path: "vault/by.md", content: "# By\n" })).toBe(200);
    const present = { path: "vault/roof.md", isEditing: true };
    const { text: invitation } = await service.team.invitations.create({
      vault: vault.id,
      role: "viewer",
      person: bo.id,
      expires,
    });
    const { text: device } = await service.team.sessions.offer(bo.id);
    const views: readonly (readonly [string, string])[] = [
      [owner.cookie, `${vault.address}/settings/people`],
      [owner.cookie, `${vault.address}/settings/log`],
      [owner.cookie, `${vault.address}/history`],
      [owner.cookie, `${vault.address}/file/vault/roof.md`],
      [cookie, `${vault.address}/settings`],
      [cookie, `${service.address}/`],
      [cookie, `${service.address}/invite?code=${invitation}`],
      [cookie, `${service.address}/device?code=${device}`],
    ];
    for (const [login, where] of views) {
      expect(await send("presence", present)).toBe(200);
      const cookies = [{ name: "coffre-session", value: login, url: service.address }];
      const { page } = await newWindow({ cookies });
      const outside: string[] = [];
      page.on("request", (request) => {
        if (!request.url().startsWith(service.address)) outside.push(request.url());
      });
      await page.goto(where);
      await expect
        .poll(async () => [where, (await page.content()).includes("onerror")], { timeout: 30_000 })
        .toEqual([where, true]);
      await page.waitForLoadState("networkidle");
      expect(await page.evaluate("window.hacked"), where).toBeUndefined();
      expect([where, await page.locator("img[src=x]").count(), outside]).toEqual([where, 0, []]);
    }
  });
});

describe("the page of somebody who may only read", () => {
  it("has nothing to write with, and says so in words", async () => {
    const vault = await service.vault(FILES);
    await vault.member("Ada Lovelace", { "": "owner" });
    const vera = await vault.member("Vera Viewer", { "": "viewer" });
    const { page, complaints } = await vault.open(vera, "/file/vault/roof.md?edit=yes");
    await page.getByText("Tiles are red.").waitFor();
    await page.getByText(texts.readsHere).waitFor();
    const buttons = [
      english.write.edit,
      english.write.move,
      english.write.remove,
      english.composer.send,
      english.composer.attach,
    ];
    for (const name of buttons) expect(await page.getByRole("button", { name }).count()).toBe(0);
    expect(await page.getByRole("checkbox").isDisabled()).toBe(true);
    expect(await page.getByText(english.composer.update, { exact: true }).count()).toBe(0);
    expect(await violationsIn(page)).toEqual([]);
    await page.getByText("gutter").click();
    await page.getByText(english.file.notFound).first().waitFor();
    expect(await page.getByRole("button", { name: english.write.create }).count()).toBe(0);
    await page.goto(`${vault.address}/folder/vault/plans/`);
    await page.getByRole("link", { name: "loft.md" }).waitFor();
    await page.getByText(texts.readsFolder).waitFor();
    expect(await page.getByRole("button", { name: english.write.newNote }).count()).toBe(0);
    await page.goto(`${vault.address}/history`);
    await page.getByText("created").first().waitFor();
    expect(await page.getByRole("button", { name: /Undo/u }).count()).toBe(0);
    // Searching is left.
    await page.keyboard.press("ControlOrMeta+k");
    await page.keyboard.type("floor");
    await page.getByRole("main").locator("mark").first().waitFor();
    expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);
  });

  it("has what one writes with in the folders where they may", async () => {
    const vault = await service.vault(FILES);
    await vault.member("Ada Lovelace", { "": "owner" });
    const vera = await vault.member("Vera Viewer", { "": "viewer", plans: "editor", hr: "none" });
    const { page } = await vault.open(vera, "/file/vault/plans/loft.md");
    await page.getByRole("button", { name: english.write.edit }).waitFor();
    await page.getByRole("treeitem", { name: /roof\.md/u }).click();
    await page.getByText(texts.readsHere).waitFor();
    expect(await page.getByRole("button", { name: english.write.edit }).count()).toBe(0);
    expect(await page.getByRole("treeitem", { name: /hr/u }).count()).toBe(0);
  });
});
