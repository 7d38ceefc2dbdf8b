import { and, eq, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { localDate } from '../../src/domain/calendar.ts';
import { given_glasses, glass_grant, personal_email } from '../../src/server/db/schema.ts';
import { celebrate } from '../../src/server/pours/celebrations.ts';
import { venueMember } from '../support/fixtures/members.ts';
import { openRaceApp } from '../support/harness/race-app.ts';

const { app, staff } = await openRaceApp();

const sixTimes = <T>(work: () => Promise<T>) => Promise.all(Array.from({ length: 6 }, work));

it('of many servers that celebrate a member at once, one gives the glass', async () => {
  const { customer_id } = await venueMember(app, staff);
  const { version } = await staff.must<{ version: number }>('GET', '/api/club-settings');
  await staff.must('PATCH', '/api/club-settings', { version, changes: { birthday_glasses: 1 } });
  const [, month, day] = localDate(app.clock.now(), app.services.venue.time_zone).split('-').map(Number);
  await staff.must('PUT', `/api/customers/${customer_id}/about`, {
    allergies: null,
    birthday: { month, day, year: null },
  });
  const written = await sixTimes(() => celebrate(app.services));
  expect(written.reduce((sum, one) => sum + one)).toBe(1);
  const { db } = app.services;
  expect(await db.$count(given_glasses, eq(given_glasses.customer_id, customer_id))).toBe(1);
  const isOfTheDay = and(eq(glass_grant.customer_id, customer_id), eq(glass_grant.kind, 'celebration'));
  expect(await db.$count(glass_grant, isOfTheDay)).toBe(1);
});

it('of many who write to a member at risk at once, one sends an email', async () => {
  const { caller, customer_id } = await venueMember(app, staff);
  await caller.must('PUT', '/api/personal-emails/own', { wanted: true, place: 'dashboard' });
  const { db } = app.services;
  await db.execute(
    sql`update customers set member_since = member_since - 70, created_at = created_at - interval '70 days' where id = ${customer_id}`,
  );
  const answers = await sixTimes(() =>
    staff.call<{ code?: string }>('POST', `/api/members-at-risk/${customer_id}/email`, {
      request_id: app.services.newId(),
      subject: 'It has been a while',
      text: 'See you soon.',
    }),
  );
  expect(answers.map(({ status, body }) => body.code ?? status).sort()).toEqual([
    201,
    ...Array(5).fill('LETTER_REFUSED'),
  ]);
  expect(await db.$count(personal_email, eq(personal_email.customer_id, customer_id))).toBe(1);
});
