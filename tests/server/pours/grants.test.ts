import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AvailablePours, BarCard, MemberDetail, OwnMembership } from '../../../src/contract/members.ts';
import { localDate } from '../../../src/domain/calendar.ts';
import { celebrate } from '../../../src/server/pours/celebrations.ts';
import { shareWith } from '../../support/fixtures/household.ts';
import { aRequestId, type Member, pour, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/glasses.md, "Glasses". The list behind the number; a household has 20 glasses a month, of which three roll
// over here.

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
  await staff.must('PATCH', '/api/tier-settings/household', { rollover_glasses: 3 });
  const { version } = await staff.must<{ version: number }>('GET', '/api/club-settings');
  await staff.must('PATCH', '/api/club-settings', { version, changes: { birthday_glasses: 1 } });
  app.clock.advance({ days: 1 });
});
afterAll(() => app.close());

const give = ({ customer_id }: Member, kind: 'comp' | 'correction', glasses: number) =>
  staff.must('POST', `/api/customers/${customer_id}/glasses`, {
    ...{ request_id: aRequestId(), kind, glasses, reason: 'A long wait' },
  });

async function bornToday({ customer_id }: Member): Promise<void> {
  const [, month, day] = localDate(app.clock.now(), app.services.venue.time_zone).split('-').map(Number);
  const birthday = { month, day, year: null };
  await staff.must('PUT', `/api/customers/${customer_id}/about`, { allergies: null, birthday });
  await celebrate(app.services);
}

/** The list in every response that has one, after a check that they agree and add up to the number beside them. */
async function grantsOf({ caller, customer_id }: Member): Promise<AvailablePours['grants']> {
  const pours = await caller.must<AvailablePours>('POST', '/api/functions/get-available-pours', {
    customer_id,
  });
  const own = await caller.must<OwnMembership>('GET', '/api/customers/own');
  expect(own.pours).toEqual(pours);
  expect(pours.grants.reduce((sum, grant) => sum + grant.pours, 0)).toBe(pours.available_pours);
  const path = `/api/customers/${customer_id}`;
  const [bar, detail] = [
    await staff.must<BarCard>('GET', `${path}/bar`),
    await staff.must<MemberDetail>('GET', path),
  ];
  expect([bar.pours_balance, detail.available_pours]).toEqual([pours.available_pours, pours.available_pours]);
  expect([bar.grants, detail.grants]).toEqual([pours.grants, pours.grants]);
  for (const { until } of pours.grants) expect(Date.parse(until)).toBe(pours.resets_at * 1000);
  return pours.grants;
}

const short = (grants: AvailablePours['grants']) =>
  grants.map(({ kind, occasion, pours }) => `${pours} ${occasion ?? kind}`);

it('the grants say where each available glass is from, and follow the order of pouring', async () => {
  const member = await venueMember(app, staff, 'household');
  expect(short(await grantsOf(member))).toEqual(['20 period']);
  app.clock.advance({ days: 31 });
  await give(member, 'comp', 2);
  app.clock.advance({ minutes: 1 });
  await give(member, 'correction', 1);
  app.clock.advance({ minutes: 1 });
  await bornToday(member);
  expect(short(await grantsOf(member))).toEqual([
    '3 rollover',
    '2 given',
    '1 correction',
    '1 birthday',
    '20 period',
  ]);
  await pour(staff, member.customer_id, { quantity: 5 });
  expect(short(await grantsOf(member))).toEqual(['1 correction', '1 birthday', '20 period']);
  await pour(staff, member.customer_id, { quantity: 22 });
  expect(await grantsOf(member)).toEqual([]);
});

it('a partner sees the grants of the household, but not why the club gave the holder some', async () => {
  const holder = await venueMember(app, staff, 'household');
  const partner = await shareWith(app, holder);
  app.clock.advance({ days: 31 });
  await give(holder, 'correction', 2);
  app.clock.advance({ minutes: 1 });
  await bornToday(holder);
  await pour(staff, partner.customer_id);
  expect(short(await grantsOf(holder))).toEqual(['2 rollover', '2 correction', '1 birthday', '20 period']);
  expect(short(await grantsOf(partner))).toEqual(['2 rollover', '2 given', '1 given', '20 period']);
});

it('a partner’s birthday is no occasion of the holder’s', async () => {
  const holder = await venueMember(app, staff, 'household');
  const partner = await shareWith(app, holder);
  await bornToday(partner);
  expect(short(await grantsOf(holder))).toEqual(['1 celebration', '20 period']);
});
