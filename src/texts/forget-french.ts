/** What is said about removing something for good. */
export const forgetFrench: Readonly<Record<string, string>> = {
  "Remove for good what must not exist: from notes, history, index, queue and log":
    "Supprimer pour de bon ce qui ne doit pas exister : des notes, de l’historique, de l’index, de la file et du journal",
  "A file or folder of the vault, else a text wherever it stands":
    "Un fichier ou un dossier du coffre, sinon un texte où qu’il se trouve",
  "It is a path, also of what was removed before":
    "C’est un chemin, aussi de ce qui a été supprimé avant",
  "It is a text, also if a file has that name": "C’est un texte, même si un fichier porte ce nom",
  "Only show where it stands": "Seulement montrer où cela se trouve",
  "Do it without asking": "Le faire sans demander",
  "Shows where it stands and asks. It cannot be undone: of a path, all versions go; a text is cut out of notes, and other files that hold it go, also where it is compressed in them, as in a PDF. Afterwards the bytes of everything that is kept are searched for it. Backups, copies of other programs, and what a disk keeps of deleted blocks are out of reach.":
    "Montre où cela se trouve et demande. Cela ne peut pas être annulé : d’un chemin, toutes les versions partent ; un texte est retiré des notes, et les autres fichiers qui le contiennent partent, aussi quand il y est compressé, comme dans un PDF. Ensuite, on le cherche dans les octets de tout ce qui est gardé. Les sauvegardes, les copies d’autres programmes et ce qu’un disque garde de blocs effacés sont hors d’atteinte.",
  "Give --path or --text, not both.": "Donnez --path ou --text, pas les deux.",
  "Nothing was removed.": "Rien n’a été supprimé.",
  "Removing it, and looking for what is left": "Suppression, et recherche de ce qui reste",
  "Nobody can be asked here. Say --yes to remove it, or --dry-run to look.":
    "Il n’y a personne à qui demander ici. Dites --yes pour supprimer, ou --dry-run pour regarder.",
  "This cannot be undone. Type yes to remove all of it:":
    "Cela ne peut pas être annulé. Tapez oui pour tout supprimer :",
  yes: "oui",
  "{0} files in the search index, with their vectors":
    "{0} fichiers dans l’index de recherche, avec leurs vecteurs",
  "{0} changes of the history, with {1} versions":
    "{0} changements de l’historique, avec {1} versions",
  "{0} updates of the queue": "{0} mises à jour de la file",
  "{0} changes that wait for a yes": "{0} changements qui attendent un oui",
  "{0}: cannot be read, so it may stand there; look yourself":
    "{0} : ne peut pas être lu, cela peut donc s’y trouver ; regardez vous-même",
  "{0} versions of compressed files in the history: cannot be read, so it may stand there; forget their paths":
    "{0} versions de fichiers compressés dans l’historique : ne peuvent pas être lues, cela peut donc s’y trouver ; oubliez leurs chemins",
  "{0} is forgotten as far as could be searched:":
    "{0} est oublié, pour autant qu’on ait pu chercher :",
  "{0} lines of the log": "{0} lignes du journal",
  "{0}: the whole file": "{0} : le fichier entier",
  "{0}: the text in it": "{0} : le texte qui s’y trouve",
  "{0}: in its name": "{0} : dans son nom",
  "{0} in the state folder": "{0} dans le dossier d’état",
  "{0}: no part of the vault, so it is left; remove it yourself":
    "{0} : ne fait pas partie du coffre, donc laissé ; supprimez-le vous-même",
  "Nothing of {0} is kept.": "Rien de {0} n’est gardé.",
  "{0} stands in:": "{0} se trouve dans :",
  "{0} was removed, but something of it is left in:":
    "{0} a été supprimé, mais il en reste quelque chose dans :",
  "Stop the service and call coffre forget once more; a settings file is yours to change.":
    "Arrêtez le service et rappelez coffre forget ; un fichier de réglages est à changer par vous.",
  "{0} is forgotten: nothing of it is left in the bytes that are kept.":
    "{0} est oublié : il n’en reste rien dans les octets qui sont gardés.",
  "{0} has fewer than {1} characters and would be found in too much; give more of the text.":
    "{0} a moins de {1} caractères et se trouverait dans trop de choses ; donnez plus du texte.",
  "Nothing is at {0}, and nothing was.": "Rien n’est à {0}, et rien n’y a été.",
  "The vault as a whole is not forgotten; name what is.":
    "Le coffre entier ne s’oublie pas ; nommez ce qui doit l’être.",
  "An update that holds it is being filed now. Try again when it is done; coffre status tells.":
    "Une mise à jour qui le contient est en cours. Réessayez quand elle sera finie ; coffre status le dit.",
  "{0} is not reached over TCP, only by commands of this user on this machine.":
    "{0} n’est pas accessible par TCP, seulement par les commandes de cet utilisateur sur cette machine.",
};
