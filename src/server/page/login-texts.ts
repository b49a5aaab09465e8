import { createHash } from "node:crypto";

import type { Language } from "../../text/language.ts";
import { CODE_MINUTES } from "../auth/access.ts";

/** The messages to a browser that cannot show the page. */
export type LoginText = "closed" | "used" | "unbuilt";

const TEXTS: Readonly<Record<Language, Readonly<Record<LoginText, readonly [string, string]>>>> = {
  en: {
    closed: [
      "This vault is private.",
      "To open it in this browser, run <code>coffre open</code>, or use the link that <code>coffre serve</code> printed.",
    ],
    used: [
      "This link no longer works.",
      `A link works once, for ${CODE_MINUTES} minutes. Run <code>coffre open</code> for a new one.`,
    ],
    unbuilt: [
      "This browser may use the vault.",
      "The page itself is not built yet. Run <code>npm run build:page</code> in the checkout, then reload.",
    ],
  },
  fr: {
    closed: [
      "Ce coffre est privé.",
      "Pour l’ouvrir dans ce navigateur, lancez <code>coffre open</code>, ou suivez le lien affiché par <code>coffre serve</code>.",
    ],
    used: [
      "Ce lien ne marche plus.",
      `Un lien sert une fois, pendant ${CODE_MINUTES} minutes. Lancez <code>coffre open</code> pour en avoir un autre.`,
    ],
    unbuilt: [
      "Ce navigateur peut utiliser le coffre.",
      "La page elle-même n’est pas encore construite. Lancez <code>npm run build:page</code> dans le dépôt, puis rechargez.",
    ],
  },
};

/** In the document itself: no other file is served without the token. */
const STYLE = `:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:#faf9f6;color:#211f1b;font:1rem/1.6 -apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main{max-width:30rem;padding:2rem;box-sizing:border-box}
h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.25;letter-spacing:-.015em}
p{margin:0;color:#625d54}
p+p,p+form,form+p{margin-top:1rem}
form{display:grid;gap:.5rem}
label{font-weight:600}
input,button,.button{box-sizing:border-box;padding:.6rem .8rem;border:1px solid #8a8478;border-radius:.5rem;background:transparent;color:inherit;font:inherit}
button,.button{display:inline-block;border-color:#2f5d50;background:#2f5d50;color:#fff;text-decoration:none;cursor:pointer}
code{padding:.1em .35em;border-radius:.3em;background:#eeebe4;color:#211f1b;font:.9em ui-monospace,Menlo,Consolas,"Liberation Mono",monospace}
@media(prefers-color-scheme:dark){body{background:#171613;color:#ebe7df}p{color:#aaa398}code{background:#2a2824;color:#ebe7df}}`;

/** For the content security policy: browsers apply this inline style and no other. */
export const LOGIN_STYLE_HASH = `'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`;

export function loginHtml(lang: Language, which: LoginText): string {
  const [title, text] = TEXTS[lang][which];
  return messageHtml(lang, title, `<p>${text}</p>`);
}

/** A document in the style of the login page. @param body HTML, as are the title and what the head has besides */
export function messageHtml(lang: Language, title: string, body: string, head = ""): string {
  return `<!doctype html>
<html lang="${lang}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">${head}<title>coffre</title><style>${STYLE}</style></head>
<body><main><h1>${title}</h1>${body}</main></body>
</html>
`;
}
