import type { Day, TemplateFile } from "./template.ts";

/** The private project of the French demo. */
export function istanbulEnTrain(day: Day): TemplateFile[] {
  return [...pages(day), ...bucket(day)].map(({ path, content }) => ({
    path: `projects/istanbul-en-train/${path}`,
    content,
  }));
}

function pages(day: Day): TemplateFile[] {
  return [
    {
      path: "description.md",
      content: `# Istanbul en train

Presque deux semaines avec Jonas, du quai de la gare de Quimper jusqu'au Bosphore, à l'aller
uniquement par le rail. On en parle depuis que papa nous racontait les wagons-lits ; c'est cette
année qu'on part.

## Nos règles

- Aller en train et rien d'autre, quel que soit le temps que ça prend. Retour en avion, parce que
  les congés de Jonas sont courts.
- Deux trains de nuit au plus, chaque fois en cabine à deux lits. On n'a plus vingt ans.
- 2 600 € à deux, tout compris, moitié-moitié. Jonas tient les comptes.
- Pas de téléphone à table. Un dessin par jour chacun, même raté.

## Pourquoi ça compte

Ce sont les premières grandes vacances depuis que la boutique existe, et les premières avec mon
frère depuis l'école.
`,
    },
    {
      path: "state.md",
      content: `## Statut

En préparation. Départ le ${day(-63)}, retour le ${day(-75)}. Les congés de Jonas sont acceptés à
ces dates.

## Trajet et prix pour deux

| Étape | Date | Comment | Prix |
| --- | --- | --- | ---: |
| Quimper, Paris | ${day(-63)} | train de jour, nuit chez la cousine Lena | 168 € |
| Paris, Munich, Vienne | ${day(-64)} | trains de jour, puis deux nuits à Vienne | 214 € |
| Vienne, Bucarest | ${day(-66)} | train de nuit, deux lits | 246 € |
| Bucarest, Roussé, Sofia | ${day(-68)} | trains de jour, changement à la frontière | 62 € |
| Sofia, Istanbul | ${day(-69)} | train de nuit, deux lits | 88 € |
| Istanbul, maison | ${day(-75)} | avion | 310 € |
| **Total** | | | **1 088 €** |

Nuits : Vienne 190 €, Bucarest 70 €, Sofia 58 €, Istanbul 310 €, soit 628 €. Repas et tout le
reste : 700 €. En tout 2 416 € sur 2 600 €, il reste 184 €.

## Réservé

Seulement l'avion (310 €, déjà changé une fois). Les trains de nuit sont en vente à partir du
${day(-3)}.

## En suspens

- L'appartement de Kadıköy : Selin nous le garde jusqu'au ${day(-9)}. Caution de 180 €, remboursable
  jusqu'à deux semaines avant.
- Mon passeport expire le ${day(-170)}. D'après Jonas, il faut 150 jours de validité après
  l'arrivée, donc jusqu'au ${day(-220)} : trop court.
- Jonas veut un jour de plus à Sofia, moi à Vienne.
`,
    },
    {
      path: "tasks.md",
      content: `# Refaire mon passeport
status: en-cours | prio: haute | ajoutée: ${day(10)} | projet: istanbul-en-train
deadline: ${day(-42)}
Pré-demande remplie, photos faites. La mairie annonce trois semaines. Apporter le timbre fiscal.

# Payer la caution de l'appartement de Kadıköy
status: en-attente | prio: haute | ajoutée: ${day(6)} | projet: istanbul-en-train
deadline: ${day(-9)}
180 € à Selin. J'attends l'avis de Jonas sur le quartier. Les mails :
[[projects/istanbul-en-train/bucket/${day(6)}-mail-appartement-kadikoy]].

# Acheter les deux trains de nuit
status: à-faire | prio: haute | ajoutée: ${day(6)} | projet: istanbul-en-train
En vente à partir du ${day(-3)}. Vienne-Bucarest d'abord, il se remplit vite. Sofia-Istanbul
seulement au guichet, ou par l'agence de Sofia.

# Trouver deux petits carnets de croquis
status: à-faire | prio: basse | ajoutée: ${day(20)} | projet: istanbul-en-train
Format paysage, papier épais, qui tiennent dans une poche de manteau.
`,
    },
    {
      path: "changelog.md",
      content: `# ${day(6)}

## Appartement trouvé à Kadıköy
Chez Selin Aydın, cinq nuits à 62 €, à dix minutes à pied du bateau. Elle nous le garde jusqu'au
${day(-9)}.

# ${day(7)}

## [décision] Départ le ${day(-63)} au lieu du ${day(-49)}
La voilerie ouvre deux semaines plus tard, et le premier stage finit désormais le ${day(-61)}. Je ne
laisse pas Béa seule avec ça. Jonas a déplacé ses congés, et l'avion a été changé sans frais ; ce ne
sera pas possible une deuxième fois.

# ${day(10)}

## Souci de passeport
Jonas m'a lu les conditions d'entrée au téléphone. Le sien est bon pour sept ans, le mien est à
refaire.

# ${day(20)}

## [décision] Par Bucarest, pas par Belgrade
Entre Belgrade et Sofia, aucun train sur lequel compter, seulement un car, et la règle dit : sur des
rails. Le détour coûte une nuit et nous offre Bucarest.

# ${day(27)}

## Jonas a posé ses congés
Douze nuits, ses plus longs depuis quatre ans. Sa cadre de santé connaît Istanbul et a répondu par
une liste de restaurants.

# ${day(33)}

## [décision] Retour en avion
En train dans les deux sens, il ne resterait que deux jours à Istanbul. 310 € pour deux, bagages
compris.

# ${day(44)}

## C'est parti
Jonas a déroulé la carte des chemins de fer entre le fromage et le gâteau. On s'est tapé dans la
main.
`,
    },
  ];
}

function bucket(day: Day): TemplateFile[] {
  return [
    {
      path: `bucket/${day(20)}-appel-avec-jonas.md`,
      content: `# Appel avec Jonas, ${day(20)}

Transcription du téléphone, réduite à l'essentiel. 38 minutes.

**Jonas** : J'ai deux lignes sur la carte. La rouge, c'est Budapest, Belgrade, Sofia. La verte,
Vienne, Bucarest, Sofia.

**Nolwenn** : La rouge est plus courte.

**Jonas** : Sur le papier. Après Belgrade, tu attends un train qui n'existe peut-être pas. Tous ceux
à qui j'ai demandé ont pris un car.

**Nolwenn** : Un car n'est pas un train.

**Jonas** : Un car n'est pas un train. Donc, la verte. Une nuit de Vienne à Bucarest, dix-neuf
heures et des poussières. On se réveille dans les Carpates, paraît-il, avec du café tiré d'un
samovar.

**Nolwenn** : Le samovar, tu l'inventes.

**Jonas** : Le samovar, je l'invente. Ensuite on descend vers le Danube, changement à Roussé, Sofia
tard le soir. Puis le train de nuit pour Istanbul. À la frontière, ils réveillent tout le monde à
deux heures du matin, et on descend avec les sacs.

**Nolwenn** : Tout le monde ?

**Jonas** : Passeports, puis scanner, en chaussettes si tu n'as pas de chance. Une heure et demie.
Et il ne va plus jusqu'à la vieille gare, il s'arrête à Halkalı, en banlieue. De là, il y a un train
de ville.

**Nolwenn** : Combien, les deux nuits ?

**Jonas** : Deux cent quarante-six pour la première, les deux lits, et quatre-vingt-huit pour la
seconde.

**Nolwenn** : Ça laisse de quoi acheter des baklavas.

**Jonas** : Sans noisettes. J'apprendrai à le dire. Et les chaussures de marche, il les faut ?

**Nolwenn** : Une paire de chaussures chacun. Ce qui ne rentre pas dans le petit sac reste à la
maison.

Convenu : la ligne verte ; Jonas cherche l'appartement ; un petit sac à dos chacun.
`,
    },
    {
      path: `bucket/${day(6)}-mail-appartement-kadikoy.md`,
      content: `# Mails : l'appartement de Kadıköy

## Jonas à Nolwenn, ${day(6)} 22:15

Je crois que je l'ai trouvé, regarde plus bas. J'ai demandé du ${day(-70)} au ${day(-75)}. C'est sur
la rive asiatique, donc un bateau chaque fois qu'on veut voir une mosquée, ce que je range parmi les
avantages. Avant de payer, je veux demander à Deniz, au travail, ce que valent les rues autour. Jo

> De : Selin Aydın <selin@moda-flat.example>
> Date : ${day(6)} 19:40
>
> Cher Jonas, l'appartement est libre du ${day(-70)} au ${day(-75)}, cinq nuits à 62 €, soit 310 €.
> Deux chambres, troisième étage, sans ascenseur. Pour le garder, je demande une caution de 180 €
> avant le ${day(-9)} ; elle est rendue en entier si vous annulez plus de deux semaines avant. La
> clé est dans un boîtier à côté de la porte, j'envoie le code le jour même. Votre train arrive
> tôt : vous pourrez laisser vos sacs chez l'épicier d'en bas dès sept heures. Bien à vous, Selin

## Nolwenn à Jonas, ${day(5)} 16:30

Ravissant. Troisième étage, ça va ; un téléphérique, non. Demande à Deniz, et demande à Selin si la
rue est calme la nuit. Si Deniz dit oui, je paie la caution le jour même.

## Jonas à Nolwenn, ${day(4)} 07:55

Deniz est en congé jusqu'au ${day(-2)}. Pour le calme : « aussi calme qu'une rue avec quatre
chats ». Jo
`,
    },
    {
      path: "bucket/liste-de-bagages.md",
      content: `# Liste de bagages

Convenue avec Jonas. Un sac à dos chacun, sept kilos au plus, pesés sur la balance de l'atelier.

- passeport, sa copie sur papier, carte d'assurance
- deux chemises, deux pantalons, un pull, une paire de chaussures
- bouchons d'oreilles, masque pour dormir, une tasse à moi (pas en porcelaine)
- carnet de croquis, trois crayons, un taille-crayon
- petit cadenas pour la cabine
- carton en turc et en bulgare : « je ne peux pas manger de noisettes »
- 60 € en lei et en livres turques pour les endroits qui ne prennent pas la carte

Pesée du ${day(11)} : le mien 6,4 kg, celui de Jonas 9,1 kg. Il dit que la carte des trains ne
compte pas.
`,
    },
  ];
}
