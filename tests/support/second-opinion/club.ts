/** A tier as the venue has set it. */
export interface Terms {
  price: number;
  pours: number;
  people: number;
  guests: number;
  /** How many glasses of a period may roll over, for periods that begin from some instant on; the latest last. */
  rollover: { since: number; glasses: number }[];
}

/** The venue's tiers, shared by all members. */
export type Club = Record<string, Terms>;

/** The terms of a tier as they are now. */
export function termsOf(club: Club, tier: string): Terms {
  const terms = club[tier];
  if (!terms) throw new Error(`No tier ${tier}`);
  return terms;
}

export const TIERS = ['select', 'premier', 'elite', 'household'] as const;

/** How many glasses of a period that begins at an instant may roll over. */
export const rolloverAt = ({ rollover }: Terms, at: number): number =>
  rollover.findLast(({ since }) => since <= at)?.glasses ?? 0;

const always = (glasses: number) => [{ since: 0, glasses }];

/** What each world begins with. */
export const openingClub = (): Club => ({
  select: { price: 3900, pours: 4, people: 1, guests: 1, rollover: always(0) },
  premier: { price: 6900, pours: 8, people: 1, guests: 1, rollover: always(3) },
  elite: { price: 10900, pours: 12, people: 1, guests: 2, rollover: always(5) },
  household: { price: 12900, pours: 20, people: 2, guests: 2, rollover: always(10) },
});

export const GRACE = 7 * 86_400;
/** Stripe tries a failed charge again after so many days. */
export const RETRIES = [3, 8, 15];
/** Stripe charges nothing below this; it waits for the next charge. */
export const LEAST_CHARGE = 50;
