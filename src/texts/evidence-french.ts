/** What the program says about replaced facts, and about the sources of an answer. */
export const evidenceFrench: Readonly<Record<string, string>> = {
  "An older statement that the text makes untrue, and its old value; it stays, and search puts the new one above it":
    "Un ancien énoncé que le texte rend faux, et son ancienne valeur ; il reste, et la recherche met le nouveau au-dessus",
  "--replaces takes PATH:LINES[=OLD], like {0}, not {1}.":
    "--replaces prend CHEMIN:LIGNES[=ANCIEN], comme {0}, pas {1}.",
  "{0} replaces nothing: it is raw material, text from outside, or a page that search leaves out.":
    "{0} ne remplace rien : c’est de la matière brute, du texte de l’extérieur, ou une page que la recherche laisse de côté.",
  "Put the entry into a changelog or another note, or leave replaces out.":
    "Mettez l’entrée dans un changelog ou une autre note, ou enlevez --replaces.",
  "replaces: {0} is not a note that search finds.":
    "--replaces : {0} n’est pas une note que la recherche trouve.",
  "Name a note and its lines; a page that is always shown whole is simply edited.":
    "Nommez une note et ses lignes ; une page toujours montrée en entier se modifie simplement.",
  "replaces: {0} has {1} lines; {2} is not inside.":
    "--replaces : {0} a {1} lignes ; {2} n’y est pas.",
  "Read it, and give the lines of the old statement.":
    "Lisez-la, et donnez les lignes de l’ancien énoncé.",
  "replaces: lines {0} of {1} hold several sections (lines {2}).":
    "--replaces : les lignes {0} de {1} contiennent plusieurs sections (lignes {2}).",
  "Name the lines of one, once for each.": "Nommez les lignes d’une seule, une fois pour chacune.",
  "replaces: lines {0} of {1} hold no text.":
    "--replaces : les lignes {0} de {1} ne contiennent pas de texte.",
  "replaces: {0} has several sections called {1}.":
    "--replaces : {0} a plusieurs sections appelées {1}.",
  "Give the old value too, as it stands in lines {0}.":
    "Donnez aussi l’ancienne valeur, telle qu’elle est dans les lignes {0}.",
  "replaces: the name of {0} has a sign that ends a link.":
    "--replaces : le nom de {0} a un signe qui termine un lien.",
  "Move it first, or leave replaces out.": "Déplacez-la d’abord, ou enlevez --replaces.",
  "replaces: lines {0} of {1} are those that this edit changes, so nothing is left to be replaced.":
    "--replaces : les lignes {0} de {1} sont celles que cette modification change ; il ne reste rien à remplacer.",
  "Leave replaces out.": "Enlevez --replaces.",
  "Check the sources of an answer against the vault as it is now":
    "Vérifier les sources d’une réponse dans le coffre tel qu’il est maintenant",
  "An answer of recall that was kept; standard input when left out or -":
    "Une réponse de recall que l’on a gardée ; l’entrée standard si rien ou - est donné",
  "Each source is the same, moved, changed, replaced by a newer statement, or gone.":
    "Chaque source est pareille, déplacée, changée, remplacée par un énoncé plus récent, ou disparue.",
  "Exit 0 when all are the same or moved, else 1.":
    "Code 0 quand toutes sont pareilles ou déplacées, sinon 1.",
  "Same: {0}": "Pareille : {0}",
  "Moved: {0} → {1}": "Déplacée : {0} → {1}",
  "Changed: {0}": "Changée : {0}",
  "Replaced: {0} by {1}": "Remplacée : {0} par {1}",
  "Replaced: {0} by {1}; now at {2}": "Remplacée : {0} par {1} ; maintenant en {2}",
  "Gone: {0}": "Disparue : {0}",
  "Misquoted: {0} does not say what the answer quotes.":
    "Mal citée : {0} ne dit pas ce que la réponse cite.",
  "The answer still rests on what its sources say: {0} of {1}.":
    "La réponse repose toujours sur ce que disent ses sources : {0} sur {1}.",
  "Sources that no longer bear the answer out: {0} of {1}.":
    "Sources qui n’appuient plus la réponse : {0} sur {1}.",
  "There is no source in it: verify takes an answer of recall, with the lines that name its sources or the passages below them.":
    "Il n’y a pas de source dedans : verify prend une réponse de recall, avec les lignes qui nomment ses sources ou les passages en dessous.",
  "replaces goes with a new text: give new_content, which says what is true now.":
    "--replaces va avec un nouveau texte : donnez --new, qui dit ce qui est vrai maintenant.",
};
