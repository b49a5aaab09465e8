import type { PaletteTexts } from "./english-palette.ts";

export const frenchPalette: PaletteTexts = {
  switcherHint: "Aller à une note ou à un titre…",
  commandHint: "Que voulez-vous faire ?",
  shortcuts: "Raccourcis clavier",
  none: "Rien n’a ces lettres.",
  noRecent: "Aucune note n’a encore été ouverte.",
  keys: {
    writing: {
      title: "En écrivant une note",
      bold: "Gras",
      italic: "Italique",
      link: "Faire un lien",
      save: "Enregistrer tout de suite",
      indent: "Mettre en retrait",
      noteLink: "Lier une note",
      tag: "Mettre une étiquette",
      undo: "Reprendre ce que vous venez d’écrire",
    },
    elsewhere: {
      title: "Ailleurs",
      send: "Envoyer ce que vous avez écrit en bas",
      ask: "Poser ce que vous avez tapé dans la recherche",
      tree: "Parcourir les fichiers",
      close: "Fermer ce qui est ouvert",
    },
  },
  commands: {
    switcher: "Aller à une note ou à un titre",
    search: "Chercher ou demander",
    note: "Noter quelque chose",
    home: "Aller à la vue d’ensemble",
    inbox: "Aller à « À trier »",
    history: "Aller à l’historique",
    fileHistory: "Montrer l’historique de ce fichier",
    folder: "Aller au dossier de ce fichier",
    back: "Retour",
    forward: "Suivant",
    commands: "Toutes les commandes",
    shortcuts: "Montrer les raccourcis clavier",
  },
};
