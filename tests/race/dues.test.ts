import { eq, sql } from 'drizzle-orm';
import { v7 } from 'uuid';
import { beforeAll, describe, expect, it } from 'vitest';
import type { OwnMembership } from '../../src/contract/members.ts';
import type { Dues } from '../../src/contract/staff/dues.ts';
import { sweep } from '../../src/server/billing/upkeep/sweeper.ts';
import { rowsOf } from '../../src/server/db/results.ts';
import { billing_payment } from '../../src/server/db/schema.ts';
import { brokenInvariants } from '../../torture/invariants.ts';
import { applied, type Member, payAt, pour } from '../support/fixtures/members.ts';
import type { Caller } from '../support/harness/caller.ts';
import { openRaceApp } from '../support/harness/race-app.ts';

// docs/rules/dues.md. Select gives 4 pours a month.

const { app, staff } = await openRaceApp();

async function monthlyMember(by = staff, months = 1): Promise<Member> {
  const caller = await app.customer();
  const path = `/api/applications/${await applied(caller)}/approve`;
  return {
    caller,
    ...(await by.must<{ customer_id: string }>('POST', path, { toast_reference_number: 'R-1', months })),
  };
}

const duesOf = ({ customer_id }: Member, by = staff) =>
  by.must<Dues>('GET', `/api/customers/${customer_id}/dues`);

const pay = ({ customer_id }: Member, paid_until: string | null, by = staff) =>
  by.call('POST', `/api/customers/${customer_id}/dues`, {
    ...{ request_id: v7(), reference: 'R-2', amount_cents: 3900, months: 1, method: 'cash', paid_until },
  });

async function invariants(): Promise<string[]> {
  const ask = (text: string) => rowsOf<Record<string, unknown>>(app.services.db, sql.raw(text));
  // The harness claims no mode of Stripe.
  const broken = await brokenInvariants(ask, app.services.venue.time_zone);
  return broken.filter((it) => !/belongs to the mode/.test(it));
}

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

describe('a dearer tier within a year', () => {
  let by: Caller;
  beforeAll(async () => {
    by = await app.staff();
    await app.services.db.execute(sql`
      update tier_definitions set yearly_price_cents = case tier_name when 'select' then 39000 else 69000 end
       where tier_name in ('select', 'premier')`);
  });

  async function inYear() {
    const member = await monthlyMember(by, 12);
    const { paid_until } = await duesOf(member, by);
    const moveUp = () =>
      by.call('POST', `/api/customers/${member.customer_id}/dues/difference`, {
        ...{ request_id: v7(), reference: 'D-1', method: 'cash', tier: 'premier' },
        ...{ from_tier: 'select', amount_cents: 27_500, paid_until },
      });
    return { member, moveUp };
  }

  it('of ten that are recorded at once, one counts, and the others hear of it', async () => {
    const { member, moveUp } = await inYear();
    const answers = await Promise.all(Array.from({ length: 10 }, moveUp));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.code === 'DUES_CHANGED')).toHaveLength(9);
    expect((await duesOf(member, by)).entries).toHaveLength(2);
  });

  it('recorded at the till while the member pays it online, it is paid once', async () => {
    for (let round = 0; round < 4; round++) {
      const { member, moveUp } = await inYear();
      const { url } = await member.caller.must<{ url: string }>('POST', '/api/billing/year/tier', {
        tier: 'premier',
      });
      const [answer] = await Promise.all([moveUp(), payAt(url)]);
      const { profile } = await member.caller.must<OwnMembership>('GET', '/api/customers/own');
      for (const _ of [1, 2]) await app.services.billing.reconcile(profile.id);
      const online = await app.services.db
        .select()
        .from(billing_payment)
        .where(eq(billing_payment.user_id, profile.id));
      const kept = online.reduce(
        (sum, it) => sum + it.amount_paid_cents - it.amount_refunded_cents,
        answer.status === 201 ? 27_500 : 0,
      );
      const { entries } = await duesOf(member, by);
      expect([kept, entries.map(({ kind }) => kind)]).toEqual([27_500, ['difference', 'payment']]);
    }
    expect(await invariants()).toEqual([]);
  });
});
