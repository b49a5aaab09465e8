/** What is refused rarely: limits, damaged files, settings, forms. */
export const rareErrorsFrench: Readonly<Record<string, string>> = {
  // Files that are taken in.
  "{0} is {1}. Name the files in it, or pack them as a .zip.":
    "{0} est {1}. Nommez les fichiers dedans, ou mettez-les dans un .zip.",
  "{0} is {1}. Split it, or keep it outside the vault.":
    "{0} fait {1}. Divisez-le, ou gardez-le hors du coffre.",
  "These are {0} images; one update takes {1}. Send fewer.":
    "Cela fait {0} images ; un envoi en prend {1}. Envoyez-en moins.",
  "These files are {0}; {1} fit into one update. Put them into the vault instead: {2}":
    "Ces fichiers font {0} ; un envoi en contient {1}. Mettez-les plutôt dans le coffre : {2}",
  "{0} is {1}; images up to {2} are accepted. Make it smaller first.":
    "{0} fait {1} ; les images jusqu’à {2} sont acceptées. Réduisez-la d’abord.",
  "{0} was given up after {1} seconds without progress. It may be damaged, or made to be slow; split it, or save it in another form.":
    "{0} a été abandonné après {1} secondes sans progrès. Il est peut-être abîmé, ou fait pour être lent ; divisez-le, ou enregistrez-le sous une autre forme.",
  "{0} was given up: it makes its reader fail. It may be damaged; save or download it again.":
    "{0} a été abandonné : il fait échouer son lecteur. Il est peut-être abîmé ; enregistrez-le ou téléchargez-le de nouveau.",
  "{0} was given up: it takes more than {1} of memory. Split it, or save it in another form.":
    "{0} a été abandonné : il prend plus de {1} de mémoire. Divisez-le, ou enregistrez-le sous une autre forme.",
  "{0} is encrypted ({1} needs a password). Save it without one first.":
    "{0} est chiffré ({1} demande un mot de passe). Enregistrez-le d’abord sans.",
  "{0} cannot be read: {1}. Is the file complete? Save or download it again.":
    "{0} ne peut pas être lu : {1}. Le fichier est-il complet ? Enregistrez-le ou téléchargez-le de nouveau.",
  "{0} was changed while it was read; it is read again later.":
    "{0} a changé pendant sa lecture ; il sera relu plus tard.",
  "{0} is an archive with no file in it.": "{0} est une archive sans fichier.",
  "{0} has {1} pages; PDFs up to {2} pages are taken in. Split it.":
    "{0} a {1} pages ; les PDF jusqu’à {2} pages sont pris. Divisez-le.",
  "The service is ending.": "Le service s’arrête.",
  "The client disconnected.": "Le client s’est déconnecté.",
  "A form may hold {0} files. Send the others in another.":
    "Un formulaire peut contenir {0} fichiers. Envoyez les autres dans un autre.",
  "The files are too large together. Send fewer at once.":
    "Les fichiers sont trop grands ensemble. Envoyez-en moins à la fois.",
  "The form ended before all of it was sent.":
    "Le formulaire a fini avant d’être envoyé en entier.",
  "The form cannot be read: {0}. Was all of it sent?":
    "Le formulaire ne peut pas être lu : {0}. A-t-il été envoyé en entier ?",
  "No files are accepted here.": "Aucun fichier n’est accepté ici.",
  "Check COFFRE_WHISPER_COMMAND.": "Vérifiez COFFRE_WHISPER_COMMAND.",
  "COFFRE_MOONSHINE is set, but {0} is not installed. Install it where coffre is: {1}":
    "COFFRE_MOONSHINE est défini, mais {0} n’est pas installé. Installez-le là où est coffre : {1}",
  "{0} has no Moonshine: neither {1}, nor {2} with them. Check COFFRE_MOONSHINE.":
    "{0} n’a pas Moonshine : ni {1}, ni {2} avec eux. Vérifiez COFFRE_MOONSHINE.",
  "Moonshine cannot be loaded: {0}. Check COFFRE_MOONSHINE.":
    "Moonshine ne peut pas être chargé : {0}. Vérifiez COFFRE_MOONSHINE.",
  "{0} is not a plain WAV file, and ffmpeg, which reads other recordings, is not installed. Install ffmpeg, or save it as WAV.":
    "{0} n’est pas un fichier WAV ordinaire, et ffmpeg, qui lit d’autres enregistrements, n’est pas installé. Installez ffmpeg, ou enregistrez-le en WAV.",
  "{0} cannot be read by ffmpeg: it is damaged, or has no sound. Save or download it again.":
    "{0} ne peut pas être lu par ffmpeg : il est abîmé, ou n’a pas de son. Enregistrez-le ou téléchargez-le de nouveau.",

  // Tools.
  "There is no tool {0} here.": "Il n’y a pas d’outil {0} ici.",
  "It takes: {0}.": "Il prend : {0}.",
  "{0} does not fit into one answer with the images before it. Read it in another call.":
    "{0} ne tient pas dans une réponse avec les images d’avant. Lisez-la à part.",
  "{0} was replaced by a link or a file.": "{0} a été remplacé par un lien ou un fichier.",
  "{0} was replaced by a link that leaves the vault.":
    "{0} a été remplacé par un lien qui sort du coffre.",
  "{0} is being written; read it again.": "{0} est en train d’être écrit ; relisez-le.",
  "Line {0} of {1} does not fit: {2}": "La ligne {0} de {1} ne convient pas : {2}",
  "{0} is not text ({1}). Its bytes are at {2}":
    "{0} n’est pas du texte ({1}). Son contenu est à {2}",

  // Updates.
  "It was cancelled.": "C’est annulé.",
  "{0} has ended ({1}); there is nothing to cancel.":
    "{0} est fini ({1}) ; il n’y a rien à annuler.",
  "{0} is {1}; there is nothing to retry.": "{0} est {1} ; il n’y a rien à réessayer.",
  "There is no update {0}.": "Il n’y a pas d’envoi {0}.",
  "{0} left something in the inbox that was changed since. Answer it there instead.":
    "{0} a laissé en réception quelque chose qui a changé depuis. Répondez-y là.",
  "{0} cannot be moved or deleted while an inbox item is filed, since the item's review does not propose it; {1} can. Edit it instead.":
    "{0} ne peut être ni déplacé ni supprimé pendant le rangement d’un élément, car sa revue ne le propose pas ; {1} le peut. Modifiez-le plutôt.",

  // Settings, models, clients.
  "The model {0} is not of the form provider/model. Providers: {1}. For another server with OpenAI's API, set its address too (COFFRE_BASE_URL).":
    "Le modèle {0} n’est pas de la forme fournisseur/modèle. Fournisseurs : {1}. Pour un autre serveur avec l’API d’OpenAI, définissez aussi son adresse (COFFRE_BASE_URL).",
  "A model of {0} needs the address of its server: set COFFRE_BASE_URL.":
    "Un modèle de {0} demande l’adresse de son serveur : définissez COFFRE_BASE_URL.",
  "What was downloaded from {0} is not the model: {1}. Is there a proxy or a login page in between? Try again.":
    "Ce qui a été téléchargé depuis {0} n’est pas le modèle : {1}. Y a-t-il un proxy ou une page de connexion entre les deux ? Réessayez.",
  "{0} answered {1}. Is the model's name right?":
    "{0} a répondu {1}. Le nom du modèle est-il juste ?",
  "{0} cannot be reached, or the connection broke. What was downloaded is kept: try again later.":
    "{0} est injoignable, ou la connexion s’est coupée. Ce qui a été téléchargé est gardé : réessayez plus tard.",
  "This system has neither systemd nor launchd. Have it run this when you log in: {0}":
    "Ce système n’a ni systemd ni launchd. Faites-lui lancer ceci à l’ouverture de session : {0}",
  "There is no client {0}.": "Il n’y a pas de client {0}.",
  "{0} has no {1} files; leave out --scope.": "{0} n’a pas de fichiers {1} ; enlevez --scope.",
  "{0} was not changed: {1}. Correct it and run this again, or add this by hand:":
    "{0} n’a pas été changé : {1}. Corrigez-le et recommencez, ou ajoutez ceci à la main :",
  "{0} does not hold a token of coffre. Remove it; a new one is made.":
    "{0} ne contient pas de jeton de coffre. Enlevez-le ; un nouveau est créé.",
  "coffre is ending; start it again.": "coffre s’arrête ; relancez-le.",
  "Both the state folder {0} and the temporary folder {1} have too long a path for a socket; give a shorter one with --state.":
    "Le dossier d’état {0} et le dossier temporaire {1} ont tous deux un chemin trop long pour un socket ; donnez-en un plus court avec --state.",

  // Of tidying.
  "{0} chooses none of the {1} proposals.": "{0} ne choisit aucune des {1} propositions.",
  "Answer yes, no, or numbers like 1,3; say anything else with coffre remember.":
    "Répondez oui, non, ou des numéros comme 1,3 ; dites tout autre chose avec coffre remember.",
  "Changed since it was looked through: {0}.": "Changé depuis que cela a été parcouru : {0}.",
  "Run coffre tidy again, or answer with other numbers.":
    "Relancez coffre tidy, ou répondez par d’autres numéros.",
  "These proposals are no longer kept: run coffre tidy.":
    "Ces propositions ne sont plus gardées : lancez coffre tidy.",
  "Only the person answers an inbox item: what was piped in, or came with a file, does not.":
    "Seule la personne répond à un élément de la boîte de réception, pas ce qui vient d’un tube ou d’un fichier.",
};
