import { type Grant, left, madeUp, type PastPeriod, type Period, pouredFrom } from './period.ts';

/** An advance that was never paid, and the later grants that make up for its pours. */
export interface Debt {
  advance: Grant;
  by: Grant[];
}

const owed = ({ advance, by }: Debt): number =>
  pouredFrom(advance) - by.reduce((sum, grant) => sum + madeUp(grant, advance), 0);

/** Pays off debts with a period's own glasses. */
export function settle(debts: Debt[], { own }: Period): void {
  for (const debt of debts) {
    const glasses = Math.min(owed(debt), left(own));
    if (glasses <= 0) continue;
    own.taken.push({ glasses, by: { owed: debt.advance } });
    debt.by.push(own);
  }
}

/** Ends a period, in which pours can have been made `until` then. Pours from an unpaid one become a debt, and so again do the debts it had paid off. */
export function endPeriod(
  { debts, past }: { debts: Debt[]; past: PastPeriod[] },
  period: Period,
  until = period.end,
): void {
  const { paid, skipped, own, guests } = period;
  past.push({ period, until: Math.min(until, period.end) });
  for (const guest of guests) if (guest.state === 'held') guest.state = 'back';
  if (paid || skipped) return;
  for (const debt of debts) debt.by = debt.by.filter((grant) => grant !== own);
  debts.push({ advance: own, by: [] });
}
