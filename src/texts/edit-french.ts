/** What `coffre edit` says about sections and frontmatter keys. */
export const editFrench: Readonly<Record<string, string>> = {
  "Replace one passage of a file, or change its frontmatter keys":
    "Remplacer un passage d’un fichier, ou changer des clés de son frontmatter",
  "Instead of a passage: all under this heading, which stays":
    "Au lieu d’un passage : tout ce qui est sous ce titre, qui reste",
  "Set a key of the frontmatter; several times for several keys":
    "Donner une valeur à une clé du frontmatter ; plusieurs fois pour plusieurs clés",
  "Remove a key of the frontmatter; several times for several keys":
    "Enlever une clé du frontmatter ; plusieurs fois pour plusieurs clés",
  "Say what to change: --old or --section with --new, or --set, --remove.":
    "Dites quoi changer : --old ou --section avec --new, ou --set, --remove.",
  "--set takes KEY=VALUE, like status=done, not {0}.":
    "--set prend CLÉ=VALEUR, comme status=done, pas {0}.",
  'section is empty: give the text of a heading, like "## Focus".':
    "Le titre est vide : donnez le texte d’un titre, comme « ## Focus ».",
  "section {0} is not a heading of {1}.": "{0} n’est pas un titre de {1}.",
  "It has no headings: use old_content.": "Il n’a pas de titres : utilisez --old.",
  "Its headings: {0}.": "Ses titres : {0}.",
  "section {0} is a heading {1} times in {2}, at lines {3}.":
    "{0} est un titre {1} fois dans {2}, aux lignes {3}.",
  "Give the one you mean with its line number, as read shows it: {0}.":
    "Donnez celui que vous voulez avec son numéro de ligne, comme coffre read l’affiche : {0}.",
  "{0} belongs to the program, which keeps created, updated and tokens right by itself. Leave it out.":
    "{0} appartient au programme, qui tient lui-même à jour created, updated et tokens. Ne le donnez pas.",
  "The frontmatter of {0} cannot be changed key by key: {1}.":
    "Le frontmatter de {0} ne peut pas être changé clé par clé : {1}.",
  "Use old_content.": "Utilisez --old.",
  "Nothing can be added at the top of {0}: it begins with TOML that is not closed.":
    "Rien ne peut être ajouté en haut de {0} : il commence par du TOML qui n’est pas fermé.",
  "Nothing can be added at the top of {0}: it begins with JSON that is not closed.":
    "Rien ne peut être ajouté en haut de {0} : il commence par du JSON qui n’est pas fermé.",
  "Add it at the bottom.": "Ajoutez-le en bas.",
};
