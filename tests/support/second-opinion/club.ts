/** A tier as the venue has set it. */
export interface Terms {
  price: number;
  /** The price of a year, which does not change. */
  yearly: number;
  pours: number;
  people: number;
  guests: number;
  /** The glasses of a period that may roll over, for periods beginning from an instant on; the latest last. */
  rollover: { since: number; glasses: number }[];
}

/** The venue's tiers, shared by all members. */
export type Club = Record<string, Terms>;

/** The current terms of a tier. */
export function termsOf(club: Club, tier: string): Terms {
  const terms = club[tier];
  if (!terms) throw new Error(`No tier ${tier}`);
  return terms;
}

export const TIERS = ['select', 'premier', 'elite', 'household'] as const;

/** The glasses that may roll over from a period beginning at an instant. */
export const rolloverAt = ({ rollover }: Terms, at: number): number =>
  rollover.findLast(({ since }) => since <= at)?.glasses ?? 0;

const always = (glasses: number) => [{ since: 0, glasses }];

/** The tiers at the start of each world. */
export const openingClub = (): Club => ({
  select: { price: 3900, yearly: 31200, pours: 4, people: 1, guests: 1, rollover: always(0) },
  premier: { price: 6900, yearly: 55200, pours: 8, people: 1, guests: 1, rollover: always(3) },
  elite: { price: 10900, yearly: 87200, pours: 12, people: 1, guests: 2, rollover: always(5) },
  household: { price: 12900, yearly: 103200, pours: 20, people: 2, guests: 2, rollover: always(10) },
});

/** The venue's settings at Stripe: the days between its attempts at a failed charge, and what follows the last. */
export interface Dunning {
  days: number[];
  end: 'canceled' | 'unpaid' | 'past_due';
}

/** What is decided before the first member joins. */
export interface Setting {
  dunning: Dunning;
  /** The venue's time zone. */
  zone: string;
  /** The days of grace after a failed charge. */
  grace: number;
}
export const SETTING: Setting = {
  dunning: { days: [3, 5, 7], end: 'canceled' },
  zone: 'Europe/Vienna',
  grace: 7,
};
/** Stripe adds amounts below this to the next charge. */
export const LEAST_CHARGE = 50;
