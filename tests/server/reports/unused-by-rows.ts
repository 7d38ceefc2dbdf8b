import { localDate } from '../../../src/domain/calendar.ts';

/** The ledger rows that determine unused glasses; debits of voided pours are marked. */
export interface LedgerRows {
  grants: {
    id: string;
    membership_id: string;
    kind: string;
    tier: string;
    glasses: number;
    period: string;
    valid_until: string;
  }[];
  changes: {
    grant_id: string;
    kind: string;
    glasses: number;
    valid_until: string | null;
    to_tier: string | null;
  }[];
  debits: { grant_id: string; glasses: number; owed_grant_id: string | null; voided: boolean }[];
}

const sum = <T>(rows: T[], of: (row: T) => number) => rows.reduce((total, row) => total + of(row), 0);

/**
 * Glasses given and unused in the paid billing periods that ended in each month of a range, period by period, as
 * docs/rules/reports.md, "Reports", defines it. Checks the report, which counts all of them in one statement.
 */
export function unusedByRows(ledger: LedgerRows, range: { from: string; to: string }, zone: string) {
  const paid = new Set(ledger.changes.filter(({ kind }) => kind === 'paid').map(({ grant_id }) => grant_id));
  const months = new Map<
    string,
    { month: string; tier: string; periods: number; given: number; unused: number }
  >();
  for (const grant of ledger.grants) {
    if (grant.kind !== 'period' && !(grant.kind === 'advance' && paid.has(grant.id))) continue;
    const changes = ledger.changes.filter(({ grant_id }) => grant_id === grant.id);
    const ends = changes.flatMap((it) => it.valid_until ?? []).at(-1) ?? grant.valid_until;
    const day = localDate(new Date(ends), zone);
    if (day < range.from || day > range.to) continue;
    const tier =
      changes.flatMap((it) => (it.kind === 'tier_change' ? [] : (it.to_tier ?? []))).at(-1) ?? grant.tier;
    const all = ledger.grants
      .filter((it) => it.membership_id === grant.membership_id && it.period === grant.period)
      .filter(({ kind }) => kind !== 'rollover')
      .map((it) => balanceOf(it.id, ledger, paid));
    const month = `${day.slice(0, 7)}-01`;
    const before = months.get(`${month} ${tier}`) ?? { month, tier, periods: 0, given: 0, unused: 0 };
    months.set(`${month} ${tier}`, {
      ...before,
      periods: before.periods + 1,
      given:
        before.given +
        Math.max(
          0,
          sum(all, ({ given }) => given),
        ),
      unused: before.unused + sum(all, ({ left }) => left),
    });
  }
  return [...months.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

function balanceOf(id: string, { grants, changes, debits }: LedgerRows, paid: Set<string>) {
  const own = <T extends { grant_id: string }>(rows: T[]) => rows.filter(({ grant_id }) => grant_id === id);
  const gives =
    sum(grants, (it) => (it.id === id ? it.glasses : 0)) + sum(own(changes), ({ glasses }) => glasses);
  const taken = own(debits).filter((it) => !it.voided);
  const owed = sum(taken, (it) => (it.owed_grant_id && !paid.has(it.owed_grant_id) ? it.glasses : 0));
  const poured = sum(taken, (it) => (it.owed_grant_id ? 0 : it.glasses));
  return { given: gives - owed, left: Math.max(0, gives - owed - poured) };
}
