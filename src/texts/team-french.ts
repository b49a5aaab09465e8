/** The texts of `coffre team`, and what refuses people who may not do something. */
export const teamFrench: Readonly<Record<string, string>> = {
  "Say who may use the vaults of a database: people, invitations, tokens, rights":
    "Dire qui peut utiliser les coffres d’une base de données : personnes, invitations, jetons, droits",
  "people (default), owner, invite, token, grant, name, logout, revoke or audit":
    "people (par défaut), owner, invite, token, grant, name, logout, revoke ou audit",
  "A person's id or e-mail address; for revoke also the id of a token or an invitation":
    "L’identifiant ou l’adresse électronique d’une personne ; pour revoke aussi l’identifiant d’un jeton ou d’une invitation",
  "The name of a vault in the database": "Le nom d’un coffre dans la base de données",
  "What a person or a token is called": "Le nom d’une personne ou d’un jeton",
  "What they may do: none, viewer, editor or owner":
    "Ce que la personne peut faire : none, viewer, editor ou owner",
  "Only this folder of the vault": "Seulement ce dossier du coffre",
  "Days until it ends (invitation: 7, token: 90); of the audit, how far back":
    "Jours jusqu’à sa fin (invitation : 7, jeton : 90) ; pour audit, jusqu’où remonter",
  "Where browsers reach the service, for the link of an invitation (else $COFFRE_PUBLIC_URL, else http://127.0.0.1:4117)":
    "L’adresse du service pour les navigateurs, pour le lien d’une invitation (sinon $COFFRE_PUBLIC_URL, sinon http://127.0.0.1:4117)",
  "A token that can look and not change": "Un jeton qui peut lire et ne peut rien changer",
  "Whoever can reach the database can do this: it is how the first owner of a vault is made. Tokens and links are shown once. From their next call on, people have what is stored here. Whoever holds the token of the service itself may do everything in every vault.":
    "Qui atteint la base de données peut le faire : c’est ainsi que naît le premier propriétaire d’un coffre. Jetons et liens sont affichés une seule fois. Dès leur prochain appel, les personnes ont ce qui est enregistré ici. Qui a le jeton du service lui-même peut tout faire dans tous les coffres.",

  "{0} is an address, and this command works on a folder only.":
    "{0} est une adresse, et cette commande ne travaille que sur un dossier.",
  "Look and write there with the tools, log, undo, remember, recall and inbox.":
    "Là-bas, regardez et écrivez avec les outils, log, undo, remember, recall et inbox.",
  "{0} needs a token: put a personal one, made in Settings of the page, into COFFRE_TOKEN.":
    "{0} demande un jeton : mettez-en un personnel, créé dans les Réglages de la page, dans COFFRE_TOKEN.",
  "--vault takes a folder, or the address of a vault as https://notes.example.com/v/house, not {0}.":
    "--vault prend un dossier, ou l’adresse d’un coffre comme https://notes.example.com/v/house, pas {0}.",
  "Over http, others could read the token on its way to {0}: give its https address.":
    "Par http, d’autres pourraient lire le jeton en route vers {0} : donnez son adresse https.",
  "{0} does not answer ({1}).": "{0} ne répond pas ({1}).",
  "{0} answered {1}, and not as a vault does: check the address.":
    "{0} a répondu {1}, et pas comme un coffre : vérifiez l’adresse.",
  "A folder is being imported into the vault {0}; until that has ended, nothing else can change it.":
    "Un dossier est en cours d’importation dans le coffre {0} ; jusqu’à la fin, rien d’autre ne peut le changer.",
  "If the import was cut off, run the same coffre import again: it goes on.":
    "Si l’importation a été interrompue, relancez le même coffre import : il continue.",
  "Another process owns the vault {0}, and may change it meanwhile.":
    "Un autre processus tient le coffre {0} et peut le changer entre-temps.",
  "The process {0} owns the vault {1}, and may change it meanwhile.":
    "Le processus {0} tient le coffre {1} et peut le changer entre-temps.",
  "Stop it, then import the folder.": "Arrêtez-le, puis importez le dossier.",
  "Nobody is there yet. Make the first owner with: coffre team owner EMAIL --name NAME --in VAULT":
    "Il n’y a encore personne. Créez le premier propriétaire avec : coffre team owner EMAIL --name NAME --in VAULT",
  "The link lets one person in, once. It is not shown again:":
    "Le lien laisse entrer une personne, une fois. Il ne sera plus affiché :",
  "The token is not shown again:": "Le jeton ne sera plus affiché :",
  "It ends on {0}. Take it back with: coffre team revoke {1}":
    "Fin : {0}. Pour le retirer : coffre team revoke {1}",
  "{0} may do this:": "{0} peut faire ceci :",
  "Revoked: {0}.": "Révoqué : {0}.",
  "{0} is logged out everywhere. Their tokens stay.":
    "{0} est déconnecté partout. Ses jetons restent.",
  "No folder is called {0} yet: the role counts once there is one.":
    "Aucun dossier ne s’appelle encore {0} : le rôle comptera quand il y en aura un.",
  "last seen {0}": "dernière visite : {0}",
  "{0} · nobody has a role here": "{0} · personne n’a de rôle ici",
  "{0} is called {1} now.": "{0} s’appelle {1} désormais.",
  "{0} was shut out. Who uses the link is let in again, with all that they could do before:":
    "{0} était exclu. Qui utilise le lien entre de nouveau, avec tout ce que cette personne pouvait faire :",
  "{0} was shut out, so no token of theirs is valid. Let them in again first: coffre team invite.":
    "{0} était exclu : aucun de ses jetons n’est valable. Laissez d’abord entrer cette personne : coffre team invite.",
  "Nobody owns the vault {0} any more. Make an owner with: coffre team owner EMAIL --in {1}":
    "Le coffre {0} n’a plus de propriétaire. Donnez-lui-en un avec : coffre team owner EMAIL --in {1}",
  "Nothing was recorded.": "Rien n’a été enregistré.",

  "--database URL is missing: which database to use.":
    "Il manque --database URL : quelle base de données utiliser.",
  "--role is what they will be: viewer, editor or owner.":
    "--role est ce que la personne sera : viewer, editor ou owner.",
  "--name is missing: what they are to be called.":
    "Il manque --name : le nouveau nom de la personne.",
  "--name is missing: what the token is for.": "Il manque --name : à quoi sert le jeton.",
  "--role is missing: none, viewer, editor or owner.":
    "Il manque --role : none, viewer, editor ou owner.",
  "WHO is missing: an e-mail address or an id.":
    "Il manque WHO : une adresse électronique ou un identifiant.",
  "--in VAULT is missing: the name of the vault.": "Il manque --in VAULT : le nom du coffre.",
  "{0} is no person, and no token or invitation that is still valid. List them with: coffre team people.":
    "{0} n’est ni une personne, ni un jeton ou une invitation encore valide. Listez-les avec : coffre team people.",

  "A login provider is named by COFFRE_OIDC_ISSUER and COFFRE_OIDC_CLIENT_ID together; one of them is missing.":
    "Un fournisseur de connexion est nommé par COFFRE_OIDC_ISSUER et COFFRE_OIDC_CLIENT_ID ensemble ; il en manque un.",
  "Nobody of this vault has the id {0}. Invite whoever should have a role in it.":
    "Personne de ce coffre n’a l’identifiant {0}. Invitez qui doit y avoir un rôle.",
  "There is no such token: {0}.": "Il n’y a pas de tel jeton : {0}.",
  "This vault has no invitation {0} that can still be used.":
    "Ce coffre n’a pas d’invitation {0} qui puisse encore servir.",
  "Personal tokens and logins are made and ended by who is logged in with a browser, not with a token. Whoever runs the service does it with: coffre team token, coffre team logout.":
    "Les jetons personnels et les connexions se créent et prennent fin dans un navigateur connecté, pas avec un jeton. Qui gère le service le fait avec : coffre team token, coffre team logout.",
  "Somebody has the address {0} already.": "Quelqu’un a déjà l’adresse {0}.",
  "Nobody has the id or address {0}. List them with: coffre team people.":
    "Personne n’a l’identifiant ou l’adresse {0}. Listez-les avec : coffre team people.",
  "This login belongs to somebody else, or this person has another one.":
    "Cette connexion appartient à quelqu’un d’autre, ou cette personne en a une autre.",
  "A name has 1 to {0} characters, without line breaks.":
    "Un nom a de 1 à {0} caractères, sans retour à la ligne.",
  "{0} is not an e-mail address.": "{0} n’est pas une adresse électronique.",
  "A token needs a name that says what it is for.":
    "Un jeton a besoin d’un nom qui dit à quoi il sert.",
  "A token ends within {0} days, and not in the past.":
    "Un jeton prend fin dans les {0} jours, et pas dans le passé.",
  "A token needs at least the scope vault:read.": "Un jeton a besoin au moins de vault:read.",
  "A token for a folder needs the folder's vault.":
    "Un jeton pour un dossier a besoin du coffre de ce dossier.",
  "Only a whole vault can have an owner.": "Seul un coffre entier peut avoir un propriétaire.",
  "The vault would have no owner. Make somebody else its owner first.":
    "Le coffre n’aurait plus de propriétaire. Donnez-le d’abord à quelqu’un d’autre.",
  "The vault has an owner already. Owners make others: coffre team grant PERSON --role owner.":
    "Le coffre a déjà un propriétaire. Les propriétaires en nomment d’autres : coffre team grant PERSON --role owner.",
  "An invitation ends within {0} days, and not in the past.":
    "Une invitation prend fin dans les {0} jours, et pas dans le passé.",
  "This invitation is not valid, or not any more. Ask for a new one.":
    "Cette invitation n’est pas valable, ou ne l’est plus. Demandez-en une autre.",
  "This login is not valid, or not any more. Log in again.":
    "Cette connexion n’est pas valable, ou ne l’est plus. Connectez-vous de nouveau.",
  "{0} is yours to read, not to change. Ask an owner of the vault for the role editor.":
    "{0} est à lire, pas à changer. Demandez le rôle editor à un propriétaire du coffre.",
  "This vault is yours to read, not to change. Ask an owner of it for the role editor.":
    "Ce coffre est à lire, pas à changer. Demandez le rôle editor à un propriétaire.",
  "Only an owner of the vault may do that.": "Seul un propriétaire du coffre peut le faire.",
  "Only who runs the service may do that, with its token (COFFRE_TOKEN).":
    "Seul qui fait tourner le service peut le faire, avec son jeton (COFFRE_TOKEN).",
  "Who handed this over may no longer change this vault. Nothing was changed.":
    "La personne qui a confié ceci ne peut plus changer ce coffre. Rien n’a été changé.",
  "Who handed this over may no longer read all that they could when it began, so it was stopped.":
    "La personne qui a confié ceci ne peut plus lire tout ce qu’elle pouvait au début : c’est donc arrêté.",
  "Your rights have changed since, so what came of it is not shown.":
    "Vos droits ont changé depuis : le résultat n’est donc pas affiché.",
  "Only somebody who sees and may change all of a vault has it looked through for what is untidy.":
    "Seul qui voit et peut changer tout un coffre y fait chercher ce qui est en désordre.",
  "Only somebody who sees and may change all of the vault answers what was found untidy in it.":
    "Seul qui voit et peut changer tout le coffre répond à ce qui y est en désordre.",
  "Somebody may read the inbox and not all of the vault: what is found untidy would tell them names of the rest.":
    "Quelqu’un peut lire l’inbox et pas tout le coffre : ce qui est en désordre lui dirait des noms du reste.",
  "Too many calls. Wait {0} s, and go on more slowly.":
    "Trop d’appels. Attendez {0} s, et continuez plus lentement.",
  "Login with a provider needs a package that is not installed: npm install jose@6.":
    "La connexion par un fournisseur demande un paquet qui n’est pas installé : npm install jose@6.",
  "{0} is not an address of a login provider: it begins with https://.":
    "{0} n’est pas l’adresse d’un fournisseur de connexion : elle commence par https://.",
  "The login provider does not answer as it should ({0}). Try again.":
    "Le fournisseur de connexion ne répond pas comme il devrait ({0}). Réessayez.",
};
