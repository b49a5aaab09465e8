/** What is said about backups. */
export const backupFrench: Readonly<Record<string, string>> = {
  "Put the vault, its history and settings into one encrypted file":
    "Mettre le coffre, son historique et ses réglages dans un seul fichier chiffré",
  "The file to write; it must not exist": "Le fichier à écrire ; il ne doit pas exister",
  "Its first line is the passphrase (else $COFFRE_PASSPHRASE, else it is asked for)":
    "Sa première ligne est la phrase de passe (sinon $COFFRE_PASSPHRASE, sinon elle est demandée)",
  "Works while the service runs, and checks what it wrote. Without the passphrase nobody can open the file, you neither. It is in the age format: age -d FILE | tar x opens it without coffre. Index, vectors, log and token are left out: they are made again.":
    "Fonctionne pendant que le service tourne, et vérifie ce qui a été écrit. Sans la phrase de passe, personne ne peut ouvrir le fichier, vous non plus. Il est au format age : age -d FILE | tar x l’ouvre sans coffre. Index, vecteurs, journal et jeton n’y sont pas : ils se refont.",
  "Bring back a vault, its history and settings from a backup":
    "Faire revenir un coffre, son historique et ses réglages d’une sauvegarde",
  "What coffre backup wrote": "Ce que coffre backup a écrit",
  "Into an empty folder only, named with --vault; nothing that exists is overwritten. When it cannot be done whole, nothing of it is left. Every file comes back byte for byte, with its mode and time; coffre undo works as before.":
    "Seulement dans un dossier vide, nommé par --vault ; rien de ce qui existe n’est remplacé. Si ce n’est pas possible en entier, il n’en reste rien. Chaque fichier revient octet pour octet, avec son mode et sa date ; coffre undo marche comme avant.",
  "{0}: {1} files, {2}, encrypted in {3} and checked.":
    "{0} : {1} fichiers, {2}, chiffrés en {3} et vérifiés.",
  "Backing up: {0}": "Sauvegarde : {0}",
  "Checking what was written": "Vérification de ce qui a été écrit",
  "Restoring: {0} files, {1}": "Restauration : {0} fichiers, {1}",
  "Restored {0} files, {1}, of the backup of {2}, to {3}.":
    "{0} fichiers, {1}, de la sauvegarde du {2}, restaurés dans {3}.",
  "Serve it with: coffre serve --vault {0}": "Servez-le avec : coffre serve --vault {0}",
  "Passphrase:": "Phrase de passe :",
  "Once more:": "Encore une fois :",
  "Nothing was typed.": "Rien n’a été saisi.",
  "There is no passphrase. Give it as $COFFRE_PASSPHRASE or with --passphrase-file, or type it at a terminal.":
    "Il n’y a pas de phrase de passe. Donnez-la par $COFFRE_PASSPHRASE ou --passphrase-file, ou saisissez-la dans un terminal.",
  "The two passphrases differ; nothing was written.":
    "Les deux phrases de passe diffèrent ; rien n’a été écrit.",
  "The passphrase has fewer than {0} characters; take a longer one. Several words are easy to remember.":
    "La phrase de passe a moins de {0} caractères ; prenez-en une plus longue. Plusieurs mots se retiennent bien.",
  "{0} exists; choose another name.": "{0} existe ; choisissez un autre nom.",
  "{0} lies inside the vault, which would then hold its own backup; choose a place outside it.":
    "{0} est dans le coffre, qui contiendrait alors sa propre sauvegarde ; choisissez un endroit en dehors.",
  "{0} was written, and what was read of it afterwards is not the same: its disk may be failing. It was removed.":
    "{0} a été écrit, et ce qui en a été relu n’est pas pareil : le disque est peut-être défaillant. Il a été supprimé.",
  "There is no file {0}.": "Il n’y a pas de fichier {0}.",
  "The backup does not open: the passphrase is another one, or the file is no backup of coffre. Nothing was changed.":
    "La sauvegarde ne s’ouvre pas : la phrase de passe est une autre, ou le fichier n’est pas une sauvegarde de coffre. Rien n’a été changé.",
  "The backup is damaged or not complete: it was changed or cut since it was written.":
    "La sauvegarde est abîmée ou incomplète : elle a été changée ou coupée depuis qu’elle a été écrite.",
  "This is no backup that can be restored: {0}. Nothing was changed.":
    "Ce n’est pas une sauvegarde qui puisse être restaurée : {0}. Rien n’a été changé.",
  "A backup is restored into an empty folder only, and {0} holds {1} things. Name another one with --vault, and its state with --state.":
    "Une sauvegarde n’est restaurée que dans un dossier vide, et {0} contient {1} éléments. Nommez-en un autre par --vault, et son état par --state.",
};
