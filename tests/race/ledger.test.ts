import { sql } from 'drizzle-orm';
import { beforeAll, expect, it } from 'vitest';
import { sweep } from '../../src/server/billing/upkeep/sweeper.ts';
import { rowsOf } from '../../src/server/db/results.ts';
import { brokenInvariants, type Query } from '../../torture/invariants.ts';
import { shareWith } from '../support/fixtures/household.ts';
import { aRequestId, cardMember, type Member, pour, venueMember } from '../support/fixtures/members.ts';
import { VENUE_ZONE } from '../support/harness/app.ts';
import type { Answer } from '../support/harness/caller.ts';
import { openRaceApp } from '../support/harness/race-app.ts';

const { app, staff } = await openRaceApp();
beforeAll(async () => {
  await staff.must('PATCH', '/api/tier-settings/household', { rollover_glasses: 5, guest_glasses: 20 });
  app.clock.advance({ days: 1 });
});

const control = (path: string) =>
  fetch(`${app.sandbox.url}/_sandbox/${path}`, { method: 'POST', body: JSON.stringify({ advance: 0 }) });

/** Moves the clock, with Stripe's, and lets two concurrent sweeps find the renewals. */
async function renewAt(instant: string): Promise<void> {
  app.clock.set(instant);
  await control('clock');
  await Promise.all([sweep(app.services.billing), sweep(app.services.billing)]);
}

const give = (customer_id: string, glasses: number) =>
  staff.call('POST', `/api/customers/${customer_id}/glasses`, {
    request_id: aRequestId(),
    kind: 'correction',
    reason: 'Counted wrong',
    glasses,
  });

/** A guest glass that two bars pour while its giver withdraws it. */
async function guestGlass({ caller, customer_id }: Member): Promise<Answer[]> {
  const given = await caller.call<{ id: string; url: string }>('POST', '/api/guest-glasses', {});
  if (given.status >= 300) return [given as unknown as Answer];
  const { id: guest_glass_id, url } = given.body;
  // Refused if the month has ended meanwhile.
  await app.visitor().call('POST', '/api/guest-glasses/state-age', { token: url.split('#')[1], age: 21 });
  return Promise.all([
    pour(staff, customer_id, { guest_glass_id }),
    pour(staff, customer_id, { guest_glass_id }),
    caller.call('DELETE', `/api/guest-glasses/${guest_glass_id}`),
  ]);
}

it('households that pour, give to guests, take back and renew at once leave a ledger that adds up', {
  timeout: 120_000,
}, async () => {
  const holders = [await cardMember(app, 'household'), await venueMember(app, staff, 'household')];
  const pools = await Promise.all(
    holders.map(async (holder) => ({ holder, partner: await shareWith(app, holder) })),
  );
  const poured: string[] = [];
  const outcomes: Answer[] = [];
  const pourAt = async ({ customer_id }: Member, quantity: number) => {
    const answer = await pour(staff, customer_id, { quantity });
    if (answer.status === 201) poured.push((answer.body.pour as { id: string }).id);
    outcomes.push(answer);
  };
  const takeBack = async (id: string) => {
    outcomes.push(await staff.call('POST', `/api/pours/${id}/void`, { reason: 'Spilled' }));
  };
  for (const month of ['2026-07', '2026-08', '2026-09']) {
    // The last minute of the month at the venue; by card it ends on the next evening there.
    await renewAt(`${month}-16T06:59:00Z`);
    await Promise.all(pools.map(({ holder }) => pourAt(holder, 9)));
    const crowd = pools.flatMap(({ holder, partner }) => [
      ...[1, 2, 3, 1, 2, 1].flatMap((glasses) => [pourAt(holder, glasses), pourAt(partner, glasses)]),
      ...[holder, partner, holder].map((who) => guestGlass(who).then((it) => outcomes.push(...it))),
      ...[2, -1].map((glasses) => give(holder.customer_id, glasses).then((it) => outcomes.push(it))),
    ]);
    const voids = poured.slice(-3).map(takeBack);
    await Promise.all([...crowd.slice(0, 4), ...voids]);
    await Promise.all([
      renewAt(`${month}-17T01:02:00Z`),
      ...crowd,
      ...poured.slice(-4).map(takeBack),
      ...pools.flatMap(({ holder, partner }) => [pourAt(holder, 2), pourAt(partner, 1), pourAt(holder, 1)]),
    ]);
  }
  expect(outcomes.filter(({ status }) => status >= 500)).toEqual([]);
  // Writes everything due by now, so that the members' view is compared with the rows.
  for (const { holder } of pools) expect((await give(holder.customer_id, 1)).status).toBe(201);
  const query: Query = (text) => rowsOf(app.services.db, sql.raw(text));
  const broken = await brokenInvariants(query, VENUE_ZONE);
  // The test server claims no Stripe mode.
  expect(broken.filter((line) => !line.includes('mode of the database'))).toEqual([]);
  const [made] = await query(
    `select (select count(*) from pour_voids)::integer as voids, (select count(*) from guest_glass where pour_id is not null)::integer as guests,
            (select count(*) from glass_grant where kind = 'rollover')::integer as rolled_over,
            (select count(*) from glass_grant where kind in ('period', 'advance'))::integer as periods`,
  );
  // Four months of two memberships.
  expect(made).toMatchObject({ periods: 8 });
  for (const count of Object.values(made ?? {})) expect(count).toBeGreaterThan(0);
});
