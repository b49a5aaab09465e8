/** What the service refuses while somebody writes, sends or looks at files in the page. */
export const noteFrench: Readonly<Record<string, string>> = {
  "{0} has {1}; at most {2} are sent whole.": "{0} fait {1} ; au plus {2} sont envoyés en entier.",
  "{0} is no PDF, recording or film.": "{0} n’est ni un PDF, ni un enregistrement, ni un film.",
  "{0} is not text ({1}).": "{0} n’est pas du texte ({1}).",
  "{0} was changed since you read it: that task is no longer there.":
    "{0} a changé depuis que vous l’avez lu : cette tâche n’y est plus.",
  "{0} is no note; its name ends in .md.":
    "{0} n’est pas une note ; le nom d’une note finit par .md.",
  "{0} has {1}; notes of up to {2} are edited in the page.":
    "{0} fait {1} ; la page modifie des notes d’au plus {2}.",
  "The picture has more than 25 MiB.": "L’image fait plus de 25 Mio.",
  "Only pictures (PNG, JPEG, GIF, WebP) can be put into a note.":
    "Seules des images (PNG, JPEG, GIF, WebP) peuvent être mises dans une note.",
  "properties: {0}.": "Propriétés : {0}.",
  "It is not a list of keys and values": "Il n’est pas une liste de clés et de valeurs",
  "It is written in braces; use one key per line":
    "Il est écrit entre accolades ; mettez une clé par ligne",
  "One of its keys is not a plain word": "L’une de ses clés n’est pas un simple mot",
  "It refers to a value that is not there": "Il renvoie à une valeur qui n’y est pas",
  "Only the person answers an inbox item.":
    "Seule la personne répond à un élément de la boîte de réception.",
  "Ask them; when these are their words, send said_by_person: true.":
    "Demandez-lui ; quand ce sont ses mots, envoyez said_by_person: true.",
  'The form has no file in it. Send at least one: curl -F "file=@devis.pdf".':
    'Le formulaire ne contient aucun fichier. Envoyez-en au moins un : curl -F "file=@devis.pdf".',
  "No changes can be proposed here.": "Aucun changement ne peut être proposé ici.",
  "No model is answered here.": "Aucun modèle n’est servi ici.",
  "There is nothing to verify.": "Il n’y a rien à vérifier.",
};
