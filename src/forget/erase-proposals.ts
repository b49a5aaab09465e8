import { KeptProposals } from "../tidy/kept-proposals.ts";
import { holdsAny, inJson, type Needles } from "../vault/history/erase-history.ts";
import type { LocalVault } from "../vault/vault.ts";

const AUTHOR = { actor: "coffre", call: "forget", batch: null };

/**
 * Removes the proposals to tidy that quote what must not exist, from the state folder and with their inbox item; a run makes them again. What
 * was declined stays known, by what it was about.
 * @returns whether an inbox item was removed
 */
export async function eraseProposals(
  vault: LocalVault,
  needles: Needles,
  isPath: boolean,
): Promise<boolean> {
  const proposals = new KeptProposals(vault.state);
  const kept = proposals.read();
  // They are stored as JSON.
  const isIn = holdsAny(inJson(needles));
  const isHeld = isIn(Buffer.from(JSON.stringify(kept.item)));
  const used = kept.used.filter((ref) => !isIn(Buffer.from(ref)));
  if (isHeld || used.length < kept.used.length)
    proposals.write({ ...kept, used, item: isHeld ? null : kept.item });
  // Lines of a file are in former proposals too, and nothing but their own history tells of which file.
  const gone = kept.used.filter((ref) => (ref === kept.item?.ref ? isHeld : isPath));
  let wasThere = false;
  for (const ref of gone) {
    const review = `inbox/${ref}/review.md`;
    if ((await vault.find(review)).kind === "file") {
      wasThere = true;
      await vault.change(AUTHOR, async ({ writer }) => writer.remove(review));
    }
    await vault.erase({ path: review }, false);
  }
  return wasThere;
}
