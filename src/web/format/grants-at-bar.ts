import { localDate } from '../../domain/calendar.ts';
import { type GrantLeft, grantsText } from '../../domain/membership/grants-text.ts';
import { site } from '../api/site.ts';

/**
 * The sources of a member's glasses, for staff, with the venue's days; empty if all of them are the month's own. `balance`
 * is what this device knows: what it poured after the grants were read comes off the first of them.
 */
export function grantsAtBar(grants: readonly GrantLeft[], balance: number): string {
  let poured = grants.reduce((sum, { pours }) => sum + pours, 0) - balance;
  const remainders = grants.map((grant) => {
    const share = Math.min(Math.max(0, poured), grant.pours);
    poured -= share;
    return { ...grant, pours: grant.pours - share };
  });
  return grantsText(
    remainders.filter(({ pours }) => pours > 0),
    { dayOf: (instant) => localDate(instant, site.time_zone), whose: 'their' },
  );
}
