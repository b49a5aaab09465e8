/** What commands answer, sentence by sentence. `{0}` stands for a path, a number or another value. */
export const repliesFrench: Readonly<Record<string, string>> = {
  // Changes.
  "Created {0}: {1}.": "Créé {0} : {1}.",
  "Replaced {0}: {1}.": "Remplacé {0} : {1}.",
  "Edited {0}: {1}.": "Modifié {0} : {1}.",
  "Added at the top of {0}: {1}.": "Ajouté au début de {0} : {1}.",
  "Added at the bottom of {0}: {1}.": "Ajouté à la fin de {0} : {1}.",
  "{0} → {1} lines.": "{0} → {1} lignes.",
  "Moved {0} to {1}.": "Déplacé {0} vers {1}.",
  "Rewrote {0} link in {1} file.": "{0} lien réécrit dans {1} fichier.",
  "Rewrote {0} links in {1} file.": "{0} liens réécrits dans {1} fichier.",
  "Rewrote {0} links in {1} files.": "{0} liens réécrits dans {1} fichiers.",
  "Left {0} link to the old path, which could not be changed: {1}.":
    "{0} lien vers l’ancien chemin n’a pas pu être changé : {1}.",
  "Left {0} links to the old path, which could not be changed: {1}.":
    "{0} liens vers l’ancien chemin n’ont pas pu être changés : {1}.",
  "Deleted {0}: {1}.": "Supprimé {0} : {1}.",
  "{0} is already there.": "{0} y est déjà.",
  "Nothing had to be changed.": "Il n’y avait rien à changer.",
  "History: {0}.": "Historique : {0}.",
  "History: {0}; undo brings it back.": "Historique : {0} ; coffre undo le ramène.",
  "The change is made, but tree.md and the search index could not follow it: {0}":
    "Le changement est fait, mais tree.md et l’index de recherche n’ont pas pu le suivre : {0}",
  "To replace it: {0}, or --if-hash with the hash from: {1}":
    "Pour le remplacer : {0}, ou --if-hash avec le hash donné par : {1}",
  "{0} does not exist (any more), so it has no version {1}. Leave out --if-hash to create it.":
    "{0} n’existe pas (ou plus), il n’a donc pas de version {1}. Enlevez --if-hash pour le créer.",
  "{0} is too large to have a hash; call again without --if-hash.":
    "{0} est trop grand pour avoir un hash ; recommencez sans --if-hash.",

  // History.
  "No change yet.": "Aucun changement pour l’instant.",
  "created {0}": "créé {0}",
  "changed {0}": "modifié {0}",
  "deleted {0}": "supprimé {0}",
  "restored {0}": "rétabli {0}",
  "moved {0} to {1}": "déplacé {0} vers {1}",
  "created {0} and one more": "créé {0} et un autre",
  "changed {0} and one more": "modifié {0} et un autre",
  "deleted {0} and one more": "supprimé {0} et un autre",
  "restored {0} and one more": "rétabli {0} et un autre",
  "moved {0} to {1} and one more": "déplacé {0} vers {1} et un autre",
  "created {0} and {1} more": "créé {0} et {1} autres",
  "changed {0} and {1} more": "modifié {0} et {1} autres",
  "deleted {0} and {1} more": "supprimé {0} et {1} autres",
  "restored {0} and {1} more": "rétabli {0} et {1} autres",
  "moved {0} to {1} and {2} more": "déplacé {0} vers {1} et {2} autres",
  "(undone)": "(annulé)",
  "(undoes {0})": "(annule {0})",
  "(batch {0})": "(lot {0})",
  "Undid {0}.": "Annulé {0}.",
  "To undo it all the same: {0}": "Pour l’annuler tout de même : {0}",

  // Init and serve.
  "Made {0} file in {1}": "{0} fichier créé dans {1}",
  "Made {0} files in {1}": "{0} fichiers créés dans {1}",
  "Nothing to do: the vault in {0} has all its files.":
    "Rien à faire : le coffre dans {0} a tous ses fichiers.",
  "Next:": "Ensuite :",
  "To leave out --vault: {0}": "Pour se passer de --vault : {0}",
  "Serving {0} (pid {1}). Stop it with Ctrl-C.": "Sert {0} (pid {1}). Pour l’arrêter : Ctrl-C.",
  "Serving the vaults of a database at {0} (pid {1}). Stop it with Ctrl-C.":
    "Sert les coffres d’une base de données à {0} (pid {1}). Pour l’arrêter : Ctrl-C.",
  "The page is at {0}.": "La page est à {0}.",
  "This link works once, for 10 minutes:": "Ce lien marche une fois, pendant 10 minutes :",
  "Opened {0} in the browser.": "{0} est ouvert dans le navigateur.",
  "No browser could be opened here.": "Aucun navigateur n’a pu être ouvert ici.",
  "The search index is rebuilt: {0}.": "L’index de recherche est reconstruit : {0}.",
  "Indexing [{0}] {1} of {2} files": "Indexation [{0}] {1} fichiers sur {2}",
  "Scanning the vault": "Examen du coffre",
  "Internal error; please report it:": "Erreur interne ; merci de la signaler :",

  "No folder is private.": "Aucun dossier n’est privé.",
  "Private, and hidden from models:": "Privé, et caché aux modèles :",

  // Status.
  Vault: "Coffre",
  Content: "Contenu",
  Hidden: "Caché",
  "{0} by .coffreignore": "{0} par .coffreignore",
  Unlisted: "Hors liste",
  "{0} by .gitignore or by name": "{0} par .gitignore ou par leur nom",
  State: "État",
  History: "Historique",
  Index: "Index",
  Service: "Service",
  Version: "Version",
  Page: "Page",
  Watcher: "Surveillance",
  Pending: "En attente",
  Model: "Modèle",
  Today: "Aujourd’hui",
  "models used {0} tokens": "les modèles ont utilisé {0} tokens",
  "models used {0} of {1} tokens": "les modèles ont utilisé {0} tokens sur {1}",
  "models used {0} of {1} tokens; they are asked again tomorrow":
    "les modèles ont utilisé {0} tokens sur {1} ; ils sont sollicités à nouveau demain",
  Inbox: "Réception",
  Queue: "File",
  Deep: "Par le sens",
  "Last event": "Dernier événement",
  "Last error": "Dernière erreur",
  Alarm: "Alarme",
  "Left as is": "Laissé tel quel",
  "{0} in {1}, {2} tokens": "{0} dans {1}, {2} tokens",
  "{0} in {1}, {2}, up to date": "{0} en {1}, {2}, à jour",
  "{0} in {1}, {2}, {3} to look at": "{0} en {1}, {2}, {3} à examiner",
  "{0} in {1}, {2}": "{0} en {1}, {2}",
  "{0}, {1}": "{0}, {1}",
  "no service running": "aucun service ne tourne",
  "running with pid {0} since {1}, version {2}": "tourne avec le pid {0} depuis {1}, version {2}",
  "none: coffre serve has one": "aucune : coffre serve en a une",
  "{0} (coffre open lets you in)": "{0} (coffre open vous fait entrer)",
  "alive, {0}": "en marche, {0}",
  "not alive, {0}": "arrêtée, {0}",
  "up to date": "à jour",
  "{0} to look at": "{0} à examiner",
  "none: notes wait in the inbox, questions get the passages":
    "aucun : les notes attendent en réception, les questions reçoivent les passages",
  "{0} cannot be used: {1}": "{0} ne peut pas être utilisé : {1}",
  "nothing waits": "rien n’attend",
  "{0} to answer": "{0} à traiter",
  empty: "vide",
  "{0} running, {1} waiting": "{0} en cours, {1} en attente",
  "by words, while the model is opened": "par les mots, pendant l’ouverture du modèle",
  "by words: no model": "par les mots : pas de modèle",
  "by words: {0}": "par les mots : {0}",
  "by meaning, {0}": "par le sens, {0}",
  "none yet": "aucun pour l’instant",
  none: "aucune",
  "{0} more": "{0} de plus",

  // Doctor.
  ok: "ok",
  fixed: "réparé",
  PROBLEM: "PROBLÈME",
  "Every link leads to a file.": "Chaque lien mène à un fichier.",
  "Links that lead to no file: {0}.": "Liens qui ne mènent à aucun fichier : {0}.",
  "The vault {0} can be written to.": "Le coffre {0} est accessible en écriture.",
  "The state folder {0} can be written to.": "Le dossier d’état {0} est accessible en écriture.",
  "The vault {0} cannot be written to.": "Le coffre {0} n’est pas accessible en écriture.",
  "The state folder {0} cannot be written to.":
    "Le dossier d’état {0} n’est pas accessible en écriture.",
  "Give yourself the right to: chmod u+rwx, or chown, on {0}.":
    "Donnez-vous-en le droit : chmod u+rwx, ou chown, sur {0}.",
  "The vault {0} has only {1} of room left.": "Le coffre {0} n’a plus que {1} de place.",
  "The state folder {0} has only {1} of room left.":
    "Le dossier d’état {0} n’a plus que {1} de place.",
  "Make room on that disk: nothing is lost when it is full, but nothing can be written.":
    "Faites de la place sur ce disque : rien n’est perdu quand il est plein, mais rien ne peut être écrit.",
  "The history has {0} changes, {1}.": "L’historique a {0} changements, {1}.",
  "The history cannot be read: {0}": "L’historique ne peut pas être lu : {0}",
  "Move {0} away: a new one is begun, and the old one stays readable.":
    "Déplacez {0} : un nouveau est commencé, et l’ancien reste lisible.",
  "No service runs; commands work by themselves.":
    "Aucun service ne tourne ; les commandes travaillent seules.",
  "A service runs (pid {0}) and its file watcher receives events.":
    "Un service tourne (pid {0}) et sa surveillance reçoit les événements.",
  "The file watcher of the service (pid {0}) receives no events.":
    "La surveillance du service (pid {0}) ne reçoit pas d’événements.",
  "Stop it and start it again: coffre serve.": "Arrêtez-le et relancez-le : coffre serve.",
  "Frontmatter, tree.md and the index ({0} files in {1} sections) are right.":
    "Le frontmatter, tree.md et l’index ({0} fichiers en {1} sections) sont justes.",
  "Files that had changed unnoticed: {0}; gone: {1}. Frontmatter, tree.md and index follow.":
    "Fichiers changés sans avoir été vus : {0} ; disparus : {1}. Frontmatter, tree.md et index suivent.",
  "The frontmatter of {0} is left as it is: {1}.":
    "Le frontmatter de {0} est laissé tel quel : {1}.",
  "{0} is not UTF-8 text, and is not searched.":
    "{0} n’est pas du texte UTF-8, et n’est pas cherché.",
  "Save it as UTF-8 in any editor; it is searched when the file changes.":
    "Enregistrez-le en UTF-8 dans n’importe quel éditeur ; il est cherché quand le fichier change.",
  "Correct it in any editor; it is checked again when the file changes.":
    "Corrigez-le dans n’importe quel éditeur ; il est revérifié quand le fichier change.",
  "The last error was: {0}": "La dernière erreur était : {0}",
  "1 folder can be watched.": "1 dossier peut être surveillé.",
  "{0} folders can be watched.": "{0} dossiers peuvent être surveillés.",
  "The vault has {0} folders, and this system lets a user watch {1}.":
    "Le coffre a {0} dossiers, et ce système permet à un utilisateur d’en surveiller {1}.",
  "Raise it: {0}": "Augmentez-le : {0}",
  "Until it is fixed, deep searches by words.":
    "Tant que ce n’est pas réparé, deep cherche par les mots.",
  "Deep search goes by words: {0}.": "La recherche par le sens se fait par les mots : {0}.",
  "It is switched off in coffre.json": "Elle est désactivée dans coffre.json",
  "The settings ask for an embedding server, but name none":
    "Les réglages demandent un serveur de plongement, mais n’en nomment aucun",
  "QMD is not installed, and no embedding server is named":
    "QMD n’est pas installé, et aucun serveur de plongement n’est nommé",
  "Set COFFRE_EMBED_URL and COFFRE_EMBED_MODEL.":
    "Définissez COFFRE_EMBED_URL et COFFRE_EMBED_MODEL.",
  "Either install it (npm install -g @tobilu/qmd@2.8, 1.1 GB) and run coffre models --download, or set COFFRE_EMBED_URL and COFFRE_EMBED_MODEL.":
    "Soit installez-le (npm install -g @tobilu/qmd@2.8, 1,1 Go) et lancez coffre models --download, soit définissez COFFRE_EMBED_URL et COFFRE_EMBED_MODEL.",
  "Deep search sends sections and questions to {0} ({1}), and compares them here.":
    "La recherche par le sens envoie sections et questions à {0} ({1}), et les compare ici.",
  "Deep search uses QMD {0} with {1}, on this machine alone.":
    "La recherche par le sens utilise QMD {0} avec {1}, sur cette machine seulement.",
  "Fetch it with coffre models --download.": "Téléchargez-le avec coffre models --download.",
  "Fetch what is missing with coffre models --download.":
    "Téléchargez ce qui manque avec coffre models --download.",
  "Indexed {0} files in {1} sections, {2}.": "{0} fichiers indexés en {1} sections, {2}.",
  "The running service (pid {0}) compared its index with every file: {1} changed, {2} gone.":
    "Le service en marche (pid {0}) a comparé son index avec chaque fichier : {1} changés, {2} disparus.",

  // Inbox, remember, ingest, models.
  "Nothing waits.": "Rien n’attend.",
  "{0} has no review.": "{0} n’a pas de compte rendu.",
  "Originals:": "Originaux :",
  "Accepted as {0}. It is filed in its turn; coffre remember --wait waits for it.":
    "Accepté sous {0}. Ce sera rangé à son tour ; coffre remember --wait attend la fin.",
  "Done.": "Fait.",
  "It waits for an answer: {0}": "Cela attend une réponse : {0}",
  "To take all of it back: {0}": "Pour tout annuler : {0}",
  "Nothing is changed yet. To change all of it: {0}":
    "Rien n’est encore changé. Pour tout changer : {0}",
  "To forget it: {0}": "Pour l’oublier : {0}",
  "It was rejected.": "Cela a été refusé.",
  "Thinking: {0}": "Réfléchit : {0}",
  "Looking at the tree": "Regarde l’arborescence",
  "Looking at the tree of {0}": "Regarde l’arborescence de {0}",
  "Reading {0}": "Lit {0}",
  "Searching for {0}": "Cherche {0}",
  "Gathering {0}": "Rassemble {0}",
  "Writing {0}": "Écrit {0}",
  "Editing {0}": "Modifie {0}",
  "Adding to {0}": "Complète {0}",
  "Moving {0}": "Déplace {0}",
  "Deleting {0}": "Supprime {0}",
  "The model did not answer ({0}); again in {1} s":
    "Le modèle n’a pas répondu ({0}) ; nouvel essai dans {1} s",
  "{0} → {1} (history: {2})": "{0} → {1} (historique : {2})",
  "{0} (created)": "{0} (créé)",
  "{0} (changed)": "{0} (modifié)",
  "{0} (deleted)": "{0} (supprimé)",
  "{0} (moved)": "{0} (déplacé)",
  "No model is configured, so this waits in {0}. Answer with the name of a project to file it there.":
    "Aucun modèle n’est configuré, donc ceci attend dans {0}. Répondez avec le nom d’un projet pour l’y ranger.",
  "{0} was ingested before: {1}.": "{0} a déjà été importé : {1}.",
  "Reading {0}…": "Lecture de {0}…",
  "Listening to {0}…": "Écoute de {0}…",
  "Writing {0}…": "Écriture de {0}…",
  "Models in {0}": "Modèles dans {0}",
  "{0} (not here; about {1}): {2}": "{0} (absent ; environ {1}) : {2}",
  "{0} (not here): {1}": "{0} (absent) : {1}",
  "Finds by meaning; nothing goes without it": "Trouve par le sens ; rien ne va sans lui",
  "Rereads what was found, and puts the best first":
    "Relit ce qui a été trouvé, et met le meilleur en tête",
  "Asks the same in other words": "Pose la même question avec d’autres mots",
  "Fetching {0}: {1}": "Téléchargement de {0} : {1}",

  // Connect and service.
  "Nothing to do: {0} has {1} already, for the vault {2}.":
    "Rien à faire : {0} a déjà {1}, pour le coffre {2}.",
  "Made {0} with {1}, for the vault {2}.": "Créé {0} avec {1}, pour le coffre {2}.",
  "Added {0} to {1}, for the vault {2}.": "Ajouté {0} à {1}, pour le coffre {2}.",
  "Replaced {0} in {1}; it is for the vault {2} now.":
    "Remplacé {0} dans {1} ; c’est pour le coffre {2} maintenant.",
  "Before, it was for the vault {0}.": "Avant, c’était pour le coffre {0}.",
  "Kept of what stood there: {0}": "Gardé de ce qui s’y trouvait : {0}",
  "What stood there did not start coffre mcp; gone with it: {0}":
    "Ce qui s’y trouvait ne lançait pas coffre mcp ; partis avec : {0}",
  "The file as it was: {0}": "Le fichier tel qu’il était : {0}",
  "To give {0} the vault {1}, run:": "Pour donner à {0} le coffre {1}, lancez :",
  "To give {0} the vault {1}, put this into {2}, which --write does for you:":
    "Pour donner à {0} le coffre {1}, mettez ceci dans {2}, ce que --write fait pour vous :",
  "Or put this into {0}, which --write does for you:":
    "Ou mettez ceci dans {0}, ce que --write fait pour vous :",
  "The paths are absolute because clients may start programs without your PATH.":
    "Les chemins sont absolus car les clients peuvent lancer des programmes sans votre PATH.",
  "Start a new session of Claude Code; /mcp shows {0} there.":
    "Ouvrez une nouvelle session de Claude Code ; /mcp y montre {0}.",
  "Start a new session of Codex; /mcp shows {0} there.":
    "Ouvrez une nouvelle session de Codex ; /mcp y montre {0}.",
  "Quit Claude Desktop completely and start it again. If {0} is missing, write it again while Claude Desktop is closed.":
    "Quittez complètement Claude Desktop et relancez-le. Si {0} manque, réécrivez-le pendant que Claude Desktop est fermé.",
  "Restart Cursor. If {0} is off in its MCP settings, switch it on.":
    "Relancez Cursor. Si {0} est désactivé dans ses réglages MCP, activez-le.",
  'In VS Code, run "MCP: List Servers" and start {0}.':
    "Dans VS Code, lancez « MCP: List Servers » et démarrez {0}.",
  "It names folders of this machine: better not commit it.":
    "Il nomme des dossiers de cette machine : mieux vaut ne pas le mettre dans un dépôt.",
  "Wrote {0}. The service runs now, and whenever you log in.":
    "Écrit {0}. Le service tourne maintenant, et à chaque ouverture de session.",
  "Wrote {0}, but could not start it: {1}": "Écrit {0}, mais impossible de le lancer : {1}",
  "Nothing to do: there is no {0}.": "Rien à faire : il n’y a pas de {0}.",
  "Stopped the service and removed {0}.": "Service arrêté, {0} enlevé.",
  "Removed {0}, but could not stop it: {1}": "Enlevé {0}, mais impossible de l’arrêter : {1}",
  "Another program just changed {0}. Run this again.":
    "Un autre programme vient de changer {0}. Recommencez.",
  "{0} is a link to a file that does not exist.":
    "{0} est un lien vers un fichier qui n’existe pas.",
};

/** What is wrong with a command line. */
export const usageFrench: Readonly<Record<string, string>> = {
  "Usage: {0}": "Usage : {0}",
  "More: {0}": "Plus : {0}",
  "There is no command {0}.": "Il n’y a pas de commande {0}.",
  "There is no option {0} here; a command's own come after its name.":
    "Il n’y a pas d’option {0} ici ; celles d’une commande viennent après son nom.",
  "There is no option {0}.": "Il n’y a pas d’option {0}.",
  "For text that begins with a dash, put -- before it.":
    "Pour un texte qui commence par un tiret, mettez -- devant.",
  "{0} is given {1} times; give it once.": "{0} est donné {1} fois ; donnez-le une fois.",
  "{0} takes no value.": "{0} ne prend pas de valeur.",
  "{0} needs a value.": "{0} demande une valeur.",
  "{0} takes a whole number, not {1}.": "{0} prend un nombre entier, pas {1}.",
  "{0} takes {1}, not {2}.": "{0} prend {1}, pas {2}.",
  "{0} is one argument too many; put quotes around text with spaces.":
    "{0} est un argument de trop ; mettez des guillemets autour d’un texte avec des espaces.",
  "{0} is missing: {1}.": "{0} manque : {1}.",
  "PATH is missing: what to add.": "PATH manque : ce qu’il faut ajouter.",
  "PATH is missing: what to remove.": "PATH manque : ce qu’il faut enlever.",
  "{0} is missing; give it, or {1}.": "{0} manque ; donnez-le, ou {1}.",
  "{0} and {1} exclude each other: give one.": "{0} et {1} s’excluent : donnez-en un.",
  "{0} and {1} both say which file: give one.":
    "{0} et {1} disent tous deux quel fichier : donnez-en un.",
  "{0} and {1} name the same thing: give one.": "{0} et {1} nomment la même chose : donnez-en un.",
  "{0} and {1} are the same: give one.": "{0} et {1} sont la même chose : donnez-en un.",
  "Only one of --old-file and --new-file can be standard input.":
    "Un seul de --old-file et --new-file peut être l’entrée standard.",
  "--force replaces any version and --if-hash only one: give one of them.":
    "--force remplace n’importe quelle version et --if-hash une seule : donnez l’un des deux.",
  "Say where the text goes: either --top or --bottom.":
    "Dites où va le texte : soit --top, soit --bottom.",
  "There is no text.": "Il n’y a pas de texte.",
  "Give it as an argument after the path, or on standard input.":
    "Donnez-le en argument après le chemin, ou par l’entrée standard.",
  "Give it as an argument, on standard input, or with --file.":
    "Donnez-le en argument, par l’entrée standard, ou avec --file.",
  "Give it on standard input, or name a file.":
    "Donnez-le par l’entrée standard, ou nommez un fichier.",
  "Standard input is a terminal. Pipe a file into it: coffre ingest - < FILE.":
    "L’entrée standard est un terminal. Donnez-lui un fichier : coffre ingest - < FILE.",
  "Standard input can be ingested only once.":
    "L’entrée standard ne peut être importée qu’une fois.",
  "--name is for standard input: give - as FILE.":
    "--name est pour l’entrée standard : donnez - comme FILE.",
  "ID is empty. List the changes with: coffre log.":
    "ID est vide. Listez les changements avec : coffre log.",
  "QUERY is missing: words, or dates alone to list what happened.":
    "QUERY manque : des mots, ou des dates seules pour lister ce qui s’est passé.",
  "REF is missing: which item to {0}.": "REF manque : l’élément que vise {0}.",
  "ANSWER is missing: where the item belongs.": "ANSWER manque : la place de l’élément.",
  "--limit must be 1 or more, not {0}.": "--limit doit être 1 ou plus, pas {0}.",
  "--preview is for clients that change something; search only looks.":
    "--preview est pour les clients qui changent quelque chose ; search ne fait que regarder.",
  "{0} proposes changes to {1}.": "{0} propose de changer {1}.",
  "--write bounds the profile update; the others take no paths.":
    "--write limite le profil update ; les autres ne prennent pas de chemins.",
  "--max-tokens takes {0} or more, not {1}.": "--max-tokens prend {0} ou plus, pas {1}.",
  "--port takes a number from 0 to 65535, not {0}.":
    "--port prend un nombre de 0 à 65535, pas {0}.",
  "--host takes a name or an address of this machine, {0} for example.":
    "--host prend un nom ou une adresse de cette machine, {0} par exemple.",
  "Lines after the path say what to show: leave out --head, --tail and --folded.":
    "Les lignes après le chemin disent quoi montrer : enlevez --head, --tail et --folded.",
};
