import type { Lang, TemplateFile } from "./template.ts";

/** Folders a new vault has even while they are empty. */
export const skeletonFolders: readonly string[] = ["inbox", "bucket", "projects"];

/**
 * The root files of a new vault, each saying what it is for. `tree.md` is not among them: it is
 * generated. Formats are shown inside quotes, so that no line reads as a real task or a real day.
 */
export function skeletonFiles(lang: Lang): TemplateFile[] {
  return lang === "fr" ? [...french] : [...english];
}

const english: readonly TemplateFile[] = [
  {
    path: "overview.md",
    content: `# Overview

The map of this vault, and the first page anyone opens, you or your agent. One screen is enough.

## Right now

Two or three sentences: what fills your days, what cannot wait.

## Projects

One line for each folder in \`projects/\`: its name, what it is about, where it stands.

## Inbox

How many items in \`inbox/\` are waiting for an answer from you. None so far.
`,
  },
  {
    path: "profile.md",
    content: `# Profile

What stays true about you from one month to the next. Agents read this page before they help, so
anything you are tired of repeating belongs here. Leave out what you would rather keep to yourself.

## Who I am

Your name, where you live, what you do.

## The people around me

Who they are to you, and what you call them.

## How I like to work

Your hours, your habits, the tone you prefer, the things you never want done for you.
`,
  },
  {
    path: "tasks.md",
    content: `> Things to do that belong to no project. A project keeps its list in its own
> \`tasks.md\`.
>
> A task is a first-level heading with one line right under it, then as many words as it needs:
>
> \`\`\`markdown
> # What has to be done
> status: todo | prio: normal | added: YYYY-MM-DD | project: —
> \`\`\`
>
> Use \`todo\`, \`doing\` or \`waiting\`. When a task is finished, take it out of this list and tell
> what happened in \`changelog.md\`. You can delete this note once it has become a habit.
`,
  },
  {
    path: "changelog.md",
    content: `> What happened, when it belongs to no project. A project keeps its own
> \`changelog.md\`.
>
> One first-level heading for each day, the latest at the top, and one second-level heading for each
> event, with a few words below:
>
> \`\`\`markdown
> # YYYY-MM-DD
> ## What happened
> \`\`\`
>
> Start the event with \`[decision]\` when you chose something, and say why: it is what you will
> look for a year from now. Nothing here is ever erased. Write your first day below this note.
`,
  },
];

const french: readonly TemplateFile[] = [
  {
    path: "overview.md",
    content: `# Vue d'ensemble

La carte de ce coffre, et la première page qu'on ouvre, vous comme votre agent. Un écran suffit.

## En ce moment

Deux ou trois phrases : ce qui remplit vos journées, ce qui ne peut pas attendre.

## Projets

Une ligne par dossier de \`projects/\` : son nom, de quoi il s'agit, où il en est.

## Boîte de réception

Combien d'éléments de \`inbox/\` attendent une réponse de votre part. Aucun pour l'instant.
`,
  },
  {
    path: "profile.md",
    content: `# Profil

Ce qui reste vrai à votre sujet d'un mois à l'autre. Les agents lisent cette page avant de vous
aider : notez-y ce que vous ne voulez plus répéter. Gardez pour vous ce que vous préférez taire.

## Qui je suis

Votre nom, l'endroit où vous vivez, ce que vous faites.

## Les gens qui m'entourent

Ce qu'ils sont pour vous, et comment vous les appelez.

## Ma façon de travailler

Vos horaires, vos habitudes, le ton qui vous convient, ce que personne ne doit faire à votre place.
`,
  },
  {
    path: "tasks.md",
    content: `> Ce qu'il y a à faire et qui ne relève d'aucun projet. Chaque projet a sa liste, dans
> son propre \`tasks.md\`.
>
> Une tâche est un titre de premier niveau suivi d'une ligne, puis d'autant de mots qu'il en faut :
>
> \`\`\`markdown
> # Ce qu'il faut faire
> status: à-faire | prio: normale | ajoutée: AAAA-MM-JJ | projet: —
> \`\`\`
>
> Le statut est \`à-faire\`, \`en-cours\` ou \`en-attente\`. Une tâche terminée quitte cette liste :
> on raconte ce qu'elle a donné dans \`changelog.md\`. Effacez cette note quand le pli sera pris.
`,
  },
  {
    path: "changelog.md",
    content: `> Ce qui s'est passé et qui ne relève d'aucun projet. Chaque projet tient son propre
> \`changelog.md\`.
>
> Un titre de premier niveau par jour, le plus récent en haut ; un titre de deuxième niveau par
> événement, avec quelques mots dessous :
>
> \`\`\`markdown
> # AAAA-MM-JJ
> ## Ce qui s'est passé
> \`\`\`
>
> Commencez par \`[décision]\` quand vous avez tranché, et dites pourquoi : c'est ce que vous
> chercherez dans un an. Rien ne s'efface ici. Écrivez votre premier jour sous cette note.
`,
  },
];
