import { type LocalDate, MONTH_NAMES } from '../calendar.ts';
import type { GrantKind } from '../glasses.ts';
import type { CelebrationKind } from './celebration.ts';

export interface GrantLeft {
  kind: GrantKind;
  /** The kind of celebration; null for other grants. */
  occasion: CelebrationKind | null;
  pours: number;
  /** The end of the grant, exclusive, in ISO 8601. */
  until: string;
}

interface Reader {
  /** The calendar day of an instant in the reader's time zone. */
  dayOf(instant: Date): LocalDate;
  /** Members read about their own glasses, staff about another person's. */
  whose?: 'your' | 'their';
  /** Partners of a household do not see whether the month is paid. */
  hidesPayment?: boolean;
}

const isOwn = ({ kind }: GrantLeft) => kind === 'period' || kind === 'advance';

/**
 * The short list behind the number: '8 this month, 3 from October until 12/17/2026, 1 for your birthday'. Empty if all
 * remaining glasses are the month's own, since the number says that. docs/rules/glasses.md, "Glasses".
 */
export function grantsText(grants: readonly GrantLeft[], reader: Reader): string {
  if (grants.every(isOwn)) return '';
  const parts = new Map<string, number>();
  for (const grant of [...grants.filter(isOwn), ...grants.filter((it) => !isOwn(it))]) {
    const source = sourceOf(grant, reader);
    parts.set(source, (parts.get(source) ?? 0) + grant.pours);
  }
  return [...parts].map(([source, pours]) => `${pours} ${source}`).join(', ');
}

interface RolledOver {
  rolled_pours: number;
  rolled_left: number;
  held_pours: number;
}

/** How many of the used pours had rolled over; 0 while some are held for guests, since those may be rolled over, too. */
export const rolledOverUsed = ({ rolled_pours, rolled_left, held_pours }: RolledOver): number =>
  held_pours > 0 ? 0 : rolled_pours - rolled_left;

function sourceOf(grant: GrantLeft, { dayOf, whose = 'your', hidesPayment }: Reader): string {
  const { kind, occasion, until } = grant;
  if (kind === 'rollover')
    return rolledOverFrom(dayOf(new Date(Date.parse(until) - 1)), dayOf(new Date(until)));
  if (occasion) return `for ${whose} ${occasion === 'hundredth' ? 'hundredth glass' : occasion}`;
  if (!isOwn(grant)) return 'from the club';
  return kind === 'period' || hidesPayment ? 'this month' : 'ahead of this month’s payment';
}

/** The previous period began two months before this one ends. */
function rolledOverFrom(lastDay: LocalDate, endsOn: LocalDate): string {
  const monthOf = (day: LocalDate) => Number(day.slice(5, 7)) - 1;
  const from = MONTH_NAMES[(monthOf(endsOn) + 10) % 12];
  return `from ${from} until ${monthOf(lastDay) + 1}/${Number(lastDay.slice(8))}/${lastDay.slice(0, 4)}`;
}
