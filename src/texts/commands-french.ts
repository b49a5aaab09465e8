/** What the help says, by its English text. */
export const commandsFrench: Readonly<Record<string, string>> = {
  // The frame of every help.
  "coffre: a vault of plain markdown that people and AI agents share safely":
    "coffre : un coffre de markdown que personnes et agents IA partagent sans risque",
  "Arguments:": "Arguments :",
  "Options:": "Options :",
  "Everywhere:": "Partout :",
  "Examples:": "Exemples :",
  "Look:": "Regarder :",
  "Change:": "Modifier :",
  "History:": "Historique :",
  "Vault:": "Coffre :",
  "Help:": "Aide :",
  ":": " :",
  or: "ou",
  "Without a command: coffre status, or this help while there is no vault":
    "Sans commande : coffre status, ou cette aide tant qu’il n’y a pas de coffre",
  "Show the version (before any command)": "Afficher la version (avant toute commande)",
  "More about a command: coffre COMMAND --help":
    "Pour en savoir plus sur une commande : coffre COMMAND --help",

  // Options of every command.
  "The vault's folder (else $COFFRE_VAULT, else ~/coffre)":
    "Le dossier du coffre (sinon $COFFRE_VAULT, sinon ~/coffre)",
  "Where its history is kept (else $COFFRE_STATE, else a folder of its own)":
    "Où est gardé son historique (sinon $COFFRE_STATE, sinon un dossier à lui)",
  "Print JSON, for programs": "Afficher du JSON, pour les programmes",
  "Show this help": "Afficher cette aide",

  // Look.
  "Show folders and files with their tokens and last change":
    "Afficher dossiers et fichiers avec leurs tokens et leur dernier changement",
  "A folder or file; the whole vault when left out":
    "Un dossier ou un fichier ; tout le coffre par défaut",
  "Unfold only N levels; 0 for the line alone": "Ne déplier que N niveaux ; 0 pour la seule ligne",
  "Show files with numbered lines": "Afficher des fichiers avec leurs lignes numérotées",
  "With --json each file comes with its hash, which edit and write take as --if-hash.":
    "Avec --json, chaque fichier est donné avec son hash, que edit et write prennent par --if-hash.",
  "Files, with :9-14 only these lines; or folders for the files directly in them":
    "Des fichiers, avec :9-14 ces lignes seulement ; ou des dossiers, pour les fichiers qui s’y trouvent",
  "Only the first lines, about N tokens": "Seulement les premières lignes, environ N tokens",
  "Only the last lines, about N tokens": "Seulement les dernières lignes, environ N tokens",
  "Only the headings, with the size of what is under each":
    "Seulement les titres, avec la taille de ce que chacun contient",
  "Find sections of files": "Trouver des passages de fichiers",
  'Words, "an exact phrase" in quotes of its own, -excluded; several wordings of one question. None with dates: what happened':
    'Des mots, "une phrase exacte" entre ses propres guillemets, -exclu ; plusieurs formulations d’une question. Aucun avec des dates : ce qui s’est passé',
  "By words, or slower by meaning": "Par les mots, ou plus lentement par le sens",
  "Only these paths; may be repeated": "Seulement ces chemins ; peut être répété",
  'Not before: 2026-01-31, or "3 weeks ago"': 'Pas avant : 2026-01-31, ou "3 weeks ago"',
  "Not after": "Pas après",
  "At most N results; else what fits into about 1,500 tokens":
    "Au plus N résultats ; sinon ce qui tient dans environ 1 500 tokens",
  "Assemble files and line ranges into one text":
    "Assembler des fichiers et des plages de lignes en un texte",
  "Files in order, each with the lines to take: notes.md:9-14, or :9 for one":
    "Des fichiers dans l’ordre, chacun avec les lignes à prendre : notes.md:9-14, ou :9 pour une seule",
  "Answer a question from the vault, with the sources":
    "Répondre à une question d’après le coffre, avec les sources",
  "With a model (COFFRE_MODEL) an agent looks for the answer and writes a few lines above the sources; without one, the passages that have the words of the question are shown.":
    "Avec un modèle (COFFRE_MODEL), un agent cherche la réponse et écrit quelques lignes au-dessus des sources ; sans modèle, les passages qui ont les mots de la question sont affichés.",
  "In plain words": "Avec vos mots",
  "Show what waits for an answer, and answer it":
    "Afficher ce qui attend une réponse, et y répondre",
  "Without a model, an answer is the name of a project (or bucket): the item is filed there.":
    "Sans modèle, une réponse est le nom d’un projet (ou bucket) : l’élément y est rangé.",
  "list (default), show or answer": "list (par défaut), show ou answer",
  "The item: the name of its folder": "L’élément : le nom de son dossier",
  "In plain words; a project's name is enough": "Avec vos mots ; le nom d’un projet suffit",
  "With answer: until it is filed": "Avec answer : attendre que ce soit rangé",

  // Change.
  "Hand over a text or files, to be filed where they belong":
    "Confier un texte ou des fichiers, pour qu’ils soient rangés à leur place",
  "Keep folders from models: for agents and AI clients they do not exist":
    "Cacher des dossiers aux modèles : pour les agents et les clients IA, ils n’existent pas",
  "list (default), add or remove": "list (par défaut), add ou remove",
  "A folder or file of the vault": "Un dossier ou fichier du coffre",
  "What is private is never sent to a model or an embedding server; commands and the page show it as before. A note that says private: true in its frontmatter is private too, wherever it is.":
    "Ce qui est privé n’est jamais envoyé à un modèle ni à un serveur d’embeddings ; les commandes et la page le montrent comme avant. Une note dont l’en-tête dit private: true est privée aussi, où qu’elle soit.",
  "TEXT is your own word. What --file and standard input say may be written by others: it is only added to inbox and buckets, unless --trust. With a model (COFFRE_MODEL) an agent files it; without one, or when it is unsure, it waits in the inbox with a question. A running service files it in its turn; without one, this command does so before it ends.":
    "TEXT est votre propre parole. Ce que disent --file et l’entrée standard peut venir d’autrui : cela s’ajoute seulement à la boîte de réception et aux buckets, sauf avec --trust. Avec un modèle (COFFRE_MODEL), un agent le range ; sans modèle, ou en cas de doute, il attend dans la boîte de réception avec une question. Un service en marche le range à son tour ; sans service, cette commande le fait avant de finir.",
  "What to remember; standard input when - or when nothing else is given":
    "Ce qu’il faut retenir ; l’entrée standard avec - ou quand rien d’autre n’est donné",
  "A file of this machine: text, picture, PDF, mail, …; may be repeated":
    "Un fichier de cette machine : texte, image, PDF, courriel, … ; peut être répété",
  "The inbox item that this answers": "L’élément de la boîte de réception auquel ceci répond",
  "The text of the files or of standard input is mine: let it change more than inbox and buckets":
    "Le texte des fichiers ou de l’entrée standard est de moi : il peut changer plus que la boîte de réception et les buckets",
  "Until it is filed, and not only until it is safe":
    "Attendre que ce soit rangé, et pas seulement en sûreté",
  "What it changes or hands over waits for your yes": "Ce qu’il change ou remet attend votre oui",
  "Show what would be changed, and change nothing until --accept":
    "Montrer ce qui serait changé, et ne rien changer avant --accept",
  "Make all changes of a preview, or none when a file changed since":
    "Faire tous les changements d’un aperçu, ou aucun si un fichier a changé depuis",
  "Forget a preview: nothing was changed": "Oublier un aperçu : rien n’a été changé",
  "Create a file, or replace one": "Créer un fichier, ou en remplacer un",
  "Frontmatter keys of an existing file that the new text leaves out are kept.":
    "Les clés de frontmatter d’un fichier existant que le nouveau texte omet sont gardées.",
  "The file": "Le fichier",
  "The whole text; standard input when left out or -":
    "Le texte entier ; l’entrée standard par défaut ou avec -",
  "The same as TEXT after the path": "La même chose que TEXT après le chemin",
  "Replace whatever is there": "Remplacer quoi que ce soit",
  "Replace only this version (coffre read PATH --json gives its hash)":
    "Ne remplacer que cette version (coffre read PATH --json donne son hash)",
  "The last line ending of a FILE counts only if the other text has one too, so that both can be mixed with arguments.":
    "La dernière fin de ligne d’un FILE ne compte que si l’autre texte en a une aussi, pour pouvoir mêler fichiers et arguments.",
  "The passage: unique in the file, or with its line numbers as read shows them":
    "Le passage : unique dans le fichier, ou avec ses numéros de lignes comme read les affiche",
  'What replaces it; "" removes it': 'Ce qui le remplace ; "" l’enlève',
  "The passage from a file, or - for standard input":
    "Le passage pris dans un fichier, ou - pour l’entrée standard",
  "The replacement from a file, or - for standard input":
    "Le remplacement pris dans un fichier, ou - pour l’entrée standard",
  "Edit only this version (coffre read PATH --json gives its hash)":
    "Ne modifier que cette version (coffre read PATH --json donne son hash)",
  "Add text at the top or bottom of a file": "Ajouter du texte au début ou à la fin d’un fichier",
  "The file; it is created when missing": "Le fichier ; il est créé s’il manque",
  "What to add; standard input when left out or -":
    "Ce qu’il faut ajouter ; l’entrée standard par défaut ou avec -",
  "Right after the frontmatter, as for a changelog":
    "Juste après le frontmatter, comme pour un journal",
  "At the end": "À la fin",
  "Move or rename a file or folder": "Déplacer ou renommer un fichier ou un dossier",
  "Never replaces anything. Links to what moved are rewritten, so that they still lead there.":
    "Ne remplace jamais rien. Les liens vers ce qui a été déplacé sont réécrits, pour qu’ils y mènent encore.",
  "Leave the links to it, and its own, as they are written":
    "Laisser les liens vers lui, et les siens, tels qu’ils sont écrits",
  "The file or folder": "Le fichier ou le dossier",
  "Its new path, or the folder to put it in": "Son nouveau chemin, ou le dossier où le mettre",
  "Delete a file, or a folder with all under it":
    "Supprimer un fichier, ou un dossier avec tout ce qu’il contient",
  "The reply gives the id with which coffre undo brings it back.":
    "La réponse donne l’identifiant avec lequel coffre undo le ramène.",
  "Take files in: PDF, Office, mails, web pages, archives, images, audio":
    "Importer des fichiers : PDF, Office, courriels, pages web, archives, images, sons",
  "Each file becomes a note of markdown, an image stays one. A file that was ingested before is recognised by its content. What a note says was written by others: it is marked untrusted.":
    "Chaque fichier devient une note en markdown, une image reste une image. Un fichier déjà importé est reconnu à son contenu. Ce que dit une telle note a été écrit par d’autres : elle est marquée comme non fiable.",
  "Files of this machine; - is standard input":
    "Des fichiers de cette machine ; - est l’entrée standard",
  "Where the notes go: vault/bucket/": "Où vont les notes : vault/bucket/",
  "Keep each file itself beside its note": "Garder chaque fichier à côté de sa note",
  "What to call standard input": "Comment appeler l’entrée standard",

  // History.
  "List the changes, newest first": "Lister les changements, les plus récents d’abord",
  "Only what touched this file, or something under this folder":
    "Seulement ce qui a touché ce fichier, ou quelque chose dans ce dossier",
  "At most N changes, 20 when left out": "Au plus N changements, 20 par défaut",
  "Show what a change did, line by line": "Afficher ce qu’un changement a fait, ligne par ligne",
  "The id of a batch shows all its changes, oldest first.":
    "L’identifiant d’un lot affiche tous ses changements, les plus anciens d’abord.",
  "From coffre log; its beginning is enough": "Donné par coffre log ; son début suffit",
  "Take back a change, or all changes of a batch":
    "Annuler un changement, ou tous les changements d’un lot",
  "An undo is a change like any other: it can itself be undone.":
    "Une annulation est un changement comme un autre : elle peut elle-même être annulée.",
  "From coffre log, its beginning is enough; or last, for the newest change":
    "Donné par coffre log, son début suffit ; ou last, pour le changement le plus récent",
  "Even if the file changed since; what is there now stays in the history":
    "Même si le fichier a changé depuis ; ce qui s’y trouve reste dans l’historique",

  // Vault.
  "Keep the vault in order, and answer other programs":
    "Tenir le coffre en ordre, et répondre aux autres programmes",
  "Runs until Ctrl-C or SIGTERM; meanwhile other commands ask it by themselves. Prints a link that lets one browser in; coffre open makes more. Scripts send the token as Authorization: Bearer T. On another --host than this machine's own, traffic is not encrypted: put a proxy with TLS before it.":
    "Tourne jusqu’à Ctrl-C ou SIGTERM ; pendant ce temps, les autres commandes s’adressent à lui d’elles-mêmes. Affiche un lien qui laisse entrer un navigateur ; coffre open en fait d’autres. Les scripts envoient le jeton par Authorization: Bearer T. Sur un autre --host que celui de cette machine, les échanges ne sont pas chiffrés : mettez un proxy avec TLS devant.",
  "Where browsers and HTTP reach it: 4117; 0 picks one":
    "Où navigateurs et HTTP le joignent : 4117 ; 0 en choisit un",
  "The address to listen on: 127.0.0.1, this machine only":
    "L’adresse à écouter : 127.0.0.1, cette machine seulement",
  "What HTTP callers must show (else $COFFRE_TOKEN, else one kept in the state folder)":
    "Ce que les appels HTTP doivent présenter (sinon $COFFRE_TOKEN, sinon un jeton gardé dans le dossier d’état)",
  "Open the page in the browser": "Ouvrir la page dans le navigateur",
  "--database serves all vaults of a database, and --vault {0} one folder: give one of them.":
    "--database sert tous les coffres d’une base de données, et --vault {0} un dossier : donnez l’un des deux.",
  "Serve all vaults of a PostgreSQL, as one of several replicas: postgres://… (else $COFFRE_DATABASE)":
    "Servir tous les coffres d’un PostgreSQL, comme l’une de plusieurs répliques : postgres://… (sinon $COFFRE_DATABASE)",
  "With --database: where browsers reach it through a proxy (else $COFFRE_PUBLIC_URL)":
    "Avec --database : où les navigateurs le joignent à travers un proxy (sinon $COFFRE_PUBLIC_URL)",
  "With --database: how long it says that it is not ready before it stops; 0":
    "Avec --database : combien de temps il se dit indisponible avant de s’arrêter ; 0",
  "Open the running service's page in the browser":
    "Ouvrir la page du service en marche dans le navigateur",
  "Asks the service for a link that lets one browser in, once. Prints it when no browser can be opened here.":
    "Demande au service un lien qui laisse entrer un navigateur, une fois. L’affiche quand aucun navigateur ne peut être ouvert ici.",
  "Give an AI client the tools, over MCP on standard input and output":
    "Donner les outils à un client IA, par MCP sur l’entrée et la sortie standard",
  "For the configuration of a client, which starts it and ends it. Several may run on one vault at once, with or without coffre serve: one of them keeps the vault in order, and another takes its place when it ends.":
    "Pour la configuration d’un client, qui la lance et l’arrête. Plusieurs peuvent tourner sur un coffre à la fois, avec ou sans coffre serve : l’une tient le coffre en ordre, et une autre prend sa place quand elle finit.",
  "update: look and change (default); search: look and assemble; memory: hand over and ask, without files":
    "update : regarder et modifier (par défaut) ; search : regarder et assembler ; memory : confier et demander, sans fichiers",
  "What it may change, like projects/x/**; everything when left out":
    "Ce qu’il peut changer, comme projects/x/** ; tout, si rien n’est dit",
  "What search and tree may show at once: 8000":
    "Ce que search et tree peuvent montrer à la fois : 8000",
  "Show or write the configuration that gives an AI client the vault":
    "Afficher ou écrire la configuration qui donne le coffre à un client IA",
  "Without --write it only prints: the configuration on standard output, and where it goes on standard error. A client can have several profiles at once, each a server of its own.":
    "Sans --write, ne fait qu’afficher : la configuration sur la sortie standard, et sa place sur l’erreur standard. Un client peut avoir plusieurs profils à la fois, chacun étant un serveur à part.",
  "One of {0}": "L’un de {0}",
  "The client's file for all you do (default), or for this folder":
    "Le fichier du client pour tout ce que vous faites (par défaut), ou pour ce dossier",
  "Another file than the client's own": "Un autre fichier que celui du client",
  "Write it; the file as it was is kept beside it":
    "L’écrire ; le fichier tel qu’il était est gardé à côté",
  "Have the system start coffre serve when you log in, and keep it running":
    "Faire lancer coffre serve par le système à l’ouverture de session, et le garder en marche",
  "A systemd unit of this user on Linux, a launchd agent on macOS; one for each vault. On Windows, let the Task Scheduler run coffre serve at log-on.":
    "Une unité systemd de cet utilisateur sous Linux, un agent launchd sous macOS ; un par coffre. Sous Windows, faites lancer coffre serve par le Planificateur de tâches à l’ouverture de session.",
  "install, uninstall, or print what install would write":
    "install, uninstall, ou print pour voir ce que install écrirait",
  "Where browsers and HTTP reach it: 4117": "Où navigateurs et HTTP le joignent : 4117",
  "Make a vault, or add what is missing in one":
    "Créer un coffre, ou ajouter ce qui manque à un coffre",
  "Never touches a file that exists.": "Ne touche jamais à un fichier existant.",
  "Its folder; the usual one when left out": "Son dossier ; celui d’usage par défaut",
  "With a small lived-in vault to try things on": "Avec un petit coffre déjà vécu, pour essayer",
  "Language of the files, that of the system when left out":
    "Langue des fichiers, celle du système par défaut",
  "Show which vault is used, how large it is, and whether a service runs":
    "Afficher quel coffre est utilisé, sa taille, et si un service tourne",
  "Check the vault and all that is kept of it, and fix what can be fixed":
    "Vérifier le coffre et tout ce qui en est gardé, et réparer ce qui peut l’être",
  "Compares frontmatter, tree.md and the search index with every file, and makes them right. Never changes a person's text.":
    "Compare le frontmatter, tree.md et l’index de recherche avec chaque fichier, et les corrige. Ne change jamais le texte de quelqu’un.",
  "Rebuild the search index": "Reconstruire l’index de recherche",
  "Not needed in ordinary use: a search indexes what changed by itself. A running service compares its index with every file instead of rebuilding it.":
    "Inutile en temps normal : une recherche indexe d’elle-même ce qui a changé. Un service en marche compare son index avec chaque fichier au lieu de le reconstruire.",
  "Rebuild from scratch; stop the service first": "Tout reconstruire ; arrêtez d’abord le service",
  "Show, choose and fetch the local models of deep search":
    "Afficher, choisir et télécharger les modèles locaux de la recherche par le sens",
  "Needs QMD (npm install -g @tobilu/qmd@2.8). A choice is kept for this vault; another embedding model embeds everything again, and the vectors of the old one are kept. Files lie in QMD's own folder, or in $COFFRE_MODELS; $HF_ENDPOINT names a mirror.":
    "Demande QMD (npm install -g @tobilu/qmd@2.8). Un choix est gardé pour ce coffre ; un autre modèle de plongement recalcule tout, et les vecteurs de l’ancien sont gardés. Les fichiers sont dans le dossier de QMD, ou dans $COFFRE_MODELS ; $HF_ENDPOINT nomme un miroir.",
  "Fetch those that are missing; goes on where it broke off":
    "Télécharger ceux qui manquent ; reprend là où il s’est arrêté",
  "Only this one; may be repeated": "Seulement celui-ci ; peut être répété",
  "Choose an embedding model for French and a hundred other languages":
    "Choisir un modèle de plongement pour le français et cent autres langues",
  "The embedding model: hf:user/repository/file.gguf, or a file":
    "Le modèle de plongement : hf:user/repository/file.gguf, ou un fichier",
  "The model that rereads: hf:user/repository/file.gguf, or a file":
    "Le modèle qui relit : hf:user/repository/file.gguf, ou un fichier",
  "The model that asks in other words: hf:user/repository/file.gguf, or a file":
    "Le modèle qui reformule la question : hf:user/repository/file.gguf, ou un fichier",

  // Help.
  "Show in a minute what coffre does, on a temporary vault":
    "Montrer en une minute ce que fait coffre, sur un coffre temporaire",
  "Every command of the tour really runs, and can be typed on a vault of your own.":
    "Chaque commande de la visite est vraiment exécutée, et peut être tapée sur un coffre à vous.",
  "Language of the tour, that of the system when left out":
    "Langue de la visite, celle du système par défaut",
  "Print the script that completes commands, options and paths in a shell":
    "Afficher le script qui complète commandes, options et chemins dans un shell",
  "The shell: bash, zsh or fish": "Le shell : bash, zsh ou fish",
  "Show all commands, or everything about one":
    "Afficher toutes les commandes, ou tout sur l’une d’elles",
  "One of them": "L’une d’elles",
};
