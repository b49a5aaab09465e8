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
const STYLE = `:root{color-scheme:light dark;--line:#e3dfd5;--edge:#8f887b;--raised:#fff;--accent:#0b6b5d;--on-accent:#fff}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:#faf9f6;color:#211f1b;font:1rem/1.6 -apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main{max-width:30rem;padding:2rem;box-sizing:border-box}
main:has(form){width:100%;max-width:26rem}
h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.25;letter-spacing:-.015em}
p{margin:0;color:#625d54}
p+p,p+form,form+p,form+form{margin-top:1rem}
form+p{margin-top:2rem;font-size:.875rem}
form{display:grid;gap:.5rem}
label{font-size:.875rem;font-weight:600}
a{color:var(--accent)}
input,button,.button,li a{box-sizing:border-box;padding:.55rem .8rem;border:1px solid var(--edge);border-radius:.5rem;background:var(--raised);color:inherit;font:inherit}
input{min-width:0;width:100%}
button,.button{border-color:var(--accent);background:var(--accent);color:var(--on-accent);font-weight:500;text-align:center;text-decoration:none;cursor:pointer}
.button{display:block}
ul{list-style:none;margin:1rem 0 2rem;padding:0;display:grid;gap:.5rem}
li a{display:block;border-color:var(--line);font-weight:500;text-decoration:none}
li a:hover{border-color:var(--edge)}
.row{grid-template-columns:1fr auto;align-items:center;font-size:.875rem}
.row button{grid-column:2}
.quiet{padding:.3rem .7rem;border-color:var(--line);background:transparent;color:inherit}
.second{background:transparent;color:var(--accent)}
code{padding:.1em .35em;border-radius:.3em;background:#eeebe4;color:#211f1b;font:.9em ui-monospace,Menlo,Consolas,"Liberation Mono",monospace}
@media(prefers-color-scheme:dark){:root{--line:#35322c;--edge:#7d766a;--raised:#24221e;--accent:#6acbb6;--on-accent:#10211d}body{background:#171613;color:#ebe7df}p{color:#aaa398}code{background:#2a2824;color:#ebe7df}}`;

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
