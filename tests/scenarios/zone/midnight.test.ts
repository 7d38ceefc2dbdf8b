import { expect, test } from 'vitest';
import type { PauseOffer } from '../../../src/contract/billing.ts';
import type { OwnMembership } from '../../../src/contract/members.ts';
import type { Dues } from '../../../src/contract/staff/dues.ts';
import { atHour, type LocalDate, startOfDay, unixSeconds } from '../../../src/domain/calendar.ts';
import { addStaff } from '../../../src/server/auth/staff-accounts.ts';
import { sweep } from '../../../src/server/billing/upkeep/sweeper.ts';
import { emailsTo } from '../../support/fixtures/emails.ts';
import { type Member, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, PASSWORD } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';
import { testClock } from '../../support/harness/clock.ts';

// docs/rules/dues.md. At midnight of Auckland UTC has the day before, and in the minute before midnight of Los Angeles the
// day after.

const ZONES = [{ time_zone: 'Pacific/Auckland' }, { time_zone: 'America/Los_Angeles' }];

/** A venue on June 15, 2026, when its members begin. */
async function openVenue(time_zone: string) {
  const clock = testClock(atHour('2026-06-15', 12, time_zone));
  const app = await createTestApp({ timeZone: time_zone, clock });
  const email = 'owner@example.test';
  await addStaff(app.services, email, PASSWORD);
  let staff: Caller;
  const midnight = (day: LocalDate) => startOfDay(day, time_zone);
  const moveTo = async (time: Date) => {
    clock.set(time);
    // Sessions end as time passes.
    staff = app.visitor();
    await staff.must('POST', '/api/auth/sign-in', { email, password: PASSWORD });
    await staff.remember();
  };
  await moveTo(clock.now());
  const page = ({ customer_id }: Member) => `/api/customers/${customer_id}`;
  return {
    app,
    midnight,
    toLastMinuteBefore: (day: LocalDate) => moveTo(new Date(midnight(day).getTime() - 60_000)),
    toMidnight: (day: LocalDate) => moveTo(midnight(day)),
    member: (months = 12) => venueMember(app, staff, 'select', months),
    dues: (of: Member) => staff.must<Dues>('GET', `${page(of)}/dues`),
    act: (of: Member, path: string, body: object = {}) => staff.call('POST', `${page(of)}/${path}`, body),
    /** The subjects of a member's emails since they began, without the club's name. */
    async subjects({ caller }: Member) {
      const emails = await emailsTo(app.services.db, caller);
      return emails.slice(1).map(({ subject }) => subject?.split(' · ')[0]);
    },
  };
}

test.each(ZONES)('a pause in $time_zone begins and ends at midnight there', async ({ time_zone }) => {
  const venue = await openVenue(time_zone);
  const { member, dues, act, subjects, midnight } = venue;
  const [first, second, third] = ['2026-07-15', '2026-08-15', '2026-09-15'] as const;
  const seconds = (day: LocalDate) => unixSeconds(midnight(day));
  const offer = ({ caller }: Member) => caller.must<PauseOffer>('GET', '/api/billing/pause');
  const back = ({ caller }: Member) => caller.call('POST', '/api/billing/pause/end', { amount: 0 });
  const [ada, ben, eve, fay, gus] = [
    await member(),
    await member(),
    await member(),
    await member(),
    await member(),
  ];
  const [cleo, dan] = [await member(1), await member(1)];

  await venue.toLastMinuteBefore(first);
  expect((await offer(ada)).choices[0]).toEqual({ months: 1, from: seconds(first), until: seconds(second) });
  const shown = { from: seconds(first), until: seconds(second), begun: false };
  for (const _ of [1, 2])
    expect((await act(ada, 'pause', { months: 1 })).body).toMatchObject({ pause: shown });
  expect((await dues(ada)).entries).toMatchObject([
    { kind: 'pause', paid_on: '2026-07-14', paid_from: first, paid_until: second },
    { kind: 'payment' },
  ]);
  await act(ben, 'pause', { months: 1 });
  await act(ben, 'pause/extend', { until: seconds(second) });
  expect((await offer(ben)).pause).toMatchObject({ from: seconds(first), until: seconds(third) });
  expect((await dues(ben)).paid_until).toBe('2027-08-15');
  for (const it of [fay, gus]) await act(it, 'pause', { months: 2 });
  // What is paid lasts until it begins.
  for (const it of [cleo, dan]) await act(it, 'pause', { months: 1 });
  expect((await back(cleo)).status).toBe(200);
  expect((await dues(cleo)).paid_until).toBe(first);
  expect(await subjects(cleo)).toEqual(['Your membership will pause', "Your membership won't pause"]);

  await venue.toMidnight(first);
  expect((await offer(ada)).pause).toMatchObject({ ...shown, begun: true });
  expect((await back(ada)).status).toBe(200);
  expect(await subjects(ada)).toEqual(['Your membership will pause', 'Welcome back']);
  expect((await back(dan)).body).toMatchObject({ data: { reason: 'payment_open' } });
  expect((await offer(eve)).choices[0]).toMatchObject({ from: seconds(second) });
  await act(eve, 'pause', { months: 1 });
  expect((await dues(eve)).entries[0]).toMatchObject({ paid_from: second, paid_until: third });

  // A member who is back has the whole running month.
  await venue.toLastMinuteBefore(second);
  await back(fay);
  expect((await dues(fay)).paid_until).toBe('2027-06-15');
  await venue.toMidnight(second);
  await back(gus);
  expect((await dues(gus)).paid_until).toBe('2027-07-15');
  await venue.app.close();
});

test.each(ZONES)('another tier in $time_zone begins at midnight there', async ({ time_zone }) => {
  const venue = await openVenue(time_zone);
  const { member, dues, act } = venue;
  const [first, change] = ['2026-07-15', { tier_name: 'premier' }] as const;
  const [ada, ben, cleo] = [await member(1), await member(1), await member(1)];
  const pending_tier = { tier: 'premier', from: first, price_cents: 6900 };

  await venue.toLastMinuteBefore(first);
  for (const it of [ada, ben]) expect((await act(it, 'tier', change)).body).toEqual({ pending_tier });
  await act(ben, 'tier/keep');
  expect((await dues(ben)).pending_tier).toBeNull();

  await venue.toMidnight(first);
  await act(ada, 'tier/keep');
  expect((await dues(ada)).pending_tier).toEqual(pending_tier);
  // A month that is over is followed by the other tier at once.
  expect((await act(cleo, 'tier', change)).body).toEqual({ pending_tier: null });
  await venue.toLastMinuteBefore('2026-07-18');
  expect((await act(ben, 'tier', change)).body).toEqual({ pending_tier: null });
  await venue.app.close();
});

test.each(ZONES)('reminders in $time_zone go out from midnight there', async ({ time_zone }) => {
  const venue = await openVenue(time_zone);
  const { member, subjects } = venue;
  const [ada, ben, cleo] = [await member(1), await member(1), await member(1)];
  const cancel = ({ caller }: Member) => caller.must('POST', '/api/functions/cancel-subscription', {});
  const ownState = async ({ caller }: Member) =>
    (await caller.must<OwnMembership>('GET', '/api/customers/own')).dues?.state;
  const sweeping = () => sweep(venue.app.services.billing);
  const [soon, due] = ['Your membership is paid for another week', 'Your membership is due'];

  await venue.toLastMinuteBefore('2026-07-08');
  await sweeping();
  expect(await subjects(ada)).toEqual([]);
  expect(await ownState(ada)).toBe('paid');
  await venue.toMidnight('2026-07-08');
  await sweeping();
  expect(await subjects(ada)).toEqual([soon]);
  expect(await ownState(ada)).toBe('due');

  // Five days before an end, unless it was set within them.
  await venue.toLastMinuteBefore('2026-07-10');
  await cancel(ben);
  await sweeping();
  expect(await subjects(ben)).toEqual([soon, 'Your cancellation is confirmed']);
  await venue.toMidnight('2026-07-10');
  await cancel(cleo);
  await sweeping();
  expect(await subjects(ben)).toEqual([soon, 'Your cancellation is confirmed', 'Your membership ends soon']);
  expect(await subjects(cleo)).toEqual([soon, 'Your cancellation is confirmed']);

  await venue.toLastMinuteBefore('2026-07-15');
  await sweeping();
  expect(await subjects(ada)).toEqual([soon]);
  await venue.toMidnight('2026-07-15');
  await sweeping();
  expect(await subjects(ada)).toEqual([soon, due]);
  await venue.toLastMinuteBefore('2026-07-22');
  await sweeping();
  expect(await subjects(ada)).toEqual([soon, due]);
  await venue.toMidnight('2026-07-22');
  await sweeping();
  expect(await subjects(ada)).toEqual([soon, due, 'Your membership has ended']);
  await venue.app.close();
});

test('where the clock skips midnight, the hour before it is of the day before', async () => {
  const { app, toMidnight, member } = await openVenue('America/Santiago');
  await toMidnight('2026-09-05');
  app.clock.set('2026-09-06T03:30:00Z');
  await member();
  const owner = app.visitor();
  await owner.must('POST', '/api/auth/sign-in', { email: 'owner@example.test', password: PASSWORD });
  const approved = async (day: LocalDate) => {
    const path = `/api/audit?what=application_approved&from=${day}&to=${day}`;
    return (await owner.must<{ entries: object[] }>('GET', path)).entries.length;
  };
  expect([await approved('2026-09-05'), await approved('2026-09-06')]).toEqual([1, 0]);
});
