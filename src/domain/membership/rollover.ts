/** Glasses that a billing period leaves and the next one takes over: docs/rules.md, "Glasses that roll over". */

/** The most that a tier can let roll over from one period into the next. */
export const MAX_ROLLOVER = 100;

/** A billing period when it ends, with the next one of the same membership right after it. Glasses. */
export interface EndedPeriod {
  /** Monthly pours of the tier it began with. */
  tier_pours: number;
  /** What tier changes within it added. */
  changed_pours: number;
  /** What staff gave within it, less what they took back. */
  given_pours: number;
  /** Pours of earlier periods that were never paid, and counted in it. */
  carried_pours: number;
  /** What rolled over into it. */
  rolled_pours: number;
  /** Poured in it and not voided before it ended. */
  poured: number;
  /** Whether its regular charge is paid. */
  paid: boolean;
  /** Whether the club no longer has what paid it (isReturned). */
  returned: boolean;
  /** What each of its tiers lets roll over, as it was when the period changed to that tier. */
  at_most: readonly number[];
}

/**
 * Whether the club no longer has a payment, by its status: it was given back whole, or the payer disputes it. Of one that
 * was given back in part the period stays paid for.
 */
export const isReturned = (payment_status: string): boolean =>
  payment_status === 'refunded' || payment_status === 'disputed';

/**
 * How many of its glasses roll over into the next period. What rolled over into it was poured first and rolls no further;
 * then come those that staff gave, which end with the period; the tier's are poured last. Of several tiers, the one that
 * lets most roll over counts: whoever changes within a period leaves glasses by what the new tier promises.
 */
export function rolledOver(ended: EndedPeriod): number {
  if (!ended.paid || ended.returned) return 0;
  const ofTier = ended.tier_pours + ended.changed_pours;
  const ownPoured = Math.max(0, ended.poured - ended.rolled_pours);
  const left = ofTier + ended.given_pours - ended.carried_pours - ownPoured;
  return Math.max(0, Math.min(Math.max(0, ...ended.at_most), ofTier, left));
}

/** How many of those that rolled over into a period are left: they are poured, or promised to guests, first. */
export function rolledLeft(rolled: number, poured: number, held: number, available: number): number {
  return Math.min(available, Math.max(0, rolled - poured - held));
}

/** So many days before glasses that rolled over end, their member hears of them. */
export const ROLLOVER_REMINDER_DAYS = 5;
