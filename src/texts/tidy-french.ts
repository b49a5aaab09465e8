/** What the program says about tidying. */
export const tidyFrench: Readonly<Record<string, string>> = {
  "Look for what is untidy, and propose in the inbox how to put it right":
    "Chercher ce qui est en désordre, et proposer dans la boîte de réception comment le ranger",
  "Do it once a day when the service is idle; off by default":
    "Le faire une fois par jour quand le service est au repos ; désactivé par défaut",
  "Nothing is changed: all proposals are one item of the inbox, with numbered diffs, in place of the last one.":
    "Rien n’est changé : toutes les propositions sont un élément de la boîte de réception, avec des différences numérotées, à la place du dernier.",
  "Answer it with yes, no, or numbers like 1,3: those are made as one change of the history.":
    "Répondez-y par oui, non, ou des numéros comme 1,3 : ceux-là sont faits en un seul changement de l’historique.",
  "With a model (COFFRE_MODEL) it also words what a program cannot.":
    "Avec un modèle (COFFRE_MODEL), il formule aussi ce qu’un programme ne peut pas.",
  "The vault is looked through once a day, when the service is idle.":
    "Le coffre est parcouru une fois par jour, quand le service est au repos.",
  "The vault is looked through only when you ask for it.":
    "Le coffre n’est parcouru que si vous le demandez.",
  "Nothing is untidy.": "Rien n’est en désordre.",
  "The model could not help: {0}": "Le modèle n’a pas pu aider : {0}",
  "Nothing is changed yet. To see the changes: {0}":
    "Rien n’est encore changé. Pour voir les changements : {0}",
  "To make them: {0} yes, or numbers like 1,3":
    "Pour les faire : {0} oui, ou des numéros comme 1,3",
  "changed since it was looked through": "changé depuis que cela a été parcouru",
  Tidying: "Rangement",
  "every day, not yet": "chaque jour, pas encore",
  "only when asked for, not yet": "seulement sur demande, pas encore",
  "every day, last on {0}": "chaque jour, la dernière fois le {0}",
  "only when asked for, last on {0}": "seulement sur demande, la dernière fois le {0}",
};
