/** The texts of `coffre doctor` and `coffre reindex` on a database. */
export const doctorFrench: Readonly<Record<string, string>> = {
  "With --database it compares the contents, histories and indexes of a team's vaults with their hashes and with each other, changes nothing, and says what to do.":
    "Avec --database, compare les contenus, les historiques et les index des coffres d’une équipe avec leurs empreintes et entre eux, ne change rien, et dit quoi faire.",
  "With --database the index of a team's vault is made again from scratch: searches see the old one until it is done, and changes of that vault wait.":
    "Avec --database, l’index d’un coffre d’équipe est entièrement refait : les recherches voient l’ancien jusqu’à la fin, et les changements de ce coffre attendent.",
  "COFFRE_DATABASE counts with a --vault that is a name, and not a path.":
    "COFFRE_DATABASE compte avec un --vault qui est un nom, et non un chemin.",

  "The database has no vaults.": "La base de données n’a aucun coffre.",
  "{0}: {1} contents are those of their hashes, and fit their files.":
    "{0} : {1} contenus sont ceux de leur empreinte et conviennent à leurs fichiers.",
  "{0}: the bytes of {1} are missing, or are not those of their hash.":
    "{0} : les octets de {1} manquent, ou ne sont pas ceux de leur empreinte.",
  "Restore the database from a backup, or write them again.":
    "Restaurez la base de données depuis une sauvegarde, ou écrivez-les de nouveau.",
  "{0}: the rows of {1} do not fit their bytes.":
    "{0} : les lignes de {1} ne conviennent pas à leurs octets.",
  "Write them again, with any tool: the row is made from the bytes.":
    "Écrivez-les de nouveau, avec n’importe quel outil : la ligne se fait d’après les octets.",
  "{0}: the folder of {1} has no row, so lists do not show it.":
    "{0} : le dossier de {1} n’a pas de ligne, donc les listes ne le montrent pas.",
  "Restore the database from a backup.": "Restaurez la base de données depuis une sauvegarde.",
  "{0}: the size of the vault is counted wrongly; it is {1} bytes.":
    "{0} : la taille du coffre est mal comptée ; elle est de {1} octets.",
  "Set it, in psql: UPDATE vaults SET bytes = {0} WHERE name = '{1}';":
    "Corrigez-la, dans psql : UPDATE vaults SET bytes = {0} WHERE name = '{1}';",
  "{0}: the history leads from version to version, {1} changes.":
    "{0} : l’historique mène de version en version, {1} changements.",
  "{0}: old bytes of the changes {1} are missing or damaged: these cannot be undone.":
    "{0} : d’anciens octets des changements {1} manquent ou sont abîmés : ceux-ci ne peuvent être annulés.",
  "Restore the database from a backup if you need them.":
    "Restaurez la base de données depuis une sauvegarde si vous en avez besoin.",
  "{0}: the rows of the changes {1} contradict each other.":
    "{0} : les lignes des changements {1} se contredisent.",
  "Restore the database from a backup; the files themselves are not concerned.":
    "Restaurez la base de données depuis une sauvegarde ; les fichiers eux-mêmes ne sont pas concernés.",
  "{0}: the history does not lead from version to version: {1}.":
    "{0} : l’historique ne mène pas de version en version : {1}.",
  "Rows were changed by hand, or a backup was restored in parts. Compare with a backup.":
    "Des lignes ont été changées à la main, ou une sauvegarde restaurée par morceaux. Comparez avec une sauvegarde.",
  "{0}: the index was not compared, because files cannot be read.":
    "{0} : l’index n’a pas été comparé, car des fichiers ne peuvent être lus.",
  "Check again when they can.": "Vérifiez de nouveau quand ils le pourront.",
  "{0}: the index is equal to a new one.": "{0} : l’index est égal à un index neuf.",
  "{0}: the index differs for {1}.": "{0} : l’index diffère pour {1}.",
  "{0}: the links differ for {1}.": "{0} : les liens diffèrent pour {1}.",
  "{0}: the index has files that are not in the vault: {1}.":
    "{0} : l’index a des fichiers qui ne sont pas dans le coffre : {1}.",
  "{0}: words are counted wrongly: {1}.": "{0} : des mots sont mal comptés : {1}.",
  "{0}: the totals of the index are wrong.": "{0} : les totaux de l’index sont faux.",
  "Make it again: coffre reindex --database URL --vault {0}":
    "Refaites-le : coffre reindex --database URL --vault {0}",
  "{0}: every link leads to a file.": "{0} : chaque lien mène à un fichier.",
  "{0}: links that lead to no file: {1}.": "{0} : liens qui ne mènent à aucun fichier : {1}.",
};
