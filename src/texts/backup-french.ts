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

  // Import and export of a team's vault.
  "Put a folder, with its history, into a vault of a team's database":
    "Mettre un dossier, avec son historique, dans un coffre de la base de données d’une équipe",
  "Into an empty vault only, which is made when it is missing. The folder is only read, and no other program of coffre may change it meanwhile. When it is cut off, the same command goes on. Hidden names, links and what is ignored are not imported: they are counted and named. What is private stays private, and the settings of frontmatter and tidying go along.":
    "Seulement dans un coffre vide, créé s’il manque. Le dossier est seulement lu, et aucun autre programme de coffre ne peut le changer entre-temps. Si la commande est interrompue, la même continue. Les noms cachés, les liens et ce qui est ignoré ne sont pas importés : ils sont comptés et nommés. Ce qui est privé le reste, et les réglages du frontmatter et du rangement suivent.",
  "The folder of notes": "Le dossier des notes",
  "The PostgreSQL of a team: postgres://user@host/name, or COFFRE_DATABASE":
    "Le PostgreSQL d’une équipe : postgres://user@host/name, ou COFFRE_DATABASE",
  "Write a vault of a team's database, with its history, into a folder":
    "Écrire un coffre de la base de données d’une équipe, avec son historique, dans un dossier",
  "Every file byte for byte, under the name it had when it was imported, and its history into the state folder: coffre log and undo work as before. So do the settings: what is private stays private. Nothing that is there is overwritten. When it is cut off, the same command goes on.":
    "Chaque fichier octet pour octet, sous le nom qu’il avait à l’import, et son historique dans le dossier d’état : coffre log et undo marchent comme avant. Les réglages aussi : ce qui est privé le reste. Rien de ce qui est là n’est remplacé. Si la commande est interrompue, la même continue.",
  "The folder to write; empty or missing": "Le dossier à écrire ; vide ou absent",
  "There is no folder {0}.": "Il n’y a pas de dossier {0}.",
  "Importing files: {0} of {1}": "Import des fichiers : {0} sur {1}",
  "Importing the history: {0} of {1}": "Import de l’historique : {0} sur {1}",
  "Indexing: {0} of {1}": "Indexation : {0} sur {1}",
  "Exporting files: {0} of {1}": "Export des fichiers : {0} sur {1}",
  "Exporting the history: {0} of {1}": "Export de l’historique : {0} sur {1}",
  "Imported {0} files, {1}, and {2} changes of their history into the vault {3}.":
    "{0} fichiers, {1}, et {2} changements de leur historique importés dans le coffre {3}.",
  "Private as before: {0}.": "Privés comme avant : {0}.",
  "The settings in {0} are not valid, so it cannot be said what is private. Put them right first.":
    "Les réglages dans {0} ne sont pas valides, on ne sait donc pas ce qui est privé. Corrigez-les d’abord.",
  "Not imported: {0}.": "Non importés : {0}.",
  "Exported {0} files, {1}, and {2} changes of their history to {3}.":
    "{0} fichiers, {1}, et {2} changements de leur historique exportés dans {3}.",
  "Name the database: --database postgres://user@host/name, or COFFRE_DATABASE.":
    "Nommez la base de données : --database postgres://user@host/name, ou COFFRE_DATABASE.",
  "Name the vault in the database: --vault NAME.":
    "Nommez le coffre dans la base de données : --vault NAME.",
  "The vault {0} holds a part of {1}: import that folder again, and it goes on where it was cut off.":
    "Le coffre {0} contient une partie de {1} : importez ce dossier de nouveau, et l’import continue où il a été interrompu.",
  "The vault {0} holds something already. A folder is imported into an empty vault only; choose another name.":
    "Le coffre {0} contient déjà quelque chose. Un dossier n’est importé que dans un coffre vide ; choisissez un autre nom.",
  "{0} is no part of this vault, or differs from it. A vault is exported into an empty folder only; nothing was written.":
    "{0} ne fait pas partie de ce coffre, ou en diffère. Un coffre n’est exporté que dans un dossier vide ; rien n’a été écrit.",
  "The bytes of {0} are not in the database: restore it from a backup of the database.":
    "Les octets de {0} ne sont pas dans la base de données : restaurez-la d’une sauvegarde.",
};
