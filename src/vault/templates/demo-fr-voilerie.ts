import type { Day, TemplateFile } from "./template.ts";

/** The work project of the French demo. Its floor plan is added by `demo.ts`. */
export function voilerie(day: Day): TemplateFile[] {
  return [...pages(day), ...bucket(day)].map(({ path, content }) => ({
    path: `projects/voilerie/${path}`,
    content,
  }));
}

function pages(day: Day): TemplateFile[] {
  return [
    {
      path: "description.md",
      content: `# La voilerie

Un deuxième lieu pour Feu Doux : le rez-de-chaussée de l'ancienne voilerie du quai, 118 m², loué à
la Société du port. La rue du Ruisseau continue la vaisselle ; la voilerie est pour les gens qui
veulent apprendre.

## Ce que c'est

- Huit tours, deux longues tables de modelage, un four à chargement frontal.
- Des stages de quatre séances, une par semaine, six groupes de huit personnes, 120 € le stage,
  terre et cuissons comprises.
- Un coin près de l'entrée avec trois petites tables, pour regarder des pots en buvant un thé. Pas
  de cuisine.

## Ce que ce n'est pas

Ni anniversaires, ni peinture sur bols à l'improviste, ni production pour les restaurants. S'il faut
un deuxième four, c'est que c'est devenu autre chose, et on en parle d'abord.

## Quand ce sera réussi

Au bout d'un an : 40 places remplies à chaque stage, le prêt remboursé sans toucher à la rue du
Ruisseau, et moi au tour trois matins par semaine. L'équilibre est à 20 places par stage : 2 400 €
pour 2 388 € de loyer, de journées de Béa, d'électricité et d'assurance.
`,
    },
    {
      path: "state.md",
      content: `## Statut

En cours. Ouverture le ${day(-34)}, deux semaines plus tard qu'annoncé au départ.

## Priorité du moment

L'électricité d'abord. Armand Le Goff commence le ${day(-1)} ; le gestionnaire du réseau raccorde le
triphasé le ${day(-16)} ; première cuisson d'essai le ${day(-22)}. Rien ne peut cuire avant, donc
les pièces montrées à l'ouverture sortiront de la rue du Ruisseau.

## Points bloquants

- La porte de derrière s'ouvre vers l'intérieur. Les pompiers veulent qu'elle s'ouvre vers
  l'extérieur avant le premier cours. Il faut l'accord de la Société du port, puisque le bail
  protège cette porte (article 7).
- Le four est payé mais toujours à Quimper, voir les tâches.

## Ventes

31 places sur 48 pour le premier stage, 3 720 € encaissés. Les deux groupes du soir sont complets,
ceux des matins de semaine ne le sont pas.

## Argent

| Poste | Prévu | Engagé | Remarque |
| --- | ---: | ---: | --- |
| Dépôt de garantie, deux mois | 2 300 € | 2 300 € | payé |
| Électricité | 3 800 € | 4 280 € | Le Goff, tout compris |
| Four d'occasion | 2 600 € | 2 400 € | payé, transport non compris |
| Cinq tours à 890 € | 4 450 € | 4 450 € | livraison le ${day(-12)} |
| Sol et peinture | 2 100 € | 1 640 € | peinture à acheter |
| Réserve | 1 500 € | 0 € | la porte de derrière ? |
| **Total** | **16 750 €** | **15 070 €** | sur 18 000 € |

Les 18 000 € : un prêt de 12 000 € de la banque coopérative (cinq ans, 231 € par mois) et 6 000 €
d'épargne.

## Dates

- ${day(-1)} : début du chantier de Le Goff, deux semaines
- ${day(-9)} : enlèvement du four à Quimper
- ${day(-12)} : livraison des tours
- ${day(-16)} : raccordement en triphasé
- ${day(-22)} : première cuisson d'essai
- ${day(-34)} : ouverture, premier stage jusqu'au ${day(-61)}
`,
    },
    {
      path: "tasks.md",
      content: `# Aller chercher le four à Quimper
status: en-cours | prio: haute | ajoutée: ${day(13)} | projet: voilerie
deadline: ${day(-9)}
Jo (Joëlle Carn) prête la remorque du lycée contre 250 € de caution. 310 kg sur palette : il faut
être quatre, ou bien Jonas et le transpalette. La cour de livraison ferme à dix-sept heures,
demander qui a la clé.

# Obtenir l'accord de la Société du port pour la porte de derrière
status: en-attente | prio: haute | ajoutée: ${day(5)} | projet: voilerie
deadline: ${day(-14)}
Écrit à Gilles Nédélec le ${day(4)}, pas de réponse. Le menuisier d'Inès demande 360 €, cadre
compris.

# Prévenir les 31 inscrits des nouvelles dates
status: à-faire | prio: haute | ajoutée: ${day(8)} | projet: voilerie
Proposer le remboursement à ceux qui ne pourront pas venir. Béa a la liste.

# Remplir les deux groupes des matins de semaine
status: à-faire | prio: normale | ajoutée: ${day(2)} | projet: voilerie
Il reste 17 places, dont 14 le matin. Idée de Béa : le club de randonnée et les équipes de nuit de
l'hôpital.

# Rédiger la fiche de sécurité de la salle du four
status: à-faire | prio: normale | ajoutée: ${day(5)} | projet: voilerie
Une page au mur : personne n'ouvre le four à part Béa et moi, et jamais au-dessus de 80 °C.
`,
    },
    {
      path: "changelog.md",
      content: `# ${day(2)}

## 31 places vendues
Les deux groupes du soir sont complets, avec quatre noms en liste d'attente. Le matin : 2 sur 16.

# ${day(5)}

## Visite des pompiers
La lieutenante Hamon, quarante minutes. Dix-neuf personnes au plus au rez-de-chaussée, nous
comprises, ce qui convient à des groupes de huit. Elle accepte la salle du four avec sa porte
coupe-feu d'une demi-heure. Elle n'accepte pas une porte de derrière qui s'ouvre vers l'intérieur.

# ${day(8)}

## [décision] Ouverture repoussée du ${day(-20)} au ${day(-34)}
Avec un raccordement le ${day(-16)}, il resterait quatre jours pour sécher, essayer et cuire une
première fois, alors qu'un simple dégourdi en prend deux. J'aime mieux le dire maintenant que
d'annuler un cours. Le départ pour Istanbul recule d'autant, voir
[[projects/istanbul-en-train/changelog]].

# ${day(9)}

## Le triphasé sera en retard
Lettre du gestionnaire du réseau : raccordement le ${day(-16)} et non le ${day(-2)}. Il faut
remplacer un câble sous le quai. Rien à payer pour nous, rien à y faire non plus.

# ${day(13)}

## [décision] Le Goff fera l'électricité
4 280 € contre 3 650 € chez Élec Cornouaille, mais il peut commencer dans deux semaines au lieu de
sept, l'extraction est comprise, et il a déjà câblé des fours. L'autre prix oubliait le sectionneur
et l'attestation. Les deux devis : [[projects/voilerie/bucket/${day(15)}-mail-devis-electricite]].

## Four payé
2 400 € au lycée de Quimper. 200 litres, 13 kW, résistances changées l'an dernier, 310 kg.

# ${day(19)}

## [décision] Le four ira dans la pièce 3, pas dans la 5
La 3 a un mur extérieur : un mètre de gaine d'extraction au lieu de neuf. La 5 devient le séchoir.
Inès a refait le plan.

# ${day(26)}

## Un four à Quimper
Le lycée ferme sa salle de céramique. Joëlle Carn, la technicienne, m'a montré le cahier : 212
cuissons, aucune au-dessus de 1 260 °C. Elle tient plus à ce qu'il continue de servir qu'à en tirer
le meilleur prix.

# ${day(33)}

## Premier plan d'Inès
Le four dans la pièce 5, les tours le long des fenêtres au nord. Il y aurait la place pour dix, mais
dix personnes plus Béa et moi, ce serait la queue devant un seul évier.

## [décision] Huit tours et non dix
Trois viennent de la rue du Ruisseau, cinq sont neufs. On économise 1 780 € et un deuxième évier.

# ${day(40)}

## Prêt accordé
12 000 € de la banque coopérative, sur cinq ans, première mensualité un mois après l'ouverture.

# ${day(47)}

## [décision] On prend la voilerie
Bail de cinq ans signé avec la Société du port, 1 150 € par mois, sortie possible au bout de trois
ans. L'autre candidat, le garage de la côte, coûtait 300 € de moins, sans lumière du jour et avec
une marche à l'entrée.

# ${day(62)}

## Première visite de la voilerie
Avec Inès. Lumière du nord, murs secs, une odeur de goudron. Béa a dit oui avant que je pose la
question.
`,
    },
  ];
}

function bucket(day: Day): TemplateFile[] {
  return [
    {
      path: `bucket/${day(19)}-reunion-de-chantier.md`,
      content: `# Réunion de chantier à la voilerie, ${day(19)}

Transcription automatique, un peu nettoyée. Présents : Nolwenn, Inès Achour, Armand Le Goff.
Plan sur la table : \`plan.png\`, dans ce dossier (la version refaite).

| Numéro sur le plan | Pièce |
| --- | --- |
| 1 | salle des tours, huit tours |
| 2 | modelage, deux longues tables |
| 3 | salle du four |
| 4 | entrée et coin thé, trois tables rondes |
| 5 | séchoir |

**Armand** : Alors sur votre premier dessin, le four est dans la cinq. Je peux demander pourquoi ?

**Inès** : Parce que c'est la plus petite, et que personne n'y travaille.

**Armand** : D'accord, mais elle n'a pas de mur extérieur. Il faudrait passer la gaine au plafond de
la quatre, neuf mètres, au-dessus des gens qui boivent leur thé. Dans la trois, c'est un mètre et un
trou.

**Nolwenn** : Et en argent, ça change quoi ?

**Armand** : Dans les six cents euros. Et le bruit, surtout le bruit.

**Inès** : Alors la cinq devient le séchoir. Elle est plus fraîche, en plus. Je redessine ça ce
soir.

**Nolwenn** : Adopté. Et le courant ? Le four fait treize kilowatts.

**Armand** : Dix-neuf ampères par phase, donc je lui mets son circuit à lui, en trente-deux, avec un
sectionneur hors de la pièce. Mais vous êtes en monophasé aujourd'hui. C'est le gestionnaire du
réseau qui amène le triphasé, et c'est son calendrier, pas le mien. Demandez cette semaine. Ils
disent quatre semaines, comptez-en six.

**Nolwenn** : Et s'ils sont en retard ?

**Armand** : Vous aurez une très belle salle sans four. Les tours, eux, marchent avec ce que vous
avez.

**Inès** : La porte de derrière, côté tours, elle va compter comme issue ?

**Armand** : C'est pas mon métier. Moi, je trouve qu'elle s'ouvre du mauvais côté. Demandez aux
pompiers avant de la peindre.

**Nolwenn** : Dernière chose, le sol. Trois cent dix kilos sur quatre pieds ?

**Inès** : Une dalle sur le rocher. Tu pourrais y garer un bus.

Convenu : four dans la 3 ; Nolwenn écrit aujourd'hui au gestionnaire ; devis d'Armand avant le
${day(14)}.
`,
    },
    {
      path: `bucket/${day(15)}-mail-devis-electricite.md`,
      content: `# Mails : les deux devis d'électricité

## Nolwenn à Inès, ${day(15)} 17:20

J'ai les deux. Sur le papier, Élec Cornouaille est 630 € moins cher. Tu en penses quoi ? Je te
recopie celui d'Armand.

> De : Armand Le Goff <armand@legoff-elec.example>
> Date : ${day(15)} 11:03
>
> Bonjour Nolwenn, comme promis : 4 280 € tout compris. Soit le tableau, un circuit triphasé 32 A
> pour le four, le sectionneur, l'extraction avec sa gaine, seize prises, l'éclairage des pièces 1
> et 2, les essais et l'attestation. Deux semaines de travail. Je peux commencer le ${day(-1)} si
> j'ai votre réponse avant le ${day(12)}. Un tiers au démarrage, le reste quand vous avez
> l'attestation en main.

Et celui d'Élec Cornouaille, qui tient en une ligne :

> Fourniture et pose installation électrique, ancienne voilerie, selon plan : 3 650 €. Délai sept
> semaines. Sectionnement, extraction et attestation hors lot.

## Inès à Nolwenn, ${day(15)} 19:46

« Hors lot », c'est là que l'argent se cache. Sectionneur 140 €, extraction 700 € au bas mot,
attestation 180 € : ça fait 4 670 €, et il te resterait à trouver qui le fait. Sans compter que sept
semaines t'emmènent après ton ouverture. Je prendrais Armand et je dormirais tranquille.

## Nolwenn à Inès, ${day(14)} 08:10

Encore une nuit de réflexion, mais ce sera oui. Merci. Tu as gagné un plat de service.
`,
    },
    {
      path: "bucket/extrait-du-bail.md",
      content: `# Extrait du bail avec la Société du port

Signé le ${day(47)}. Recopié de l'original papier, seulement les articles qu'on cherche tout le
temps.

**3. Durée.** Cinq ans à compter du ${day(45)}. Le locataire peut mettre fin au bail au bout de
trois ans, avec un préavis écrit de six mois.

**4. Loyer.** 1 150 € par mois, payables le premier. Révisé une seule fois, à la fin de la troisième
année. Dépôt de garantie de deux mois, rendu dans les trente jours du départ. Eau comprise,
électricité non comprise.

**7. Portes et fenêtres.** La porte coulissante du quai et la porte de derrière font partie du
bâtiment protégé. Elles ne peuvent être modifiées, déposées ou retournées sans l'accord écrit de la
Société, *lequel ne saurait être refusé lorsque la sécurité l'exige*.

**9. Usage.** Atelier d'artisanat, enseignement et vente des objets fabriqués sur place. La vente de
plats chauds est exclue. Cuissons autorisées à toute heure, livraisons entre 7 h et 19 h.

**12. Assurance.** Le locataire assure le contenu et les visiteurs, pour deux millions d'euros au
moins. (Nous payons 68 € par mois, contrat dans le classeur rouge, rue du Ruisseau.)

Pour mémoire : les mots en italique de l'article 7 sont à citer à Gilles pour la porte de derrière.
`,
    },
  ];
}
