/** What is said of faults around the vault: its disk, its state folder, its owner, its names. */
export const faultsFrench: Readonly<Record<string, string>> = {
  "{0} holds half of a character (a lone surrogate); write the name again.":
    "{0} contient la moitié d’un caractère (un demi-codet isolé) ; récrivez le nom.",
  "A database of the state folder cannot be used now ({0}); try again. If it stays so, check it with: {1}.":
    "Une base de données du dossier d’état ne peut pas servir pour l’instant ({0}) ; réessayez. Si cela dure, vérifiez-la avec : {1}.",
  "The search index cannot be read now ({0}); try again, or make it again with: {1}.":
    "L’index de recherche ne peut pas être lu maintenant ({0}) ; réessayez, ou refaites-le avec : {1}.",
  // The vault's folder.
  "The vault {0} is empty or cannot be read, though {1} files are known.":
    "Le coffre {0} est vide ou illisible, alors que {1} fichiers sont connus.",
  "Nothing was forgotten, and nothing is written.": "Rien n’a été oublié, et rien n’est écrit.",
  "Is its disk mounted, its folder moved?":
    "Son disque est-il monté, son dossier a-t-il été déplacé ?",
  "If it was emptied on purpose, put any file into it.":
    "S’il a été vidé exprès, mettez-y un fichier quelconque.",
  "Another disk is mounted at {0} than when this program started.":
    "Un autre disque est monté sur {0} que lorsque ce programme a démarré.",
  "Nothing is written until the vault's own is back; if this one is right, stop the program and start it again.":
    "Rien n’est écrit tant que celui du coffre n’est pas revenu ; si celui-ci est le bon, arrêtez le programme et relancez-le.",
  "{0} is hidden: {1}. Rename it.": "{0} est caché : {1}. Renommez-le.",
  "Its name is not UTF-8": "Son nom n’est pas en UTF-8",
  "Another name there differs from it only in its Unicode form (NFC, NFD)":
    "Un autre nom au même endroit n’en diffère que par sa forme Unicode (NFC, NFD)",
  "{0} was not ingested: {1} beside it says why":
    "{0} n’a pas été importé : {1}, à côté, dit pourquoi",
  "{0} was not ingested: {1}": "{0} n’a pas été importé : {1}",

  // The state folder.
  "The state folder {0} was removed or replaced while process {1} was using it.":
    "Le dossier d’état {0} a été supprimé ou remplacé pendant que le processus {1} s’en servait.",
  "Nothing is written any more: stop this process and start it again.":
    "Plus rien n’est écrit : arrêtez ce processus et relancez-le.",
  "The state folder {0} was removed or replaced while it was in use, so nothing is written any more.":
    "Le dossier d’état {0} a été supprimé ou remplacé pendant son utilisation, donc plus rien n’est écrit.",
  "The history in {0} was removed while it was in use, so nothing was changed: it could not be undone.":
    "L’historique dans {0} a été supprimé pendant son utilisation, donc rien n’a été changé : on ne pourrait pas l’annuler.",
  "Stop this program and start it again.": "Arrêtez ce programme et relancez-le.",
  "The state folder {0} belongs to another user (uid {1}, this is {2}), who could read and replace what is kept there.":
    "Le dossier d’état {0} appartient à un autre utilisateur (uid {1}, ici {2}), qui pourrait lire et remplacer ce qui y est gardé.",
  "Run coffre as that user, give the folder to this one with chown, or choose another with --state.":
    "Lancez coffre en tant que cet utilisateur, donnez le dossier à celui-ci avec chown, ou choisissez-en un autre avec --state.",
  "The disk of the state folder {0} is full, so nothing can be changed safely: {1}. Free some space, or give another folder with --state.":
    "Le disque du dossier d’état {0} est plein, donc rien ne peut être changé sans risque : {1}. Libérez de la place, ou donnez un autre dossier avec --state.",
  "The queue in {0} cannot be written ({1}), so nothing was changed.":
    "La file d’attente dans {0} ne peut pas être écrite ({1}), donc rien n’a été changé.",
  "Database or disk is full": "Base de données ou disque plein",
  "Free some space, or give another folder with --state.":
    "Libérez de la place, ou donnez un autre dossier avec --state.",
  "Repair it, or give another folder with --state.":
    "Réparez-le, ou donnez un autre dossier avec --state.",

  // The owner.
  "Another process still owns the vault {0}: it finishes its work, or it hangs. Waiting for it since {1} s; Ctrl-C stops.":
    "Un autre processus tient encore le coffre {0} : il finit son travail, ou il est bloqué. On l’attend depuis {1} s ; Ctrl-C arrête.",
  "Another process owns the vault {0}.": "Un autre processus tient le coffre {0}.",
  "The process {0} owns the vault {1}.": "Le processus {0} tient le coffre {1}.",
  "It was started before this state folder was created again: stop it, then try again.":
    "Il a été lancé avant que ce dossier d’état soit recréé : arrêtez-le, puis réessayez.",
  "It keeps the vault's state in {0}: use that one with --state, or stop the process first.":
    "Il garde l’état du coffre dans {0} : utilisez celui-là avec --state, ou arrêtez d’abord le processus.",
};
