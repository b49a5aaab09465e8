import type { Page } from "playwright-core";
import { expect, it } from "vitest";

import { englishTeam, type TeamTexts } from "../../src/texts/page/english-team.ts";
import { frenchTeam } from "../../src/texts/page/french-team.ts";
import { newWindow, useChromium, type Visit } from "./chromium.ts";
import { useLoginProvider } from "./login-provider.ts";
import { LOCALES, pictures, type Lang } from "./picture.ts";
import { useTeamService, type Member, type TeamVault } from "./team-service.ts";
import { violationsIn } from "./violations.ts";

useChromium();
const provider = await useLoginProvider();
const service = useTeamService({
  COFFRE_OIDC_ISSUER: provider.issuer,
  COFFRE_OIDC_CLIENT_ID: "coffre",
  COFFRE_OIDC_CLIENT_SECRET: "p:w d",
});

const SCENES = {
  en: {
    vault: "house",
    other: "allotment",
    note: "projects/roof.md",
    folder: "accounts",
    files: {
      "projects/roof.md":
        "# Roof\n\nTwelve tiles are broken, three are missing on the north side.\n\n- [x] Ask two roofers\n- [ ] Choose one by May\n\nThe gutter is done with it: see the [plan](../plan.md).\n",
      "plan.md": "# Plan\n\nThe roof comes first, then the floor.\n",
      "accounts/2026.md": "# Accounts of 2026\n\nThe roof may cost 9,000.\n",
    },
    token: "Laptop of the workshop",
    words: "The scaffold",
  },
  fr: {
    vault: "maison",
    other: "potager",
    note: "projets/toit.md",
    folder: "comptes",
    files: {
      "projets/toit.md":
        "# Toit\n\nDouze tuiles sont cassées, trois manquent au nord.\n\n- [x] Demander à deux couvreurs\n- [ ] En choisir un avant mai\n\nLa gouttière se fait en même temps : voir le [plan](../plan.md).\n",
      "plan.md": "# Plan\n\nLe toit d’abord, puis le plancher.\n",
      "comptes/2026.md": "# Comptes de 2026\n\nLe toit peut coûter 9 000.\n",
    },
    token: "Portable de l’atelier",
    words: "L’échafaudage",
  },
} as const;

async function inspect(page: Page, name: string, lang: Lang): Promise<void> {
  await page.evaluate("document.querySelector('main').scrollTo(0, 0)");
  expect(await violationsIn(page), name).toEqual([]);
  await pictures(page, name, lang);
}

/** The settings of an owner, and of everybody. */
async function settings(
  vault: TeamVault,
  ada: Member,
  lang: Lang,
  texts: TeamTexts,
): Promise<void> {
  const { page } = await vault.open(ada, "/settings", { locale: LOCALES[lang] });
  await page.getByRole("button", { name: texts.tokens.make }).click();
  await page.getByLabel(texts.tokens.name).fill(SCENES[lang].token);
  await page.getByRole("button", { name: texts.tokens.create }).click();
  await page.getByLabel(texts.tokens.made).waitFor();
  // The list is loaded again, and fields that are drawn again have their own text.
  const revoke = `${texts.tokens.revoke}: ${SCENES[lang].token}`;
  await page.getByRole("button", { name: revoke }).waitFor();
  await page.evaluate("document.activeElement?.blur()");
  // A picture that shows a secret, or a port of this machine, would differ each time.
  await page.evaluate(
    `for (const field of document.querySelectorAll("input[readonly]"))
      field.value = field.value
        .replace(/cof_[0-9a-f]{16}_[\\w-]+/u, "cof_0123456789abcdef_…")
        .replace(location.origin, "https://notes.example.com")`,
  );
  await inspect(page, "team-you", lang);
  await page.goto(`${vault.address}/settings/people`);
  await page.getByLabel(texts.people.roleOf("Bo Diddley"), { exact: true }).waitFor();
  await inspect(page, "team-people", lang);
  await page.goto(`${vault.address}/settings/log`);
  await page.getByRole("listitem").filter({ hasText: "Ada" }).first().waitFor();
  await inspect(page, "team-log", lang);
}

/** Those who read and write at the same time. */
async function together(
  vault: TeamVault,
  { ada, bo, vera }: Readonly<Record<"ada" | "bo" | "vera", Member>>,
  lang: Lang,
  texts: TeamTexts,
): Promise<Visit> {
  const options = { locale: LOCALES[lang] };
  const where = `/file/vault/${SCENES[lang].note}`;
  const writing = await vault.open(bo, `${where}?edit=yes`, options);
  await writing.page.locator(".cm-line").first().waitFor();
  const reading = await vault.open(vera, where, options);
  await reading.page.getByText(texts.readsHere).waitFor();
  const owner = await vault.open(ada, where, options);
  const list = owner.page.getByRole("list", { name: texts.presence.label });
  await list.getByText(texts.presence.writes("Bo Diddley")).waitFor();
  await list.getByText(texts.presence.reads("Vera Viewer")).waitFor();
  await inspect(owner.page, "team-note", lang);
  await reading.page.getByText(texts.presence.writes("Bo Diddley")).first().waitFor();
  await inspect(reading.page, "team-viewer", lang);
  return reading;
}

it.each(["en", "fr"] as const)(
  "the views of a team are pictured in both themes (%s), wide and on a telephone",
  async (lang) => {
    const texts = { en: englishTeam, fr: frenchTeam }[lang];
    const scene = SCENES[lang];
    const vault = await service.vault(scene.files, scene.vault);
    const other = await service.vault({}, scene.other);
    const ada = await vault.member("Ada Lovelace", { "": "owner" });
    await other.member("Ada Lovelace", { "": "owner" });
    const bo = await vault.member("Bo Diddley", { "": "editor", [scene.folder]: "viewer" });
    const vera = await vault.member("Vera Viewer", { "": "viewer", [scene.folder]: "none" });
    const expires = new Date(Date.now() + 6 * 86_400_000);
    const invited = { vault: vault.id, role: "editor", expires, invitedBy: ada.id } as const;
    await service.team.invitations.create({ ...invited, email: "cyd@example.com" });
    const { text: code } = await service.team.invitations.create(invited);

    const reading = await together(vault, { ada, bo, vera }, lang, texts);
    await settings(vault, ada, lang, texts);
    await vault.grant(vera.id, { "": null, [scene.folder]: null });
    await reading.page.getByText(texts.closed.none).waitFor();
    await inspect(reading.page, "team-closed", lang);

    const { page } = await newWindow({ locale: LOCALES[lang] });
    await page.goto(`${service.address}/login`);
    await inspect(page, "team-login", lang);
    await page.goto(`${service.address}/invite?code=${code}`);
    await inspect(page, "team-invite", lang);
    const { page: list } = await newWindow({
      locale: LOCALES[lang],
      cookies: [{ name: "coffre-session", value: ada.cookie, url: service.address }],
    });
    await list.goto(service.address);
    await list.getByRole("link", { name: scene.other }).waitFor();
    await inspect(list, "team-vaults", lang);
    expect(await list.title()).toBe("coffre");
  },
  300_000,
);
