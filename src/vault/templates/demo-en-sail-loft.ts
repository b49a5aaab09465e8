import type { Day, TemplateFile } from "./template.ts";

/** The work project of the English demo. Its floor plan is added by `demo.ts`. */
export function sailLoft(day: Day): TemplateFile[] {
  return [...pages(day), ...bucket(day)].map(({ path, content }) => ({
    path: `projects/sail-loft/${path}`,
    content,
  }));
}

function pages(day: Day): TemplateFile[] {
  return [
    {
      path: "description.md",
      content: `# The sail loft

A second place for Slow Kiln: the ground floor of the old sail loft on the quay, 118 m², rented from
the Harbour Trust. Brook Street goes on making tableware; the loft is for people who want to learn.

## What it is

- Eight wheels, two long tables for hand-building, one front-loading kiln.
- Courses of four weekly sessions, six groups of eight people, £120 for the course, clay and firing
  included.
- A corner near the door with three small tables, where people can look at pots and drink tea. No
  kitchen.

## What it is not

No birthday parties, no drop-in painting, no restaurant production. If it needs a second kiln, it
has become something else and we talk about it first.

## When it has worked

After one year: 40 places filled in every course, the loan paid without touching Brook Street, and
me at the wheel three mornings a week. Break-even is 20 places a course: £2,400 against £2,388 of
rent, Bea's two days, power and insurance.
`,
    },
    {
      path: "state.md",
      content: `## Status

Active. Opening on ${day(-34)}, two weeks later than first announced.

## Focus

Electrics first. Arthur Polmear starts on ${day(-1)}; the network operator connects the three-phase
supply on ${day(-16)}; first test firing on ${day(-22)}. Nothing can be fired before that, so the
sample pots for the opening come out of Brook Street.

## Blocking

- The back door opens inwards. The fire officer wants it to open outwards before any class. The
  Harbour Trust has to agree, since the door is listed in the lease (clause 7).
- The kiln is paid for but still in Penryn, see tasks.

## Sales

31 of 48 places in the first course, £3,720 received. The two evening groups are full, the weekday
morning groups are not.

## Money

| Item | Planned | Committed | Note |
| --- | ---: | ---: | --- |
| Deposit, two months | £2,300 | £2,300 | paid |
| Electrics | £3,800 | £4,280 | Polmear, all included |
| Kiln, second-hand | £2,600 | £2,400 | paid, transport not included |
| Five wheels at £890 | £4,450 | £4,450 | delivery on ${day(-12)} |
| Floor and paint | £2,100 | £1,640 | paint still to buy |
| Kept aside | £1,500 | £0 | back door? |
| **Total** | **£16,750** | **£15,070** | of £18,000 |

The £18,000 are a loan of £12,000 from the credit union (five years, £231 a month) and £6,000 of
savings.

## Dates

- ${day(-1)}: Polmear starts, two weeks of work
- ${day(-9)}: kiln fetched in Penryn
- ${day(-12)}: wheels delivered
- ${day(-16)}: three-phase connection
- ${day(-22)}: first test firing
- ${day(-34)}: opening, first course until ${day(-61)}
`,
    },
    {
      path: "tasks.md",
      content: `# Fetch the kiln in Penryn
status: doing | prio: high | added: ${day(13)} | project: sail-loft
deadline: ${day(-9)}
Jo Carne lends the college trailer against a £250 deposit. 310 kg on a pallet: four people, or Jonah
and the pallet truck. The loading yard is locked after five, ask who has the key.

# Get the Harbour Trust to agree to turn the back door
status: waiting | prio: high | added: ${day(5)} | project: sail-loft
deadline: ${day(-14)}
Written to Graham Nance on ${day(4)}, no answer yet. Imogen's carpenter asks £360, frame included.

# Tell the 31 people about the new dates
status: todo | prio: high | added: ${day(8)} | project: sail-loft
Offer the money back to whoever cannot come. Bea has the list.

# Fill the two weekday morning groups
status: todo | prio: normal | added: ${day(2)} | project: sail-loft
17 places left, 14 of them in the mornings. Bea's idea: the walkers' club and the hospital's night
staff.

# Write the safety sheet for the kiln room
status: todo | prio: normal | added: ${day(5)} | project: sail-loft
One page on the wall: nobody but Bea and me opens the kiln, never above 80 °C.
`,
    },
    {
      path: "changelog.md",
      content: `# ${day(2)}

## 31 places sold
Both evening groups are full, with four names on a waiting list. Mornings: 2 of 16.

# ${day(5)}

## Visit of the fire officer
Ms Hale, forty minutes. At most 19 people on the ground floor, us included, which suits groups of
eight. She accepts the kiln room with its half-hour door. She does not accept a back door that opens
inwards.

# ${day(8)}

## [decision] Opening moved from ${day(-20)} to ${day(-34)}
With the supply connected on ${day(-16)} there would be four days for drying, testing and a first
firing, and a first bisque alone takes two. I would rather say it now than cancel a class. Departure
for Istanbul moves by the same two weeks, see [[projects/istanbul-by-train/changelog]].

# ${day(9)}

## The three-phase supply will be late
Letter from the network operator: connection on ${day(-16)}, not ${day(-2)}. A cable has to be
replaced under the quay. No cost for us, nothing to be done about it.

# ${day(13)}

## [decision] Polmear does the electrics
£4,280 against £3,650 for Brightwater, but he can start in two weeks instead of seven, extraction is
included, and he has wired kilns before. Brightwater's price left out the isolator and the
certificate. Both quotes: [[projects/sail-loft/bucket/${day(15)}-mail-electrics-quotes]].

## Kiln paid
£2,400 to the college in Penryn. 200 litres, 13 kW, new elements last year, 310 kg.

# ${day(19)}

## [decision] The kiln goes in room 3, not in room 5
Room 3 has an outside wall, so the extraction needs a metre of duct instead of nine. Room 5 becomes
the drying store. Imogen has redrawn the plan.

# ${day(26)}

## A kiln in Penryn
The college closes its ceramics room. Jo Carne, the technician, showed me the log book: 212 firings,
none above 1,260 °C. She wants it to go on working more than she wants the best price.

# ${day(33)}

## First plan by Imogen
Kiln in room 5, wheels along the north windows. Room for ten wheels, but ten people plus Bea and me
would queue at one sink.

## [decision] Eight wheels, not ten
Three come from Brook Street, five are new. Saves £1,780 and a second sink.

# ${day(40)}

## Loan granted
£12,000 from the credit union, five years, first payment a month after the opening.

# ${day(47)}

## [decision] We take the loft
Five-year lease signed with the Harbour Trust, £1,150 a month, a way out after three years. The
other candidate, the garage on the hill, was £300 cheaper, without daylight and with a step at the
door.

# ${day(62)}

## First visit to the loft
With Imogen. North light, dry walls, a smell of tar. Bea said yes before I had asked.
`,
    },
  ];
}

function bucket(day: Day): TemplateFile[] {
  return [
    {
      path: `bucket/${day(19)}-site-meeting.md`,
      content: `# Site meeting at the loft, ${day(19)}

Automatic transcript, tidied a little. Present: Tamsin, Imogen Achebe, Arthur Polmear.
Plan on the table: \`floor-plan.png\`, in this folder (the redrawn one).

| Number on the plan | Room |
| --- | --- |
| 1 | wheel room, eight wheels |
| 2 | hand-building, two long tables |
| 3 | kiln room |
| 4 | entrance and tea corner, three round tables |
| 5 | drying store |

**Arthur**: So on your first drawing the kiln is in five. May I ask why five?

**Imogen**: Because it is the smallest, and nobody works there.

**Arthur**: Fair enough, but it has no outside wall. You would run the duct across the ceiling of
four, nine metres, over people drinking tea. In three it is one metre and a hole in the wall.

**Tamsin**: What does that change in money?

**Arthur**: Six hundred pounds or so. And noise, mostly noise.

**Imogen**: Then five becomes the drying store. It is cooler too. I can redraw that tonight.

**Tamsin**: Done. What about the supply? The kiln is thirteen kilowatts.

**Arthur**: Nineteen amps a phase, so I put it on a thirty-two amp circuit of its own, with an
isolator outside the room. But you have single-phase today. The operator has to bring three-phase,
and that is their calendar, not mine. Ask this week. They say four weeks and they mean six.

**Tamsin**: And if they are late?

**Arthur**: Then you have a very handsome room without a kiln. The wheels run on what you have.

**Imogen**: The back door, by the wheels. Is that going to count as an exit?

**Arthur**: Not my trade. It opens the wrong way, if you ask me. Ask the fire officer before you
paint it.

**Tamsin**: Last thing, the floor. Three hundred and ten kilos on four feet?

**Imogen**: Slab on rock. You could park a bus.

Agreed: kiln in 3; Tamsin writes to the operator today; Arthur sends a quote before ${day(14)}.
`,
    },
    {
      path: `bucket/${day(15)}-mail-electrics-quotes.md`,
      content: `# Mails: the two quotes for the electrics

## Tamsin to Imogen, ${day(15)} 17:20

Both are in. On paper Brightwater is £630 cheaper. What do you think? I copy Arthur's below.

> From: Arthur Polmear <arthur@polmear.example>
> Date: ${day(15)} 11:03
>
> Dear Tamsin, as promised: £4,280, everything included. That is the board, a 32 A three-phase
> circuit for the kiln, isolator, extraction with its duct, sixteen sockets, lighting for rooms 1
> and 2, test and certificate. Two weeks of work. I can start on ${day(-1)} if I hear from you
> before ${day(12)}. A third on starting, the rest with the certificate in your hand.

And Brightwater's, which is one line long:

> Supply and fit electrical installation, former sail loft, as per plan: £3,650. Lead time seven
> weeks. Isolation, extraction and certification by others.

## Imogen to Tamsin, ${day(15)} 19:46

"By others" is where the money hides. Isolator £140, extraction £700 at least, certificate £180:
that makes £4,670, and you would still be looking for the others. Also, seven weeks takes you past
your opening. I would go with Arthur and sleep well.

## Tamsin to Imogen, ${day(14)} 08:10

Sleeping on it, then yes. Thank you. You have earned a serving dish.
`,
    },
    {
      path: "bucket/lease-extract.md",
      content: `# Extract of the lease with the Harbour Trust

Signed on ${day(47)}. Typed from the paper copy, only the clauses we keep looking up.

**3. Term.** Five years from ${day(45)}. The tenant may end the lease after three years, with six
months' notice in writing.

**4. Rent.** £1,150 a month, due on the first. Reviewed once, at the end of the third year. Deposit
of two months, given back within thirty days of leaving. Water is included, power is not.

**7. Doors and windows.** The sliding quay door and the back door are part of the listed building.
They may not be altered, removed or re-hung without the written consent of the Trust, *which shall
not be refused where safety requires it*.

**9. Use.** Craft workshop, teaching and the sale of goods made there. Hot food may not be sold.
Firing is allowed at any hour, deliveries between 7:00 and 19:00.

**12. Insurance.** The tenant insures contents and visitors, for two million pounds at least. (We
pay £68 a month, policy kept in the red folder at Brook Street.)

Note to self: the words in italics in clause 7 are what to quote to Graham about the back door.
`,
    },
  ];
}
