import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { risksOf } from '../../../src/domain/reports/members-at-risk.ts';
import type { OpenDatabase } from '../../../src/server/db/client.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import { findAtRisk } from '../../../src/server/reports/at-risk/members-at-risk.ts';
import { createTestDatabase } from '../../support/harness/database.ts';
import { type Club, openClub } from './club.ts';

// docs/rules/members.md, "Members at risk": the list for all members at once agrees with each member's own page.

const DAY_MS = 86_400_000;
const FIRST = Date.UTC(2024, 0, 28);
const instant = (hours: number) => new Date(FIRST + hours * 3_600_000);

let database: OpenDatabase;
let club: Club;
beforeAll(async () => {
  database = await createTestDatabase();
  club = await openClub(database.db);
});
afterAll(() => database.close());

const who = fc.nat({ max: 20 });
const glasses = fc.integer({ min: 1, max: 6 });
const hours = fc.nat({ max: 24 * 60 });
const member = fc.record({
  joined: fc.nat({ max: 24 * 7 }),
  tier: fc.constantFrom('select', 'premier', 'household'),
  by: fc.constantFrom('venue', 'paid card', 'unpaid card'),
});
const act = fc.oneof(
  { weight: 4, arbitrary: fc.record({ what: fc.constant('pour' as const), who, hours, glasses }) },
  fc.record({ what: fc.constant('give' as const), who, hours, glasses }),
  fc.record({ what: fc.constant('void' as const), who }),
  fc.record({ what: fc.constant('pay' as const), who }),
);

/** The unused glasses on each member's page, in words. */
async function unusedOf(now: Date): Promise<string[]> {
  const found = await rowsOf<{ id: string; access: boolean; left: number; given: number; ends_at: number }>(
    database.db,
    sql`select c.id, a.access, a.available as left, a.period_pours as given, extract(epoch from a.period_end)::float8 as ends_at
          from customers c cross join lateral member_allowance(c.id, ${now.toISOString()}::timestamptz, 'UTC') a`,
  );
  return found.flatMap(({ id, access, left, given, ends_at }) => {
    const ends_in_days = Math.ceil((ends_at * 1000 - now.getTime()) / DAY_MS);
    const glasses = access ? { left, given, ends_in_days } : null;
    const here = { standing: 'renewing', days_away: 0, visits: 0, usual_gap: null } as const;
    return risksOf({ ...here, verdicts: [], glasses }).map(({ text }) => `${id}: ${text}`);
  });
}

it('the members with half of their glasses left are those of whom their page says so', async () => {
  const seen = { left: 0, others: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(member, { minLength: 3, maxLength: 6 }),
      fc.array(act, { maxLength: 20 }),
      fc.array(fc.integer({ min: 24 * 7, max: 24 * 70 }), { minLength: 4, maxLength: 8 }),
      async (members, acts, instants) => {
        await club.empty();
        for (const { joined, tier, by } of members) {
          const at = instant(joined).toISOString();
          if (by === 'venue') await club.joinAtVenue(at, tier);
          else await club.joinByCard(at, tier, by === 'paid card');
        }
        for (const it of acts) {
          const one = club.someone(it.who);
          if (it.what === 'void') await club.voidPour(it.who);
          else if (it.what === 'pay') await club.payLate(one);
          else {
            const at = new Date(Date.parse(one.joined) + it.hours * 3_600_000).toISOString();
            await (it.what === 'pour' ? club.pour : club.give)(one, at, it.glasses);
          }
        }
        for (const now of instants.sort((a, b) => a - b).map(instant)) {
          // Writes the due grants, like the task.
          await database.db.execute(
            sql`select write_due_grants(id, ${now.toISOString()}::timestamptz, 'UTC') from customers`,
          );
          const right = await unusedOf(now);
          const listed = await findAtRisk({ now: () => now, venue: { time_zone: 'UTC' } }, database.db);
          const found = listed.flatMap(({ customer_id, risks }) =>
            risks.flatMap(({ kind, text }) => (kind === 'unused' ? [`${customer_id}: ${text}`] : [])),
          );
          expect(found.sort()).toEqual(right.sort());
          seen.left += right.length;
          seen.others += members.length - right.length;
        }
      },
    ),
    {
      numRuns: Number(process.env.FC_RUNS ?? 8),
      // Given by a server whose clock is an hour ahead.
      examples: [
        [
          Array(3).fill({ joined: 0, tier: 'select', by: 'venue' }),
          [{ what: 'give', who: 0, hours: 1273, glasses: 1 }],
          [168, 168, 168, 1272],
        ],
      ],
    },
  );
  expect(seen.left).toBeGreaterThan(0);
  expect(seen.others).toBeGreaterThan(0);
}, 120_000);
