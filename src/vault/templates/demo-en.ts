import { istanbulByTrain } from "./demo-en-istanbul-by-train.ts";
import { sailLoft } from "./demo-en-sail-loft.ts";
import type { Day, TemplateFile } from "./template.ts";

/**
 * The English demo: Tamsin Rowe, a potter in Falmouth, opens a second studio in an old sail loft
 * and plans a train journey to Istanbul with her brother. Every date is counted from today.
 */
export function demoFilesEn(day: Day): TemplateFile[] {
  return [...root(day), ...bucket(day), ...sailLoft(day), ...istanbulByTrain(day), ...inbox(day)];
}

function root(day: Day): TemplateFile[] {
  return [
    {
      path: "overview.md",
      content: `# Overview

## Right now

The sail loft takes nearly all the time. The opening is on ${day(-34)}, everything hangs on the
three-phase connection of ${day(-16)}, and the kiln has to be fetched before that. Brook Street runs
as usual, with restaurant orders kept small on purpose until the opening.

## Projects

- **sail-loft** (active): a second pottery studio, with classes, in the old sail loft on the quay.
  31 of 48 places sold. See [[projects/sail-loft/state]].
- **istanbul-by-train** (planning): almost two weeks by rail with Jonah, leaving on ${day(-63)},
  once the first course is over. Flat not paid yet. See [[projects/istanbul-by-train/state]].

## Inbox

1 item waiting: a voice note about "Jo" and a deposit, which could belong to either project.
`,
    },
    {
      path: "profile.md",
      content: `# Profile

## Who I am

Tamsin Rowe, 38, potter in Falmouth. I have run Slow Kiln, in Brook Street, for nine years:
tableware for restaurants, a small shop, no online sales. I trained as a chemist and still weigh
everything.

## The people around me

- **Jonah**, my younger brother, nurse in Bristol. His rota is known six weeks ahead, never earlier.
- **Bea Okafor**, potter, teaches with me from the opening on, two days a week.
- **Imogen Achebe**, architect and old friend. Draws for me and is paid in plates.
- **Graham Nance**, who looks after the buildings of the Harbour Trust, my landlord at the loft.
- **Mrs Teague**, next door, feeds Biscuit the cat when I am away.

## How I like to work

- At the wheel until one o'clock: no calls in the morning, please. Mail is answered after four.
- Amounts always with what they include. I have been caught by "plus fitting" once too often.
- Drafts short and plain. Never send anything in my name.
- Allergic to hazelnuts. Bad with heights, so no cable cars.
`,
    },
    {
      path: "tasks.md",
      content: `# Book the van in for its yearly test
status: todo | prio: high | added: ${day(4)} | project: —
deadline: ${day(-8)}
It has to be done before the kiln is fetched on ${day(-9)}. The left rear light is out: change the
bulb first.

# Answer Orla about the plates for the Cormorant
status: doing | prio: high | added: ${day(3)} | project: —
Her message is in [[bucket/${day(3)}-mail-cormorant-plates]]. Say yes to 40, explain why not 60.

# Ask Mrs Teague to feed Biscuit while we are away
status: todo | prio: normal | added: ${day(7)} | project: —
From ${day(-63)} to ${day(-75)}. Bring her the blue jug she liked.

# Try the slow-cooling schedule on six test tiles
status: waiting | prio: low | added: ${day(18)} | project: —
Waiting for a half-empty firing at Brook Street. The schedule is in [[bucket/article-slow-cooling]].
`,
    },
    {
      path: "changelog.md",
      content: `# ${day(3)}

## Orla asks for 60 plates
The Cormorant reopens its terrace and wants 60 plates in the grey-green glaze. That is over the
limit I set myself, see the decision of ${day(21)}. Mail kept in the bucket.

# ${day(12)}

## Three days in bed
Flu. Bea opened the Brook Street shop and sold more than I do.

# ${day(21)}

## [decision] No restaurant order above 40 pieces until the loft is open
Two firings a week at Brook Street hold about 90 pieces, and the shop needs half of them. One big
order is enough to empty the shelves. To be looked at again four weeks after the opening.

# ${day(36)}

## Quarter closed with the accountant
Slow Kiln made £3,140 after wages. Peter's only remark: keep the costs of the loft in their own
column from the first day, so that the loan can be followed.

# ${day(44)}

## Supper for the ninth birthday of the shop
Imogen, Bea, Jonah, Mrs Teague, eleven people in all. Jonah brought the rail map of Europe that
started the whole Istanbul idea.
`,
    },
  ];
}

function bucket(day: Day): TemplateFile[] {
  return [
    {
      path: `bucket/${day(3)}-mail-cormorant-plates.md`,
      content: `# Mail: plates for the Cormorant

From: Orla Feeney <orla@cormorant.example>
To: Tamsin Rowe <tamsin@slowkiln.example>
Date: ${day(3)} 16:52
Subject: the grey-green ones

Hello Tamsin,

The terrace is nearly done and I would love your plates out there. I am thinking of 60 of the
grey-green ones, 24 cm, with the slightly raised edge (not the flat ones, the wind takes the
napkins). Last time we paid £19.50 each, is that still right?

No terrible hurry: we open the terrace on ${day(-40)}. If you can only do part of it I would rather
have fewer that match than 60 in two different greens.

And congratulations on the loft, the whole kitchen wants to come and throw pots.

Orla
`,
    },
    {
      path: "bucket/article-slow-cooling.md",
      content: `# Article: why slow cooling changes a glaze

Excerpt copied from a potters' newsletter, ${day(18)}. My remarks are at the end.

Most of us think of a firing as a climb. We watch the last hundred degrees, switch off, and go home.
Yet for a glaze rich in iron or magnesium, much of what you will see on the shelf is decided on the
way down. Between about 1,050 °C and 850 °C small crystals have time to form near the surface. If
the kiln falls through that range in an hour, the glaze stays glassy and dark. If it is held back to
some fifty degrees an hour, it turns satin, and colours that were asleep come up: rust, straw, a
soft grey-green.

The price is time and a little power: four more hours, about nine kilowatt-hours in a medium kiln.

\`\`\`text
segment   rate (°C/h)   to (°C)   hold (min)
1             80          200         30
2            150         1000          0
3             60         1240         15
4           free         1050          0
5            -50          850          0
6            off
\`\`\`

Remarks: our grey-green at Brook Street is cooled far too quickly, which would explain why no two
firings match. Six tiles, three here and three in the kiln of the loft once it works. The controller
of the old kiln has only five segments, so 1 and 2 would have to be merged.
`,
    },
  ];
}

function inbox(day: Day): TemplateFile[] {
  const folder = `inbox/${day(1)}-note-about-jo`;
  return [
    {
      path: `${folder}/original.md`,
      content: `# Voice note, ${day(1)} 18:07

tell Jo yes for the ${day(-9)}, but only if the deposit comes back when it falls through. 240 at the
very most. oh and ask about the key, I don't want to stand outside with my arms full again
`,
    },
    {
      path: `${folder}/review.md`,
      content: `# Review: note about Jo and a deposit

## What I looked for

"Jo", "deposit", "key", the amount 240 and the date ${day(-9)}, in both projects and in the root
tasks.

## What I found

- **Jo Carne**, technician at the college in Penryn, sells the kiln. Collection is planned for
  ${day(-9)}, she asks for a £250 deposit on the trailer, and the loading yard is locked. See
  \`projects/sail-loft/tasks.md\`.
- **Jonah**, sometimes "Jo" in the mails. The flat in Istanbul has to be confirmed by ${day(-9)}
  with a £180 deposit, and Selin leaves the key in a key box. See
  \`projects/istanbul-by-train/state.md\`.
- No amount of 240 anywhere. "Arms full" sounds like the kiln, but luggage would fill them just as
  well.

## What I propose

File it under **sail-loft**: add to the task "Fetch the kiln in Penryn" that the deposit must be
refundable, £240 at most against the £250 asked, and that someone has to be there with the yard key.
Nothing has been changed so far.

## Question

Is this Jo Carne and the trailer, or Jonah and the flat?
`,
    },
  ];
}
