import type { WriteTexts } from "./english-write.ts";

const plural = (count: number, one: string, many: string): string =>
  `${count.toLocaleString("fr")} ${count < 2 ? one : many}`;

export const frenchWrite: WriteTexts = {
  edit: "Modifier",
  done: "Terminé",
  text: "Texte de la note",
  clean: "Enregistré",
  dirty: "Pas encore enregistré",
  saving: "Enregistrement…",
  away: "Le service ne répond pas. Ce que vous écrivez est gardé dans ce navigateur, et enregistré à son retour.",
  awayOnly: "Le service ne répond pas. Ce que vous écrivez est enregistré à son retour.",
  failed: (why, isKept) =>
    `Non enregistré : ${why}${isKept ? " Ce que vous écrivez est gardé dans ce navigateur." : ""}`,
  notKept:
    "Ce navigateur n’a plus de place pour garder ce que vous écrivez. Laissez cette page ouverte jusqu’à l’enregistrement, ou copiez votre texte.",
  leftSaved: (names) => `Ce que vous aviez écrit est maintenant enregistré : ${names.join(", ")}.`,
  leftWaiting: (name, others) =>
    `Ce que vous avez écrit dans ${name}${others === 0 ? "" : ` et ${plural(others, "autre note", "autres notes")}`} n’est pas encore enregistré.`,
  openDraft: "Ouvrir",
  merged: "Quelqu’un d’autre a modifié cette note. Les deux changements y sont.",
  conflict: "Quelqu’un d’autre a modifié les mêmes lignes. Rien n’a été écrasé.",
  showConflict: "Voir les deux",
  eachConflict: "Choisissez pour chacun. Ce que l’un ou l’autre a modifié ailleurs reste.",
  mine: "Les vôtres",
  theirs: "Les siennes",
  keepMine: "Garder les miennes",
  keepTheirs: "Prendre les siennes",
  keepBoth: "Garder les deux",
  gone: "Cette note n’est plus dans le coffre. Ce que vous avez écrit est gardé dans ce navigateur.",
  again: "La recréer",
  draft: "Ce que vous aviez écrit est de retour.",
  image: "L’image n’a pas pu être mise dans la note :",
  create: "Créer cette note",
  newNote: "Nouvelle note",
  newName: "Nom de la nouvelle note",
  move: "Déplacer ou renommer",
  newPath: "Nouveau chemin",
  moveNow: "Déplacer",
  cancel: "Annuler",
  remove: "Supprimer",
  removed: (name) => `${name} a été supprimé.`,
  moved: (name, links) =>
    links === 0
      ? `Déplacé vers ${name}.`
      : `Déplacé vers ${name} ; ${plural(links, "lien réécrit", "liens réécrits")}.`,
  linksLeft: (count, where) =>
    `${plural(count, "lien", "liens")} vers l’ancien chemin ${count === 1 ? "n’a pas pu être changé" : "n’ont pas pu être changés"} : ${where.slice(0, 5).join(", ")}${where.length > 5 ? ` et ${where.length - 5} de plus` : ""}.`,
  undo: "Défaire",
  undone: "Annulé.",
  close: "Fermer",
  properties: "Propriétés",
  key: "Clé",
  value: "Valeur",
  listHint: "Valeurs, séparées par des virgules",
  addProperty: "Ajouter une propriété",
  removeProperty: (key) => `Enlever ${key}`,
  otherProperty: (key) => `Quelqu’un d’autre a modifié ${key} entre-temps. Sa valeur :`,
  propertyGone: "enlevée",
  notRemoved: (key) =>
    `${key} n’a pas été enlevée : quelqu’un d’autre l’a modifiée. Regardez-la à nouveau.`,
  tickFailed: "La tâche n’a pas pu être cochée :",
};
