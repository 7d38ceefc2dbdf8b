import { sql } from 'drizzle-orm';
import { v7 } from 'uuid';
import { expect, it } from 'vitest';
import type { Dues } from '../../src/contract/staff/dues.ts';
import { sweep } from '../../src/server/billing/upkeep/sweeper.ts';
import { rowsOf } from '../../src/server/db/results.ts';
import { brokenInvariants } from '../../torture/invariants.ts';
import { applied, type Member, pour } from '../support/fixtures/members.ts';
import { openRaceApp } from '../support/harness/race-app.ts';

// docs/rules/dues.md. Select gives 4 pours a month.

const { app, staff } = await openRaceApp();

async function monthlyMember(): Promise<Member> {
  const caller = await app.customer();
  const path = `/api/applications/${await applied(caller)}/approve`;
  return {
    caller,
    ...(await staff.must<{ customer_id: string }>('POST', path, { toast_reference_number: 'R-1' })),
  };
}

const duesOf = ({ customer_id }: Member, by = staff) =>
  by.must<Dues>('GET', `/api/customers/${customer_id}/dues`);

const pay = ({ customer_id }: Member, paid_until: string | null, by = staff) =>
  by.call('POST', `/api/customers/${customer_id}/dues`, {
    ...{ request_id: v7(), reference: 'R-2', amount_cents: 3900, months: 1, method: 'cash', paid_until },
  });

const invariants = () =>
  brokenInvariants((text) => rowsOf(app.services.db, sql.raw(text)), app.services.venue.time_zone);

it('of ten payments recorded at once for the same day, one counts', async () => {
  const member = await monthlyMember();
  const { paid_until } = await duesOf(member);
  const answers = await Promise.all(Array.from({ length: 10 }, () => pay(member, paid_until)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ body }) => body.code === 'DUES_CHANGED')).toHaveLength(9);
  expect((await duesOf(member)).entries).toHaveLength(2);
});

it('pours and voids of the month at once leave no glass given twice', async () => {
  for (let round = 0; round < 5; round++) {
    const member = await monthlyMember();
    const [first] = (await duesOf(member)).entries;
    const answers = await Promise.all([
      ...Array.from({ length: 6 }, () => pour(staff, member.customer_id)),
      staff.call('POST', `/api/dues/${first?.id}/void`, { reason: 'Bounced' }),
      pour(staff, member.customer_id),
    ]);
    const poured = answers.filter(({ body }) => body.pour).length;
    expect(poured).toBeLessThanOrEqual(4);
    expect(answers.every(({ status }) => status < 500)).toBe(true);
  }
  expect(await invariants()).toEqual([]);
});

it('a payment that meets the end of grace either keeps the membership, or is refused', async () => {
  const members = [
    await monthlyMember(),
    await monthlyMember(),
    await monthlyMember(),
    await monthlyMember(),
  ];
  const { paid_until } = await duesOf(members[0] as Member);
  app.clock.advance({ days: 38 });
  const later = await app.staff();
  const [answers] = await Promise.all([
    Promise.all(members.map((it) => pay(it, paid_until, later))),
    sweep(app.services.billing),
  ]);
  for (const [index, member] of members.entries()) {
    const { state } = await duesOf(member, later);
    if (answers[index]?.status === 201) expect(state).not.toBeNull();
    else expect([state, answers[index]?.body.code]).toEqual([null, 'DUES_REFUSED']);
  }
  expect(await invariants()).toEqual([]);
});
