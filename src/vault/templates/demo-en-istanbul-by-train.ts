import type { Day, TemplateFile } from "./template.ts";

/** The private project of the English demo. */
export function istanbulByTrain(day: Day): TemplateFile[] {
  return [...pages(day), ...bucket(day)].map(({ path, content }) => ({
    path: `projects/istanbul-by-train/${path}`,
    content,
  }));
}

function pages(day: Day): TemplateFile[] {
  return [
    {
      path: "description.md",
      content: `# Istanbul by train

Almost two weeks with Jonah, from the platform in Falmouth to the Bosphorus, by rail all the way
out. We have talked about it since Dad's stories of the sleeping cars; this is the year we go.

## Rules we agreed on

- Outward by train only, however long it takes. Home by plane, because Jonah's leave is short.
- Two night trains at most, both in a two-berth compartment. We are not twenty any more.
- £2,600 for the two of us, everything included, shared equally. Jonah keeps the accounts.
- No phones at meals. One drawing a day each, however bad.

## Why it matters

It is the first long holiday since the shop opened, and the first with my brother since school.
`,
    },
    {
      path: "state.md",
      content: `## Status

Planning. Leaving on ${day(-63)}, home on ${day(-75)}. Jonah's leave is approved for these dates.

## Route and cost for two

| Leg | Date | How | Cost |
| --- | --- | --- | ---: |
| Falmouth, London, Paris | ${day(-63)} | day trains, night at cousin Lowenna's | £268 |
| Paris, Munich, Vienna | ${day(-64)} | day trains, then two nights in Vienna | £214 |
| Vienna, Bucharest | ${day(-66)} | night train, two berths | £246 |
| Bucharest, Ruse, Sofia | ${day(-68)} | day trains, change at the border | £62 |
| Sofia, Istanbul | ${day(-69)} | night train, two berths | £88 |
| Istanbul, home | ${day(-75)} | plane | £210 |
| **Total** | | | **£1,088** |

Beds: Vienna £190, Bucharest £70, Sofia £58, Istanbul £310, so £628. Food and everything else: £700.
Sum £2,416 of £2,600, which leaves £184.

## Booked

Nothing but the plane (£210, already changed once). Night trains go on sale on ${day(-3)}.

## Open

- The flat in Kadıköy: Selin holds it until ${day(-9)}. Deposit of £180, refundable until two weeks
  before.
- My passport runs out on ${day(-170)}. Turkey asks for 150 days after arrival, so until
  ${day(-220)}: too short.
- Jonah wants a day more in Sofia, I want it in Vienna.
`,
    },
    {
      path: "tasks.md",
      content: `# Renew my passport
status: doing | prio: high | added: ${day(10)} | project: istanbul-by-train
deadline: ${day(-42)}
Form filled in, photos taken. Three weeks by post at this time, they say. Send it recorded.

# Pay the deposit for the flat in Kadıköy
status: waiting | prio: high | added: ${day(6)} | project: istanbul-by-train
deadline: ${day(-9)}
£180 to Selin. Waiting for Jonah's word on the neighbourhood. Mails in
[[projects/istanbul-by-train/bucket/${day(6)}-mail-flat-kadikoy]].

# Buy the two night trains
status: todo | prio: high | added: ${day(6)} | project: istanbul-by-train
On sale from ${day(-3)}. Vienna to Bucharest first, it fills up. Sofia to Istanbul only at the
counter or through the agency in Sofia.

# Find two small sketchbooks
status: todo | prio: low | added: ${day(20)} | project: istanbul-by-train
Landscape, thick paper, to fit a coat pocket.
`,
    },
    {
      path: "changelog.md",
      content: `# ${day(6)}

## Flat found in Kadıköy
Selin Aydın's place, five nights at £62, ten minutes' walk from the ferry. Held for us until
${day(-9)}.

# ${day(7)}

## [decision] Leaving on ${day(-63)} instead of ${day(-49)}
The loft opens two weeks later, and the first course now ends on ${day(-61)}. I will not leave Bea
alone with it. Jonah moved his leave, and the plane was changed for nothing; it cannot be changed a
second time.

# ${day(10)}

## Passport problem
Jonah read the entry rules aloud on the phone. His is fine for seven years, mine has to be renewed.

# ${day(20)}

## [decision] Through Bucharest, not through Belgrade
Between Belgrade and Sofia there is no train to count on, only a bus, and the rule is rails all the
way. The detour costs a night and gives us Bucharest.

# ${day(27)}

## Jonah asked for his leave
Twelve nights, the longest he has taken in four years. His ward manager has been to Istanbul and
answered with a list of restaurants.

# ${day(33)}

## [decision] Home by plane
Four days by train both ways would leave two in Istanbul. £210 for two, bags included.

# ${day(44)}

## It begins
Jonah unrolled the rail map between the cheese and the cake. Shook hands on it.
`,
    },
  ];
}

function bucket(day: Day): TemplateFile[] {
  return [
    {
      path: `bucket/${day(20)}-call-with-jonah.md`,
      content: `# Call with Jonah, ${day(20)}

Transcript by the phone, cut down to what matters. 38 minutes.

**Jonah**: I have two lines on the map. The red one is Budapest, Belgrade, Sofia. The green one is
Vienna, Bucharest, Sofia.

**Tamsin**: Red is shorter.

**Jonah**: On paper. After Belgrade you wait for a train that may not exist. Everybody I asked took
a bus.

**Tamsin**: A bus is not a train.

**Jonah**: A bus is not a train. So, green. One night from Vienna to Bucharest, nineteen hours and a
bit. You wake up in the Carpathians, apparently, with coffee from a samovar.

**Tamsin**: You are making up the samovar.

**Jonah**: I am making up the samovar. Then down to the Danube, change at Ruse, Sofia late in the
evening. Then the night train to Istanbul. They wake you at the border at two in the morning,
everybody out, with the bags.

**Tamsin**: Everybody?

**Jonah**: Passports, then scanners, in your socks if you are unlucky. An hour and a half. And it
does not go into the old station any more, it stops at Halkalı, out in the suburbs. There is a metro
train from there.

**Tamsin**: How much are the two nights?

**Jonah**: Two hundred and forty-six for the first, both berths, and eighty-eight for the second.

**Tamsin**: That leaves money for baklava.

**Jonah**: Without hazelnuts. I will learn how to say it. What about the boots, do I need the boots?

**Tamsin**: One pair of shoes each. If it does not fit in the small rucksack it stays at home.

Agreed: green line; Jonah looks for the flat; one small rucksack each.
`,
    },
    {
      path: `bucket/${day(6)}-mail-flat-kadikoy.md`,
      content: `# Mails: the flat in Kadıköy

## Jonah to Tamsin, ${day(6)} 22:15

Found it, I think. See below. I asked her for ${day(-70)} to ${day(-75)}. It is on the Asian side,
so a ferry every time we want to see a mosque, which I count as an advantage. I want to ask Deniz at
work about the streets around it before we pay. Jo

> From: Selin Aydın <selin@moda-flat.example>
> Date: ${day(6)} 19:40
>
> Dear Jonah, the flat is free from ${day(-70)} to ${day(-75)}, five nights, £62 a night, so £310.
> Two bedrooms, third floor, no lift. To hold it I ask for a deposit of £180 before ${day(-9)}; you
> get all of it back if you cancel more than two weeks ahead. The key is in a key box beside the
> door, I send the code on the day. Your train comes early: you may leave your bags with the grocer
> downstairs from seven o'clock. Warmly, Selin

## Tamsin to Jonah, ${day(5)} 16:30

Lovely. Third floor is fine, a cable car would not be. Ask Deniz, and ask Selin if the street is
quiet at night. If Deniz says yes I pay the deposit the same day.

## Jonah to Tamsin, ${day(4)} 07:55

Deniz is off until ${day(-2)}. Quiet: "as quiet as a street with four cats". Jo
`,
    },
    {
      path: "bucket/packing-list.md",
      content: `# Packing list

Agreed with Jonah. One rucksack each, seven kilos at most, weighed on the studio scales.

- passport, a paper copy of it, the insurance card
- two shirts, two trousers, one jumper, one pair of shoes
- earplugs, eye mask, a mug of my own (not porcelain)
- sketchbook, three pencils, a sharpener
- small padlock for the compartment
- card in Turkish and Bulgarian: "I cannot eat hazelnuts"
- £60 in euros and lei for the places that take no cards

Weighed on ${day(11)}: mine 6.4 kg, Jonah's 9.1 kg. He says the rail map does not count.
`,
    },
  ];
}
