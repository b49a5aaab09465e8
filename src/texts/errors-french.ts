/** What each error code means, for a message that has no French of its own: it follows the sentence as it is. */
export const codesFrench: Readonly<Record<string, string>> = {
  already_exists: "Cela existe déjà.",
  ambiguous: "Ce n’est pas assez précis.",
  busy: "C’est occupé pour l’instant.",
  conflict: "Le fichier a changé entre-temps.",
  disk_full: "Le disque est plein.",
  invalid_argument: "Cette valeur ne convient pas.",
  no_match: "Ce passage n’a pas été trouvé.",
  no_permission: "La permission manque.",
  not_a_file: "Ce n’est pas un fichier.",
  not_a_folder: "Ce n’est pas un dossier.",
  not_found: "C’est introuvable.",
  not_text: "Ce n’est pas du texte.",
  outside_vault: "C’est hors du coffre.",
  protected: "C’est protégé.",
  too_large: "C’est trop grand.",
  unavailable: "Cela ne peut pas être fait maintenant.",
  unknown_tool: "Cet outil n’existe pas.",
  usage: "La ligne de commande ne convient pas.",
};

/** What the service and the vault refuse, sentence by sentence. `{0}` stands for a path or another value. */
export const errorsFrench: Readonly<Record<string, string>> = {
  // Of the system.
  "{0} does not exist.": "{0} n’existe pas.",
  "{0} passes through a file as if it were a folder.":
    "{0} passe par un fichier comme si c’était un dossier.",
  "{0} already exists and is not what was expected there.":
    "{0} existe déjà et n’est pas ce qui était attendu là.",
  "{0} is a folder, not a file.": "{0} est un dossier, pas un fichier.",
  "{0} cannot be opened: the system denies permission to this user.":
    "{0} ne peut pas être ouvert : le système le refuse à cet utilisateur.",
  "{0} cannot be changed: the system denies permission to this user.":
    "{0} ne peut pas être modifié : le système le refuse à cet utilisateur.",
  "{0} cannot be changed: the disk is read-only.":
    "{0} ne peut pas être modifié : le disque est en lecture seule.",
  "{0} was not written: the disk is full. Nothing was changed; free some space.":
    "{0} n’a pas été écrit : le disque est plein. Rien n’a été changé ; libérez de la place.",
  "{0} was not written: the disk quota is used up. Nothing was changed.":
    "{0} n’a pas été écrit : le quota du disque est épuisé. Rien n’a été changé.",
  "{0} has a name too long for this disk; use a shorter one.":
    "{0} a un nom trop long pour ce disque ; prenez-en un plus court.",
  "{0} is a link that leads back to itself.": "{0} est un lien qui mène à lui-même.",
  "{0} cannot be opened now: too many files are open; try again.":
    "{0} ne peut pas être ouvert maintenant : trop de fichiers sont ouverts ; réessayez.",
  "{0} is in use by the system (is a disk mounted there?).":
    "{0} est utilisé par le système (un disque y est-il monté ?).",
  "{0} keeps changing; try again.": "{0} change sans cesse ; réessayez.",
  "{0} cannot be read: the disk reports an error.":
    "{0} ne peut pas être lu : le disque signale une erreur.",

  // Paths.
  "Look with {0}.": "Regardez avec {0}.",
  "Did you mean {0}?": "Vouliez-vous dire {0} ?",
  "{0} is a file, not a folder.": "{0} est un fichier, pas un dossier.",
  "{0} is a file, not a folder; leave out the final slash.":
    "{0} est un fichier, pas un dossier ; enlevez la barre finale.",
  "{0} is a file, so nothing can be under it.": "{0} est un fichier, rien ne peut être dessous.",
  "{0} is a device, pipe or socket, not a file.":
    "{0} est un périphérique, un tube ou un socket, pas un fichier.",
  "{0} is hidden by a .coffreignore file: it is not part of the vault.":
    "{0} est caché par un fichier .coffreignore : il ne fait pas partie du coffre.",
  "{0} holds something that a .coffreignore file hides, and {1} would show it. Move its notes one by one.":
    "{0} contient quelque chose qu’un fichier .coffreignore cache, et {1} le montrerait. Déplacez ses notes une par une.",
  "{0} is a link that leaves the vault; it is not followed.":
    "{0} est un lien qui sort du coffre ; il n’est pas suivi.",
  "{0} is a link whose target is missing.": "{0} est un lien dont la cible manque.",
  "{0} is an absolute path.": "{0} est un chemin absolu.",
  "{0} leaves the vault.": "{0} sort du coffre.",
  "{0} contains a NUL byte.": "{0} contient un octet NUL.",
  "{0} names {1}: dotfiles are not part of the vault.":
    "{0} nomme {1} : les fichiers cachés ne font pas partie du coffre.",
  "Give a path inside the vault, such as {0}.":
    "Donnez un chemin à l’intérieur du coffre, comme {0}.",
  "{0} has a line break or another control character in its name; use a plain name.":
    "{0} a un saut de ligne ou un autre caractère de contrôle dans son nom ; prenez un nom simple.",
  "{0} is a folder path; give the file's name, such as {1}.":
    "{0} est un chemin de dossier ; donnez le nom du fichier, comme {1}.",
  "{0} is a folder; give a file's name in it.":
    "{0} est un dossier ; donnez le nom d’un fichier dedans.",
  "{0} is a folder; concat takes files. List it with tree, then name them.":
    "{0} est un dossier ; concat prend des fichiers. Listez-le avec coffre tree, puis nommez-les.",
  "The vault {0} is a file, not a folder.": "Le coffre {0} est un fichier, pas un dossier.",
  "The state folder {0} lies inside the vault {1}; choose one outside it.":
    "Le dossier d’état {0} est à l’intérieur du coffre {1} ; choisissez-en un dehors.",

  // Reading and searching.
  "{0} is not UTF-8 text. Convert it first: coffre ingest FILE.":
    "{0} n’est pas du texte UTF-8. Convertissez-le d’abord : coffre ingest FILE.",
  "{0} is {1}; text files up to {2} are handled. Split it, or keep it outside the vault.":
    "{0} fait {1} ; les fichiers de texte jusqu’à {2} sont pris en charge. Divisez-le, ou gardez-le hors du coffre.",
  "{0} is {1}; images up to {2} can be shown. Make it smaller first.":
    "{0} fait {1} ; les images jusqu’à {2} peuvent être montrées. Réduisez-la d’abord.",
  "{0} is an image; concat takes text. Look at it with read.":
    "{0} est une image ; concat prend du texte. Regardez-la avec coffre read.",
  "{0} has the name of an image but its bytes are not one.":
    "{0} a le nom d’une image, mais n’en est pas une.",
  "{0} has {1} lines; the range {2} starts past its end.":
    "{0} a {1} lignes ; la plage {2} commence après la fin.",
  '{0}: the range {1} is not of the form "9-14" (first and last line, from 1, first not after last).':
    '{0} : la plage {1} n’est pas de la forme "9-14" (première et dernière ligne, à partir de 1, la première pas après la dernière).',
  "head and tail exclude each other: give one, or neither for the whole file.":
    "--head et --tail s’excluent : donnez l’un, ou aucun pour tout le fichier.",
  "folded shows the headings of the whole file: give it without head and tail.":
    "--folded montre les titres de tout le fichier : donnez-le sans --head ni --tail.",
  "Cut at {0} tokens: lines {1} of {2} are left out.":
    "Coupé à {0} tokens : les lignes {1} de {2} sont omises.",
  "Cut at {0} tokens: not read at all: {1}.": "Coupé à {0} tokens : pas lus du tout : {1}.",
  "Cut at {0} tokens: left out {1}.": "Coupé à {0} tokens : {1} omis.",
  "Next: {0} for its end, or {1}.": "Ensuite : {0} pour la fin, ou {1}.",
  "Next: {0}.": "Ensuite : {0}.",
  "No match.": "Aucun résultat.",
  "No match within these scopes and dates.": "Aucun résultat dans ces chemins et à ces dates.",
  "Try other words, fewer of them, or --mode deep.":
    "Essayez d’autres mots, moins de mots, ou --mode deep.",
  "{0} more result left out to save tokens.": "{0} résultat de plus omis pour épargner des tokens.",
  "{0} more results left out to save tokens.":
    "{0} résultats de plus omis pour épargner des tokens.",
  "More than {0} results left out to save tokens.":
    "Plus de {0} résultats omis pour épargner des tokens.",
  "For the first {0}: {1}.": "Pour les {0} premiers : {1}.",
  "For all: {0}.": "Pour tous : {0}.",
  "For better ones: other words, scopes or dates.":
    "Pour de meilleurs : d’autres mots, chemins ou dates.",
  "Query {0} ({1}) only says what to leave out.":
    "La requête {0} ({1}) dit seulement quoi laisser de côté.",
  "Add words, a filter like tag:x, or dates.":
    "Ajoutez des mots, un filtre comme tag:x, ou des dates.",
  "Query {0} ({1}) has no word to look for.": "La requête {0} ({1}) n’a aucun mot à chercher.",
  '{0} is not a date. Write it like "2025-07-14", "7 days ago" or "3 months ago".':
    '{0} n’est pas une date. Écrivez-la comme "2025-07-14", "7 days ago" ou "3 months ago".',
  "--from ({0}) is after --to ({1}); swap them.":
    "--from ({0}) est après --to ({1}) ; inversez-les.",
  "The scope {0} {1}. Write it like {2}.":
    "Le chemin {0} ne convient pas ({1}). Écrivez-le comme {2}.",
  "The question has no word in it.": "La question ne contient aucun mot.",

  // Changing.
  "{0} already exists; nothing was changed. Choose another name, or delete it first.":
    "{0} existe déjà ; rien n’a été changé. Choisissez un autre nom, ou supprimez-le d’abord.",
  "{0} exists, {1}; read it first: {2}.": "{0} existe, {1} ; lisez-le d’abord : {2}.",
  "{0} was not read in this session; read it first: {1}.":
    "{0} n’a pas été lu dans cette session ; lisez-le d’abord : {1}.",
  "{0} was changed since you read it; read it again: {1}.":
    "{0} a changé depuis que vous l’avez lu ; relisez-le : {1}.",
  "{0} was changed since you read it; read it again.":
    "{0} a changé depuis que vous l’avez lu ; relisez-le.",
  "Its present hash is in: {0}": "Son hash actuel est donné par : {0}",
  "content is empty: there is nothing to add.": "Le texte est vide : il n’y a rien à ajouter.",
  "content is empty; to remove {0} use delete.":
    "Le texte est vide ; pour enlever {0} : coffre delete.",
  "old_content is empty: give the text to replace, or use append to add text.":
    "--old est vide : donnez le texte à remplacer, ou ajoutez avec coffre append.",
  "old_content is not in {0}.": "Le passage n’est pas dans {0}.",
  "old_content is not in {0} at lines {1}, nor at only one other place.":
    "Le passage n’est pas dans {0} aux lignes {1}, ni à un seul autre endroit.",
  "Nothing was changed.": "Rien n’a été changé.",
  "No line resembles it: read the file again.":
    "Aucune ligne ne lui ressemble : relisez le fichier.",
  "The file ends at line {0}.": "Le fichier finit à la ligne {0}.",
  "Line {0} differs only in how its accents are encoded: copy it from read.":
    "La ligne {0} ne diffère que par le codage de ses accents : copiez-la depuis coffre read.",
  "Line {0} differs only in spaces at its start or end.":
    "La ligne {0} ne diffère que par des espaces au début ou à la fin.",
  "Line {0} differs: you gave {1}, the file has {2}.":
    "La ligne {0} diffère : vous avez donné {1}, le fichier a {2}.",
  "The nearest lines:": "Les lignes les plus proches :",
  "The present lines:": "Les lignes actuelles :",
  "old_content appears {0} times in {1}, at lines {2}.":
    "Le passage est {0} fois dans {1}, aux lignes {2}.",
  "Give more of the text around it, or its lines with their numbers as read shows them.":
    "Donnez plus de texte autour, ou ses lignes avec leurs numéros comme coffre read les affiche.",
  "{0} holds a NUL or half a character; only text can be written.":
    "{0} contient un NUL ou un demi-caractère ; seul du texte peut être écrit.",
  "{0} is not text; nothing can be added to it.":
    "{0} n’est pas du texte ; rien ne peut y être ajouté.",
  "{0}: {1} files are not text. Use a .md file; bring other files in with coffre ingest.":
    "{0} : les fichiers {1} ne sont pas du texte. Prenez un fichier .md ; importez les autres avec coffre ingest.",
  "The frontmatter of content for {0} cannot be used: {1}.":
    "Le frontmatter du texte pour {0} ne peut pas être utilisé : {1}.",
  "vault/tree.md is generated after every change; no tool writes it.":
    "vault/tree.md est produit après chaque changement ; aucun outil ne l’écrit.",
  "vault/tree.md is generated after every change; nothing can be moved there.":
    "vault/tree.md est produit après chaque changement ; rien ne peut y être déplacé.",
  "{0} is one of the main files of the vault and cannot be moved.":
    "{0} est un des fichiers principaux du coffre et ne peut pas être déplacé.",
  "{0} is one of the main files of the vault and cannot be deleted. Edit it instead.":
    "{0} est un des fichiers principaux du coffre et ne peut pas être supprimé. Modifiez-le plutôt.",
  "{0} cannot be moved into itself.": "{0} ne peut pas être déplacé dans lui-même.",
  "{0} cannot be moved into itself ({1}).": "{0} ne peut pas être déplacé dans lui-même ({1}).",
  "{0} and {1} are on different disks; write a copy, then delete the original.":
    "{0} et {1} sont sur des disques différents ; écrivez une copie, puis supprimez l’original.",
  "{0} is a device, pipe or socket: it cannot be kept, so it is not removed.":
    "{0} est un périphérique, un tube ou un socket : il ne peut pas être gardé, donc il n’est pas supprimé.",

  // History.
  "No change has the id {0}. List them with: coffre log.":
    "Aucun changement n’a l’identifiant {0}. Listez-les avec : coffre log.",
  "Several changes begin with {0}: {1}. Give more of the id.":
    "Plusieurs changements commencent par {0} : {1}. Donnez-en davantage.",
  "{0} changed since: {1}. Nothing was undone. Undo the later change first, or force it (what is there now is kept in the history).":
    "{0} a changé depuis : {1}. Rien n’a été annulé. Annulez d’abord le changement plus récent, ou forcez (ce qui s’y trouve est gardé dans l’historique).",
  "The old bytes of this change are no longer kept.":
    "L’ancien contenu de ce changement n’est plus gardé.",
  "There is no change to take back.": "Il n’y a aucun changement à annuler.",
  "There is no change to take back but frontmatter that coffre wrote into notes. To take that back: {0}":
    "Il n’y a aucun changement à annuler, sinon le frontmatter que coffre a écrit dans les notes. Pour l’annuler : {0}",
  "Frontmatter is being written into the notes already. Wait until that is done.":
    "Du frontmatter est déjà en cours d’écriture dans les notes. Attendez que ce soit fini.",
  "Frontmatter is being written into the notes already. Wait until that is done, or take it back: {0}.":
    "Du frontmatter est déjà en cours d’écriture dans les notes. Attendez que ce soit fini, ou annulez-le : {0}.",
  "The history in {0} cannot be written ({1}), so nothing was changed.":
    "L’historique dans {0} ne peut pas être écrit ({1}), donc rien n’a été changé.",

  // The service.
  "There is no vault in {0}.": "Il n’y a pas de coffre dans {0}.",
  "Make one with: {0}": "Pour en créer un : {0}",
  "No service of the vault {0} is running. Start one with: coffre serve --open":
    "Aucun service du coffre {0} ne tourne. Lancez-en un avec : coffre serve --open",
  "No page is served now: the vault is kept by a process that answers one AI client. Start the page: coffre serve.":
    "Aucune page n’est servie : le coffre est tenu par un processus qui répond à un client IA. Lancez la page : coffre serve.",
  "A service of the vault {0} is running already, with pid {1}. Other commands use it by themselves; to run another, stop that one first.":
    "Un service du coffre {0} tourne déjà, avec le pid {1}. Les autres commandes s’en servent d’elles-mêmes ; pour en lancer un autre, arrêtez d’abord celui-ci.",
  "Another process has been writing for 30 s; try again.":
    "Un autre processus écrit depuis 30 s ; réessayez.",
  "Another process owns the vault and does not answer: it is still starting, or it hangs. Try again in a minute; coffre status tells which process it is.":
    "Un autre processus tient le coffre et ne répond pas : il démarre encore, ou il est bloqué. Réessayez dans une minute ; coffre status dit lequel c’est.",
  "Another process owns the vault; try again in a moment.":
    "Un autre processus tient le coffre ; réessayez dans un instant.",
  "Another process keeps the vault {0} and does not let go: it is still starting, or it hangs. coffre status tells which one it is.":
    "Un autre processus tient le coffre {0} et ne le lâche pas : il démarre encore, ou il est bloqué. coffre status dit lequel c’est.",
  "The index is in use by the running service (pid {0}). Stop it, then rebuild the index; without --full the service compares the index with every file.":
    "L’index est utilisé par le service en marche (pid {0}). Arrêtez-le, puis reconstruisez l’index ; sans --full, le service compare l’index avec chaque fichier.",
  "The service (pid {0}) ended before it answered; try again.":
    "Le service (pid {0}) a fini avant de répondre ; réessayez.",
  "The service ended before it answered; try again.":
    "Le service a fini avant de répondre ; réessayez.",
  "Internal error; see the log.": "Erreur interne ; voyez le journal.",
  "Listening on {0} lets other machines connect: choose a token of {1} characters or more, with COFFRE_TOKEN or --token.":
    "Écouter sur {0} laisse d’autres machines se connecter : choisissez un jeton d’au moins {1} caractères, avec COFFRE_TOKEN ou --token.",
  "{0} was written by a newer coffre (schema {1}, this one knows {2}). Update coffre; nothing was changed.":
    "{0} a été écrit par un coffre plus récent (schéma {1}, celui-ci connaît {2}). Mettez coffre à jour ; rien n’a été changé.",

  // A vault in PostgreSQL.
  "{0} was taken over by another replica, because this one was silent for too long. Nothing was changed.":
    "{0} a été repris par une autre réplique, parce que celle-ci s’est tue trop longtemps. Rien n’a été changé.",
  "With --database a token is needed, the same for all replicas: COFFRE_TOKEN or --token.":
    "Avec --database, il faut un jeton, le même pour toutes les répliques : COFFRE_TOKEN ou --token.",
  "--public-url takes an address without a path, https://notes.example.com for example, not {0}.":
    "--public-url demande une adresse sans chemin, par exemple https://notes.example.com, pas {0}.",
  "A vault in PostgreSQL needs a package that is not installed: npm install pg@8.":
    "Un coffre dans PostgreSQL demande un paquet qui n’est pas installé : npm install pg@8.",
  "The connection to the database was lost. Nothing was changed; try again.":
    "La connexion à la base de données s’est interrompue. Rien n’a été changé ; réessayez.",
  "The connection to the database was lost at the last moment: the change may have been made. Read it again before you repeat it.":
    "La connexion à la base de données s’est interrompue au dernier moment : la modification a peut-être été faite. Relisez avant de recommencer.",
  "The database gave up the change. Nothing was changed; try again.":
    "La base de données a abandonné la modification. Rien n’a été changé ; réessayez.",
  "The change took too long and was given up. Nothing was changed; try again.":
    "La modification a pris trop de temps et a été abandonnée. Rien n’a été changé ; réessayez.",
  "The database is busy with other changes. Nothing was changed; try again.":
    "La base de données est occupée par d’autres modifications. Rien n’a été changé ; réessayez.",
  "The disk of the database is full. Nothing was changed; free some space.":
    "Le disque de la base de données est plein. Rien n’a été changé ; libérez de la place.",
  "The database has too much to do. Nothing was changed; try again.":
    "La base de données a trop à faire. Rien n’a été changé ; réessayez.",
  "Somebody else is changing this vault. Nothing was changed; try again.":
    "Quelqu’un d’autre modifie ce coffre. Rien n’a été changé ; réessayez.",
  "The database took too long and the call was given up. Nothing was changed.":
    "La base de données a pris trop de temps et l’appel a été abandonné. Rien n’a été changé.",
  "The database is stopping or starting. Nothing was changed; try again.":
    "La base de données s’arrête ou démarre. Rien n’a été changé ; réessayez.",
  "A text has a NUL character, which the database cannot keep.":
    "Un texte contient un caractère NUL, que la base de données ne peut pas garder.",
  "The database refuses this user or password.":
    "La base de données refuse cet utilisateur ou ce mot de passe.",
  "The database does not exist.": "La base de données n’existe pas.",
  "The database cannot be reached ({0}). Nothing was changed; try again.":
    "La base de données est injoignable ({0}). Rien n’a été changé ; réessayez.",
  "All connections to the database are in use. Nothing was changed; try again.":
    "Toutes les connexions à la base de données sont prises. Rien n’a été changé ; réessayez.",
  "The database was written by a newer coffre (schema {0}, this one knows {1}). Nothing was changed; install that release.":
    "La base de données a été écrite par un coffre plus récent (schéma {0}, celui-ci connaît {1}). Rien n’a été changé ; installez cette version.",
  "There is no vault {0}.": "Il n’y a pas de coffre {0}.",
  "{0} cannot be the name of a vault: use up to 63 small letters, digits and hyphens.":
    "{0} ne peut pas être le nom d’un coffre : utilisez jusqu’à 63 minuscules, chiffres et traits d’union.",
  "{0} would be {1}; files of this vault may have {2}. Nothing was changed.":
    "{0} aurait {1} ; les fichiers de ce coffre peuvent avoir {2}. Rien n’a été changé.",
  "This vault would have {0}, and may have {1}. Nothing was changed; remove something first.":
    "Ce coffre aurait {0}, et peut avoir {1}. Rien n’a été changé ; enlevez d’abord quelque chose.",
  "{0} was a link, which a vault in a database cannot have.":
    "{0} était un lien, qu’un coffre dans une base de données ne peut pas avoir.",

  // Inbox, remember, ingest.
  "Changed since the preview was made: {0}.": "Changé depuis l’aperçu : {0}.",
  "Reject it and send the note again.": "Refusez-le et envoyez la note de nouveau.",
  "{0} is {1}; only a preview is accepted or rejected.":
    "{0} est {1} ; seul un aperçu peut être accepté ou refusé.",
  "{0} is {1}; there is nothing to decide.": "{0} est {1} ; il n’y a rien à décider.",
  "The changes of {0} are no longer kept.": "Les changements de {0} ne sont plus gardés.",
  "{0} is a link, which cannot be moved or removed in a preview.":
    "{0} est un lien, qui ne peut être ni déplacé ni supprimé dans un aperçu.",
  "There is no inbox item {0}.": "Il n’y a pas d’élément {0} en réception.",
  "The inbox is empty.": "La boîte de réception est vide.",
  "There are: {0}.": "Il y a : {0}.",
  "There is nothing to remember: give a text or an image.":
    "Il n’y a rien à retenir : donnez un texte ou une image.",
  "The answer names no project of the vault.": "La réponse ne nomme aucun projet du coffre.",
  "The answer names several projects: {0}.": "La réponse nomme plusieurs projets : {0}.",
  "{0} is empty.": "{0} est vide.",
  "{0} is not a file.": "{0} n’est pas un fichier.",
  "{0} is a damaged image. Save it again.": "{0} est une image abîmée. Enregistrez-la de nouveau.",
  "{0} is a file; name a folder.": "{0} est un fichier ; nommez un dossier.",
  "{0} is {1}, which cannot be made into text. {2}":
    "{0} est {1}, dont on ne peut pas faire du texte. {2}",
  "{0} is encrypted: it opens only with a password. Save it without one first (print it to a PDF, for instance).":
    "{0} est chiffré : il ne s’ouvre qu’avec un mot de passe. Enregistrez-le d’abord sans (imprimez-le en PDF, par exemple).",
  "{0} is a recording, and nothing is configured to write down what it says. {1} Then send it again.":
    "{0} est un enregistrement, et rien n’est configuré pour le transcrire. {1} Puis envoyez-le de nouveau.",
  "{0} cannot be read as what it seems to be ({1}): {2}. Save or download it again.":
    "{0} ne peut pas être lu comme ce qu’il semble être ({1}) : {2}. Enregistrez-le ou téléchargez-le de nouveau.",
  "{0} is not a whole PDF: nothing in it can be read. Save or download it again.":
    "{0} n’est pas un PDF entier : rien ne peut y être lu. Enregistrez-le ou téléchargez-le de nouveau.",
  "{0} is not UTF-8; nothing was changed. Convert it first, for instance with iconv.":
    "{0} n’est pas en UTF-8 ; rien n’a été changé. Convertissez-le d’abord, par exemple avec iconv.",
  "There is no model {0}: neither a file, nor written like hf:user/repository/file.gguf.":
    "Il n’y a pas de modèle {0} : ni un fichier, ni écrit comme hf:user/repository/file.gguf.",
  "The model {0} needs a key: set {1}, or apiKey in the coffre.json of the vault's state folder.":
    "Le modèle {0} demande une clé : définissez {1}, ou apiKey dans le coffre.json du dossier d’état du coffre.",
  "The model {0} needs packages that are not installed. Install them: {1}":
    "Le modèle {0} demande des paquets qui ne sont pas installés. Installez-les : {1}",
  "{0} cannot be private: agents put there what they cannot file. Mark the folders in the vault that they must not see.":
    "{0} ne peut pas être privé : les agents y mettent ce qu’ils ne peuvent pas classer. Marquez les dossiers du coffre qu’ils ne doivent pas voir.",
  "This client only proposes changes; the person files and takes back: on the page, or with coffre inbox and coffre undo.":
    "Ce client ne fait que proposer ; la personne classe et annule : sur la page, ou avec coffre inbox et coffre undo.",
  "The person is answering what you proposed before; try again in a moment.":
    "La personne répond à ce que vous avez proposé avant ; réessayez dans un instant.",
  "{0} is what a client proposed itself; there is nothing to retry.":
    "{0} est ce qu’un client a proposé lui-même ; il n’y a rien à réessayer.",
  "Only the person says what is private: coffre private, or the page.":
    "Seule la personne dit ce qui est privé : coffre private, ou la page.",
  "{0} is not marked private. Nothing is.": "{0} n’est pas marqué comme privé. Rien ne l’est.",
  "{0} is not marked private. These are: {1}.": "{0} n’est pas marqué comme privé. Le sont : {1}.",
  "{0} cannot be used here. Choose another path.":
    "{0} ne peut pas être utilisé ici. Choisissez un autre chemin.",
  "{0} is marked private and is not there. If it has another name now, mark that: coffre private add PATH; else: coffre private remove {1}":
    "{0} est marqué comme privé et n’existe pas. S’il a un autre nom maintenant, marquez celui-ci : coffre private add PATH ; sinon : coffre private remove {1}",
  "The models have had their tokens of today: {0} of {1} (COFFRE_DAILY_TOKENS, or dailyTokens in coffre.json). They are asked again tomorrow, or with a higher limit after a restart.":
    "Les modèles ont eu leurs tokens du jour : {0} sur {1} (COFFRE_DAILY_TOKENS, ou dailyTokens dans coffre.json). Ils sont sollicités à nouveau demain, ou avec une limite plus haute après un redémarrage.",
  "COFFRE_DAILY_TOKENS is not a whole number above 0: {0}.":
    "COFFRE_DAILY_TOKENS n’est pas un nombre entier au-dessus de 0 : {0}.",
  "The model {0} did not answer: {1}": "Le modèle {0} n’a pas répondu : {1}",
  "The model {0} did not answer: it answered {1}.":
    "Le modèle {0} n’a pas répondu : il a renvoyé {1}.",
  "The model {0} did not answer: it answered {1} ({2}).":
    "Le modèle {0} n’a pas répondu : il a renvoyé {1} ({2}).",
  "The model {0} did not answer: it could not be reached.":
    "Le modèle {0} n’a pas répondu : il n’a pas pu être joint.",
  "The model {0} did not answer: it could not be reached ({1}).":
    "Le modèle {0} n’a pas répondu : il n’a pas pu être joint ({1}).",
  "The model {0} did not answer: the connection broke.":
    "Le modèle {0} n’a pas répondu : la connexion s’est rompue.",
  "The model {0} did not answer: its answer broke off.":
    "Le modèle {0} n’a pas répondu : sa réponse s’est interrompue.",
  "The model {0} did not answer: its answer broke off ({1}).":
    "Le modèle {0} n’a pas répondu : sa réponse s’est interrompue ({1}).",
  "The model {0} did not answer: its answer could not be understood.":
    "Le modèle {0} n’a pas répondu : sa réponse n’a pas pu être comprise.",
  "Check its key.": "Vérifiez sa clé.",
};
