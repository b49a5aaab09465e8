import { istanbulEnTrain } from "./demo-fr-istanbul-en-train.ts";
import { voilerie } from "./demo-fr-voilerie.ts";
import type { Day, TemplateFile } from "./template.ts";

/**
 * The French demo, the same story as the English one: Nolwenn Tanguy, a potter in Douarnenez, opens
 * a second studio in an old sail loft and plans a train journey to Istanbul with her brother.
 */
export function demoFilesFr(day: Day): TemplateFile[] {
  return [...root(day), ...bucket(day), ...voilerie(day), ...istanbulEnTrain(day), ...inbox(day)];
}

function root(day: Day): TemplateFile[] {
  return [
    {
      path: "overview.md",
      content: `# Vue d'ensemble

## En ce moment

La voilerie prend presque tout le temps. L'ouverture est le ${day(-34)}, tout dépend du raccordement
en triphasé du ${day(-16)}, et il faut être allé chercher le four avant. L'atelier de la rue du
Ruisseau tourne comme d'habitude, avec des commandes de restaurants volontairement petites jusqu'à
l'ouverture.

## Projets

- **voilerie** (en cours) : un deuxième atelier de poterie, avec des cours, dans l'ancienne voilerie
  du quai. 31 places vendues sur 48. Voir [[projects/voilerie/state]].
- **istanbul-en-train** (en préparation) : presque deux semaines sur les rails avec Jonas, départ le
  ${day(-63)}, une fois le premier stage terminé. Appartement pas encore payé. Voir
  [[projects/istanbul-en-train/state]].

## Boîte de réception

1 élément en attente : un mémo vocal à propos de « Jo » et d'une caution, qui peut relever des deux
projets.
`,
    },
    {
      path: "profile.md",
      content: `# Profil

## Qui je suis

Nolwenn Tanguy, 38 ans, potière à Douarnenez. Je tiens Feu Doux, rue du Ruisseau, depuis neuf ans :
de la vaisselle pour les restaurants, une petite boutique, pas de vente en ligne. J'ai une formation
de chimiste et je pèse encore tout.

## Les gens qui m'entourent

- **Jonas**, mon petit frère, infirmier à Rennes. Il connaît son planning six semaines à l'avance,
  jamais plus tôt.
- **Béa Okoro**, potière, qui donnera les cours avec moi dès l'ouverture, deux jours par semaine.
- **Inès Achour**, architecte et vieille amie. Elle dessine pour moi et je la paie en assiettes.
- **Gilles Nédélec**, qui s'occupe des bâtiments de la Société du port, ma propriétaire à la
  voilerie.
- **Mme Pennec**, la voisine, nourrit le chat Biscuit quand je m'absente.

## Ma façon de travailler

- Je suis au tour jusqu'à treize heures : pas d'appel le matin, s'il vous plaît. Les mails, après
  seize heures.
- Un montant, toujours avec ce qu'il comprend. Le « pose en sus » m'a eue une fois de trop.
- Des brouillons courts et simples. Ne jamais rien envoyer en mon nom.
- Allergique aux noisettes. Sujette au vertige, donc pas de téléphérique.
`,
    },
    {
      path: "tasks.md",
      content: `# Prendre rendez-vous pour le contrôle technique du fourgon
status: à-faire | prio: haute | ajoutée: ${day(4)} | projet: —
deadline: ${day(-8)}
À faire avant d'aller chercher le four, le ${day(-9)}. Le feu arrière gauche est mort : changer
l'ampoule d'abord.

# Répondre à Orlane pour les assiettes du Cormoran
status: en-cours | prio: haute | ajoutée: ${day(3)} | projet: —
Son message est dans [[bucket/${day(3)}-mail-assiettes-cormoran]]. Dire oui pour 40, expliquer
pourquoi pas 60.

# Demander à Mme Pennec de nourrir Biscuit pendant notre absence
status: à-faire | prio: normale | ajoutée: ${day(7)} | projet: —
Du ${day(-63)} au ${day(-75)}. Lui apporter le pichet bleu qui lui plaisait.

# Essayer le refroidissement lent sur six carreaux
status: en-attente | prio: basse | ajoutée: ${day(18)} | projet: —
J'attends une fournée à moitié vide rue du Ruisseau. La courbe est dans
[[bucket/article-refroidissement-lent]].
`,
    },
    {
      path: "changelog.md",
      content: `# ${day(3)}

## Orlane demande 60 assiettes
Le Cormoran rouvre sa terrasse et voudrait 60 assiettes dans l'émail gris-vert. C'est plus que la
limite que je me suis fixée, voir la décision du ${day(21)}. Mail gardé dans le bucket.

# ${day(12)}

## Trois jours au lit
La grippe. Béa a ouvert la boutique de la rue du Ruisseau et a vendu plus que moi.

# ${day(21)}

## [décision] Pas de commande de restaurant au-delà de 40 pièces avant l'ouverture de la voilerie
Deux fournées par semaine rue du Ruisseau font environ 90 pièces, et il en faut la moitié pour la
boutique. Une seule grosse commande suffit à vider les étagères. À revoir quatre semaines après
l'ouverture.

# ${day(36)}

## Trimestre bouclé avec le comptable
Feu Doux a dégagé 3 140 € une fois les salaires payés. Seule remarque de Pierre : mettre les frais
de la voilerie dans une colonne à part dès le premier jour, pour pouvoir suivre le prêt.

# ${day(44)}

## Dîner pour les neuf ans de la boutique
Inès, Béa, Jonas, Mme Pennec, onze personnes en tout. Jonas a apporté la carte des chemins de fer
d'Europe d'où est partie toute l'idée d'Istanbul.
`,
    },
  ];
}

function bucket(day: Day): TemplateFile[] {
  return [
    {
      path: `bucket/${day(3)}-mail-assiettes-cormoran.md`,
      content: `# Mail : des assiettes pour le Cormoran

De : Orlane Féret <orlane@cormoran.example>
À : Nolwenn Tanguy <nolwenn@feudoux.example>
Date : ${day(3)} 16:52
Objet : les gris-vert

Bonjour Nolwenn,

La terrasse est presque finie et j'aimerais beaucoup y voir tes assiettes. Je pense à 60 gris-vert,
en 24 cm, avec le bord un peu relevé (pas les plates, le vent emporte les serviettes). La dernière
fois, on les avait payées 19,50 € pièce, c'est toujours le bon prix ?

Rien d'affreusement urgent : la terrasse ouvre le ${day(-40)}. Si tu ne peux en faire qu'une partie,
j'aime mieux en avoir moins, mais assorties, que 60 de deux gris différents.

Et bravo pour la voilerie, toute la cuisine veut venir tourner des pots.

Orlane
`,
    },
    {
      path: "bucket/article-refroidissement-lent.md",
      content: `# Article : pourquoi un refroidissement lent change un émail

Extrait recopié d'une lettre de potiers, le ${day(18)}. Mes remarques sont à la fin.

La plupart d'entre nous voient une cuisson comme une montée. On surveille les cent derniers degrés,
on coupe, on rentre chez soi. Pourtant, pour un émail riche en fer ou en magnésie, une bonne part de
ce qu'on verra sur l'étagère se décide à la descente. Entre 1 050 °C et 850 °C environ, de petits
cristaux ont le temps de se former près de la surface. Si le four traverse cette plage en une heure,
l'émail reste vitreux et sombre. Si on le retient à une cinquantaine de degrés par heure, il devient
satiné, et des couleurs endormies remontent : la rouille, la paille, un gris-vert très doux.

Cela coûte du temps et un peu de courant : quatre heures de plus, environ neuf kilowattheures dans
un four moyen.

\`\`\`text
segment   vitesse (°C/h)   jusqu'à (°C)   palier (min)
1               80              200            30
2              150             1000             0
3               60             1240            15
4            libre             1050             0
5              -50              850             0
6             arrêt
\`\`\`

Remarques : rue du Ruisseau, notre gris-vert refroidit bien trop vite, ce qui expliquerait que deux
fournées ne se ressemblent jamais. Six carreaux, trois ici et trois dans le four de la voilerie
quand il marchera. Le programmateur du vieux four n'a que cinq segments, il faudra donc réunir le 1
et le 2.
`,
    },
  ];
}

function inbox(day: Day): TemplateFile[] {
  const folder = `inbox/${day(1)}-memo-jo`;
  return [
    {
      path: `${folder}/original.md`,
      content: `# Mémo vocal, ${day(1)} 18:07

dire à Jo que c'est oui pour le ${day(-9)}, mais seulement si on récupère la caution au cas où ça
tombe à l'eau. 240 grand maximum. ah et demander pour la clé, je ne veux pas me retrouver encore une
fois dehors les bras chargés
`,
    },
    {
      path: `${folder}/review.md`,
      content: `# À trancher : mémo sur Jo et une caution

## Ce que j'ai cherché

« Jo », « caution », « clé », le montant 240 et la date du ${day(-9)}, dans les deux projets et dans
les tâches de la racine.

## Ce que j'ai trouvé

- **Joëlle Carn**, dite Jo, technicienne au lycée de Quimper, qui vend le four. L'enlèvement est
  prévu le ${day(-9)}, elle demande 250 € de caution pour la remorque, et la cour de livraison ferme
  à clé. Voir \`projects/voilerie/tasks.md\`.
- **Jonas**, qui signe parfois « Jo ». L'appartement d'Istanbul est à confirmer avant le ${day(-9)}
  avec une caution de 180 €, et Selin laisse la clé dans un boîtier. Voir
  \`projects/istanbul-en-train/state.md\`.
- Aucun montant de 240 nulle part. « Les bras chargés » fait penser au four, mais des bagages
  iraient tout aussi bien.

## Ce que je propose

Ranger le mémo dans **voilerie** : ajouter à la tâche « Aller chercher le four à Quimper » que la
caution doit être remboursable, 240 € au plus au lieu des 250 € demandés, et que quelqu'un doit être
là avec la clé de la cour. Rien n'a été modifié pour l'instant.

## Question

S'agit-il de Joëlle Carn et de la remorque, ou de Jonas et de l'appartement ?
`,
    },
  ];
}
