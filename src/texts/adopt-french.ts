/** What is said about frontmatter in notes that were there before. */
export const adoptFrench: Readonly<Record<string, string>> = {
  "Choose what coffre may write into notes that were there before":
    "Choisir ce que coffre peut écrire dans les notes qui étaient déjà là",
  "Which notes get created, updated and tokens: all, own (those coffre makes), or none":
    "Quelles notes reçoivent created, updated et tokens : all (toutes), own (celles que fait coffre) ou none (aucune)",
  "Only show what there is, and what each choice would change":
    "Seulement montrer ce qu’il y a, et ce que chaque choix changerait",
  "Let go of the old bytes of adoptions, which are else kept however old they become":
    "Laisser partir l’ancien contenu des adoptions, qui est sinon gardé sans limite d’âge",
  "Without a choice, shows what there is. A choice is stored, and done at once as one change of the history: coffre undo takes all of it back, except files that changed since.":
    "Sans choix, montre ce qu’il y a. Un choix est retenu, et appliqué aussitôt comme un seul changement de l’historique : coffre undo reprend tout, sauf les fichiers changés depuis.",
  "No old bytes of an adoption are kept.": "Aucun ancien contenu d’une adoption n’est gardé.",
  "The old bytes of adoptions are now forgotten like those of any other change.":
    "L’ancien contenu des adoptions est désormais oublié comme celui de tout autre changement.",
  "Taking back: {0} of {1} files": "Annulation : {0} fichiers sur {1}",
  "Writing frontmatter: {0} of {1} notes": "Écriture du frontmatter : {0} notes sur {1}",
  "{0} notes. In force: {1}.": "{0} notes. En vigueur : {1}.",
  "{0} notes. In force: {1} (by default).": "{0} notes. En vigueur : {1} (par défaut).",
  "{0} with frontmatter of coffre's": "{0} avec le frontmatter de coffre",
  "{0} with a created, updated or tokens of your own, which stay as written":
    "{0} avec un created, updated ou tokens à vous, qui restent tels quels",
  "{0} with TOML or JSON front matter, left alone":
    "{0} avec un en-tête TOML ou JSON, laissé tel quel",
  "{0} read-only, left alone": "{0} en lecture seule, laissées telles quelles",
  "{0} with frontmatter that is not valid YAML, left alone":
    "{0} dont le frontmatter n’est pas du YAML valide, laissées telles quelles",
  "{0} every note gets created, updated and tokens: {1}":
    "{0} chaque note reçoit created, updated et tokens : {1}",
  "{0} only notes that coffre makes get them: {1}":
    "{0} seules les notes que fait coffre les reçoivent : {1}",
  "{0} no note gets them: {1}": "{0} aucune note ne les reçoit : {1}",
  "Vault/tree.md is taken away": "vault/tree.md est retiré",
  "Nothing changes now": "Rien ne change maintenant",
  "Choose with: {0}": "Pour choisir : {0}",
  "{0} every note gets created, updated and tokens.":
    "{0} chaque note reçoit created, updated et tokens.",
  "{0} only notes that coffre makes get them.":
    "{0} seules les notes que fait coffre les reçoivent.",
  "{0} no note gets them.": "{0} aucune note ne les reçoit.",
  "{0} every note gets created, updated and tokens (was {1}).":
    "{0} chaque note reçoit created, updated et tokens (avant : {1}).",
  "{0} only notes that coffre makes get them (was {1}).":
    "{0} seules les notes que fait coffre les reçoivent (avant : {1}).",
  "{0} no note gets them (was {1}).": "{0} aucune note ne les reçoit (avant : {1}).",
  "No file had to be changed.": "Aucun fichier n’avait à être changé.",
  "1 file was changed.": "1 fichier a été changé.",
  "{0} files were changed.": "{0} fichiers ont été changés.",
  "To take it back: {0}": "Pour revenir en arrière : {0}",
  "Your notes stay as they are: only notes that coffre makes get frontmatter. To choose: coffre adopt.":
    "Vos notes restent telles quelles : seules les notes que fait coffre reçoivent un frontmatter. Pour choisir : coffre adopt.",
  "Only notes that coffre makes get frontmatter. To change that: coffre adopt.":
    "Seules les notes que fait coffre reçoivent un frontmatter. Pour changer cela : coffre adopt.",
  "No note gets frontmatter. To change that: coffre adopt.":
    "Aucune note ne reçoit de frontmatter. Pour changer cela : coffre adopt.",
  "All notes get frontmatter. To change that: coffre adopt.":
    "Toutes les notes reçoivent un frontmatter. Pour changer cela : coffre adopt.",
  "All notes get frontmatter, those that were there before too. To take that back: {0}":
    "Toutes les notes reçoivent un frontmatter, aussi celles qui étaient déjà là. Pour revenir en arrière : {0}",
  "By default; coffre adopt changes it": "Par défaut ; coffre adopt le change",
  Notes: "Notes",
  "frontmatter is written into all of them ({0})": "le frontmatter est écrit dans toutes ({0})",
  "frontmatter is written only into those that coffre makes ({0})":
    "le frontmatter n’est écrit que dans celles que fait coffre ({0})",
  "no frontmatter is written ({0})": "aucun frontmatter n’est écrit ({0})",
  "frontmatter is written into all of them ({0}); left as they are: {1}":
    "le frontmatter est écrit dans toutes ({0}) ; laissées telles quelles : {1}",
  "frontmatter is written only into those that coffre makes ({0}); left as they are: {1}":
    "le frontmatter n’est écrit que dans celles que fait coffre ({0}) ; laissées telles quelles : {1}",
  "no frontmatter is written ({0}); left as they are: {1}":
    "aucun frontmatter n’est écrit ({0}) ; laissées telles quelles : {1}",
  "{0}: it is not UTF-8 text, and is not searched":
    "{0} : ce n’est pas du texte UTF-8, et n’est pas cherché",
  "{0}: its own {1} stays as written": "{0} : {1} est à vous, et reste tel quel",
  "{0}: its frontmatter was taken back by an undo": "{0} : son frontmatter a été annulé",
};
