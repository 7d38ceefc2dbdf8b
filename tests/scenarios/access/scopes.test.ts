import { afterAll, beforeAll, expect, it } from 'vitest';
import { localDate } from '../../../src/domain/calendar.ts';
import { CALLS } from '../../../src/server/api/calls/index.ts';
import { rate_limits } from '../../../src/server/db/schema.ts';
import { celebrate } from '../../../src/server/pours/celebrations.ts';
import { type Cast, createCast } from '../../support/access/cast.ts';
import { rowOf } from '../../support/access/rows.ts';
import { pour } from '../../support/fixtures/members.ts';
import { RED_DOT } from '../../support/fixtures/pictures.ts';
import { VENUE_ZONE } from '../../support/harness/app.ts';

// docs/rules/api.md, "API clients": what staff know of a member is for people, whatever the scopes of their programs.

/** What staff note about the member, in words that nothing else has. */
const NOTED = ['allergic-to-sulphites', 'noted-by-staff', 'reason-of-a-void', 'friends-of-the-house', '1979'];

let cast: Cast;
let photo: string;
beforeAll(async () => {
  cast = await createCast();
  const { staff, member, app } = cast;
  const [allergies, body, reason, label, year] = NOTED;
  const record = `/api/customers/${member.customer_id}`;
  await staff.must('POST', `${record}/notes`, { body });
  await staff.must('POST', `${record}/tags`, { label });
  const [, month, day] = localDate(app.clock.now(), VENUE_ZONE).split('-').map(Number);
  await staff.must('PUT', `${record}/about`, { allergies, birthday: { month, day, year: Number(year) } });
  const { body: poured } = await pour(staff, member.customer_id);
  await staff.must('POST', `/api/pours/${(poured.pour as { id: string }).id}/void`, { reason });
  await member.caller.must('PUT', '/api/profile/photo', { content: RED_DOT, agreed: true });
  photo = RED_DOT.slice(0, 40);
  // A glass on the house names its occasion too.
  const { version } = await staff.must<{ version: number }>('GET', '/api/club-settings');
  await staff.must('PATCH', '/api/club-settings', { version, changes: { birthday_glasses: 5 } });
  await celebrate(app.services);
});
afterAll(() => cast.app.close());

const open = Object.entries(CALLS).flatMap(([name, { scope }]) => (scope ? [{ name, scope }] : []));

it.each(open)('$name shows a program with $scope nothing that is for people', async ({ name }) => {
  await cast.app.services.db.delete(rate_limits);
  const request = await rowOf(name).build(cast);
  const { text } = await cast.send('staff-client', request);
  // A void's reason belongs to the pour, and the venue's tags are no member's.
  const shown: Record<string, string | undefined> = {
    'pours.listForCustomer': NOTED[2],
    'memberRecord.listTags': NOTED[3],
  };
  const hidden = [...NOTED, photo, 'birthday'].filter((it) => it !== shown[name]);
  expect(hidden.filter((it) => text.includes(it))).toEqual([]);
});

it('staff themselves read it', async () => {
  const record = `/api/customers/${cast.member.customer_id}`;
  const [about, timeline, bar] = await Promise.all(
    ['record', 'timeline', 'bar'].map((it) => cast.staff.must<object>('GET', `${record}/${it}`)),
  );
  const text = JSON.stringify([about, timeline, bar]);
  expect(NOTED.filter((it) => !text.includes(it))).toEqual([]);
  expect(JSON.stringify(bar)).toContain('birthday:2026');
});
