import { type Grant, left, madeUp, type Period, pouredFrom } from './period.ts';

/** An advance that was never paid, and the later grants that make up for what was poured of it. */
export interface Debt {
  advance: Grant;
  by: Grant[];
}

const owed = ({ advance, by }: Debt): number =>
  pouredFrom(advance) - by.reduce((sum, grant) => sum + madeUp(grant, advance), 0);

/** Makes up for what is owed, as far as a period's own glasses go. */
export function settle(debts: Debt[], { own }: Period): void {
  for (const debt of debts) {
    const glasses = Math.min(owed(debt), left(own));
    if (glasses <= 0) continue;
    own.taken.push({ glasses, by: { owed: debt.advance } });
    debt.by.push(own);
  }
}

/** Ends a period. What was poured of one that was never paid is owed, and so is again what it made up for. */
export function endPeriod(debts: Debt[], { paid, skipped, own, guests }: Period): void {
  for (const guest of guests) if (guest.state === 'held') guest.state = 'back';
  if (paid || skipped) return;
  for (const debt of debts) debt.by = debt.by.filter((grant) => grant !== own);
  debts.push({ advance: own, by: [] });
}
