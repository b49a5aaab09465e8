import type { Language } from "../../text/language.ts";

/** Where browsers send what other apps share. The page's worker takes it there; without one the page says to share it again. */
export const SHARE_PATH = "/share";

interface ManifestTexts {
  readonly description: string;
  readonly search: string;
  readonly inbox: string;
}

const TEXTS: Readonly<Record<Language, ManifestTexts>> = {
  en: {
    description: "A vault of plain markdown that people and AI agents share safely.",
    search: "Search",
    inbox: "Inbox",
  },
  fr: {
    description: "Un coffre de notes markdown, partagé sans risque entre personnes et agents.",
    search: "Rechercher",
    inbox: "À trier",
  },
};

/** What a browser needs to install the page as an app, in its reader's language. */
export function manifestOf(lang: Language): object {
  const { description, search, inbox } = TEXTS[lang];
  return {
    id: "/",
    name: "coffre",
    short_name: "coffre",
    description,
    lang,
    start_url: "/",
    scope: "/",
    display: "standalone",
    background_color: "#fbfaf7",
    theme_color: "#fbfaf7",
    icons: [
      { src: "/icons/icon-192.png", sizes: "192x192", type: "image/png" },
      { src: "/icons/icon-512.png", sizes: "512x512", type: "image/png" },
      { src: "/icons/maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
    ],
    shortcuts: [
      { name: search, url: "/search" },
      { name: inbox, url: "/inbox" },
    ],
    share_target: {
      action: SHARE_PATH,
      method: "POST",
      enctype: "multipart/form-data",
      params: {
        title: "title",
        text: "text",
        url: "url",
        files: [{ name: "file", accept: ["*/*", ".md", ".pdf", ".eml", ".csv", ".txt"] }],
      },
    },
  };
}
