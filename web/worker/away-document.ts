import { away } from "../../src/texts/page/away.ts";
import { chooseLanguage } from "../texts/language.ts";

interface AwayFiles {
  readonly style: string;
  readonly retry: string;
}

/** The document that is shown when the service cannot be reached: our own words and files, and nothing of the vault. */
export function awayDocument(languages: readonly string[], { style, retry }: AwayFiles): Response {
  const language = chooseLanguage(languages);
  const { title, what, start, kept, retry: again } = away[language];
  const [before, command, after] = start;
  const html = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>coffre</title><link rel="stylesheet" href="${style}"><script type="module" src="${retry}"></script>
</head>
<body>
<main class="mx-auto flex min-h-dvh max-w-[32rem] flex-col justify-center px-6 py-10">
<h1 class="text-2xl font-semibold tracking-tight">${title}</h1>
<p class="mt-3">${what}</p>
<p class="mt-3">${before} <code class="rounded bg-code px-1.5 py-0.5 font-mono text-sm">${command}</code> ${after}</p>
<p class="mt-3 text-muted">${kept}</p>
<p class="mt-6"><a href="" class="inline-flex min-h-11 items-center rounded-lg bg-accent px-4 font-medium text-on-accent">${again}</a></p>
</main>
</body>
</html>
`;
  return new Response(html, {
    status: 503,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
    },
  });
}
