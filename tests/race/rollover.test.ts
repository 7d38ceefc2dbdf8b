import { and, eq, sql } from 'drizzle-orm';
import { v7 } from 'uuid';
import { beforeAll, expect, it } from 'vitest';
import { rowsOf } from '../../src/server/db/results.ts';
import { glass_grant } from '../../src/server/db/schema.ts';
import { type Member, pour, venueMember } from '../support/fixtures/members.ts';
import { openRaceApp } from '../support/harness/race-app.ts';

// docs/rules/glasses.md, "Glasses". A select member has four glasses a month; here, two of them roll over.

const { app, staff } = await openRaceApp();
beforeAll(async () => {
  await staff.must('PATCH', '/api/tier-settings/select', { rollover_glasses: 2 });
  // Months beginning from then on.
  app.clock.advance({ days: 1 });
});

const poured = (answers: { status: number }[]) => answers.filter(({ status }) => status === 201).length;
const written = async ({ customer_id }: Member) =>
  (
    await app.services.db
      .select({ glasses: glass_grant.glasses })
      .from(glass_grant)
      .where(and(eq(glass_grant.customer_id, customer_id), eq(glass_grant.kind, 'rollover')))
  ).map(({ glasses }) => glasses);

it('of the first 12 pours of a month at once, as many succeed as the month and what rolled over give', async () => {
  for (let round = 0; round < 3; round++) {
    const member = await venueMember(app, staff);
    await pour(staff, member.customer_id);
    app.clock.advance({ days: 31 });
    const answers = await Promise.all(Array.from({ length: 12 }, () => pour(staff, member.customer_id)));
    expect(poured(answers)).toBe(6);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    expect(await written(member)).toEqual([2]);
  }
});

/** Pours one glass on the server's clock. Returns whether it was recorded. */
async function pourAt({ customer_id }: Member, created_at: Date): Promise<boolean> {
  const pour = {
    id: v7(),
    request_id: v7(),
    customer_id,
    quantity: 1,
    location: 'main_bar',
    toast_reference_number: 'POUR-1',
    status: 'redeemed',
    recorded_by_staff_id: staff.id,
    created_at,
  };
  const input = JSON.stringify({ pour, time_zone: 'UTC' });
  const [row] = await rowsOf<{ outcome: string }>(
    app.services.db,
    sql`select record_pour(${input}::jsonb)->>'outcome' as outcome`,
  );
  return row?.outcome === 'recorded';
}

it('while servers disagree whether the month is over, no glass is poured in one and rolls over into the next', async () => {
  for (let round = 0; round < 6; round++) {
    const member = await venueMember(app, staff);
    await pour(staff, member.customer_id, { quantity: 2 });
    const { resets_at } = await member.caller.must<{ resets_at: number }>(
      'POST',
      '/api/functions/get-available-pours',
      { customer_id: member.customer_id },
    );
    const [last, first] = [new Date(resets_at * 1000 - 1), new Date(resets_at * 1000 + 1)];
    const calls = [first, last, first, last, first, first, last, first, first, last];
    const done = await Promise.all(calls.map((at) => pourAt(member, at)));
    // Two glasses were left of the previous month, and this month has four, in any order of the calls.
    expect(done.filter(Boolean)).toHaveLength(6);
  }
});
