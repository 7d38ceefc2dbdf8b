import { MONTH_NAMES } from '../calendar.ts';

/**
 * Why a period gives other than the tier's own number. given: by staff. tier_change: the share of another tier. other: of
 * a shared membership, whose holder's ledger a partner does not see.
 */
export const PERIOD_EXTRAS = [
  'rolled_over',
  'birthday',
  'anniversary',
  'hundredth',
  'given',
  'tier_change',
  'other',
] as const;

export interface PeriodExtra {
  kind: (typeof PERIOD_EXTRAS)[number];
  /** Below 0 where it gives fewer. */
  glasses: number;
}

interface PeriodNumbers {
  /** The tier's own number. */
  tier_max: number;
  /** What the period gives so far. */
  period_pours: number;
  /** How many more it gives once its charge is paid. */
  pours_when_paid: number;
  rolled_pours: number;
}

/** Whether the period gives other than its tier does, once it is paid. */
export const differsFromTier = (has: PeriodNumbers): boolean =>
  has.period_pours + has.pours_when_paid !== has.tier_max || has.rolled_pours !== 0;

/**
 * What makes up the difference between what the period gives and the tier's own number, of which `given` is what the ledger
 * names, and `rest` the name of all else.
 */
export function periodExtras(
  has: PeriodNumbers,
  given: readonly PeriodExtra[],
  rest: 'tier_change' | 'other',
): PeriodExtra[] {
  const known: PeriodExtra[] = [{ kind: 'rolled_over', glasses: has.rolled_pours }, ...given];
  const named = known.reduce((sum, { glasses }) => sum + glasses, 0);
  const left = has.period_pours + has.pours_when_paid - has.tier_max - named;
  return [...known, { kind: rest, glasses: left }].filter(({ glasses }) => glasses !== 0);
}

const more: Record<PeriodExtra['kind'], string> = {
  rolled_over: 'rolled over',
  birthday: 'for your birthday',
  anniversary: 'for your anniversary',
  hundredth: 'for your hundredth glass',
  given: 'from the club',
  tier_change: 'from your tier change',
  other: 'more this month',
};
const fewer: Partial<typeof more> = {
  given: 'fewer, corrected by the club',
  tier_change: 'fewer after your tier change',
  other: 'fewer this month',
};

/**
 * One line: '3 rolled over from October, 1 for your birthday'; empty for none. `resets` is the month in which the period ends, 0
 * to 11: what rolled over came from the period that began two months before.
 */
export const periodExtrasText = (extras: readonly PeriodExtra[], resets: number): string =>
  extras
    .map(({ kind, glasses }) => {
      const words = (glasses < 0 && fewer[kind]) || more[kind];
      const from = kind === 'rolled_over' ? ` from ${MONTH_NAMES[(resets + 10) % 12]}` : '';
      return `${Math.abs(glasses)} ${words}${from}`;
    })
    .join(', ');
