/** What the installed app says while its service does not answer. It stands by itself, because then nothing else can be loaded. */
export interface AwayTexts {
  readonly title: string;
  readonly what: string;
  readonly start: readonly [string, string, string];
  readonly kept: string;
  readonly retry: string;
}

export const away: Readonly<Record<"en" | "fr", AwayTexts>> = {
  en: {
    title: "The service is away.",
    what: "This app shows the notes of a service, which does not answer. It keeps none of them itself.",
    start: ["Start it with", "coffre serve", "on its machine. This page goes on by itself."],
    kept: "What you wrote and was not saved yet is still in this browser.",
    retry: "Try again",
  },
  fr: {
    title: "Le service est absent.",
    what: "Cette application montre les notes d’un service, qui ne répond pas. Elle n’en garde aucune elle-même.",
    start: [
      "Démarrez-le avec",
      "coffre serve",
      "sur sa machine. Cette page continuera d’elle-même.",
    ],
    kept: "Ce que vous avez écrit et qui n’est pas encore enregistré est toujours dans ce navigateur.",
    retry: "Réessayer",
  },
};
