import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OwnPour, Pour } from '../../../src/contract/pours.ts';
import type { MemberPalate, Palate } from '../../../src/contract/wine/ratings.ts';
import type { StaffWine } from '../../../src/contract/wine/wines.ts';
import { aRequestId, type Member, pour, venueMember } from '../../support/fixtures/members.ts';
import { openWine } from '../../support/fixtures/wines.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/wines.md, "What did you think?" and "Taste that learns". RATINGS of the fixtures: red 8, white 3,
// adventurous 9.

let app: TestApp;
let staff: Caller;
let barolo: StaffWine;
let riesling: StaffWine;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
  barolo = await openWine(staff);
  riesling = await openWine(staff, { name: 'Riesling', color: 'white', sweetness: 3, body: 1, tannin: 1 });
});
afterAll(() => app.close());

const poured = async ({ customer_id }: Member, wine?: StaffWine) =>
  (await pour(staff, customer_id, wine ? { wine_id: wine.id } : {})).body.pour as Pour;
const question = ({ caller }: Member) =>
  caller.must<{ pour_id: string; wine: { name: string } } | null>('GET', '/api/ratings/question');
const rate = ({ caller }: Member, id: string, verdict: string, comment?: string) =>
  caller.call('PUT', `/api/pours/${id}/rating`, { verdict, ...(comment !== undefined && { comment }) });
const palate = ({ caller }: Member) => caller.must<Palate>('GET', '/api/palate');
const forStaff = ({ customer_id }: Member) =>
  staff.must<MemberPalate>('GET', `/api/customers/${customer_id}/palate`);
const history = ({ caller }: Member) => caller.must<OwnPour[]>('GET', '/api/pours/own');

it('asks about the last glass, once: not without a wine, nor if answered, dismissed, voided or from yesterday', async () => {
  const member = await venueMember(app, staff, 'elite');
  expect(await question(member)).toBeNull();
  const first = await poured(member, barolo);
  expect(await question(member)).toMatchObject({ pour_id: first.id, wine: { name: barolo.name } });
  await rate(member, first.id, 'loved');
  expect(await question(member)).toBeNull();

  const second = await poured(member, riesling);
  await member.caller.must('POST', `/api/pours/${second.id}/rating/dismiss`, {});
  expect(await question(member)).toBeNull();

  const third = await poured(member, riesling);
  expect((await question(member))?.pour_id).toBe(third.id);
  await staff.must('POST', `/api/pours/${third.id}/void`, {});
  expect(await question(member)).toBeNull();

  const fourth = await poured(member, barolo);
  expect((await question(member))?.pour_id).toBe(fourth.id);
  app.clock.advance({ minutes: 12 * 60 - 1 });
  expect((await question(member))?.pour_id).toBe(fourth.id);
  app.clock.advance({ minutes: 1 });
  expect(await question(member)).toBeNull();
});

it('keeps the latest verdict, without the earlier comment; dismissing later changes nothing', async () => {
  const member = await venueMember(app, staff);
  const { id } = await poured(member, barolo);
  await rate(member, id, 'loved', ' Roses! ');
  expect((await history(member))[0]?.rating).toEqual({ verdict: 'loved', comment: 'Roses!' });
  await rate(member, id, 'fine');
  await member.caller.must('POST', `/api/pours/${id}/rating/dismiss`, {});
  expect((await history(member))[0]?.rating).toEqual({ verdict: 'fine', comment: null });
});

it('a dismissed glass has no verdict, and can still get one', async () => {
  const member = await venueMember(app, staff);
  const { id } = await poured(member, barolo);
  await member.caller.must('POST', `/api/pours/${id}/rating/dismiss`, {});
  expect((await history(member))[0]?.rating).toBeNull();
  expect((await palate(member)).glasses).toBe(0);
  expect((await rate(member, id, 'not_mine')).status).toBe(200);
  expect((await palate(member)).glasses).toBe(1);
});

it('nobody can rate another’s glass, one without a wine, a voided one, or one that does not exist', async () => {
  const [ada, eve] = [await venueMember(app, staff), await venueMember(app, staff)];
  const { id } = await poured(ada, barolo);
  expect((await rate(eve, id, 'loved')).status).toBe(404);
  expect((await rate(ada, (await poured(ada)).id, 'loved')).status).toBe(404);
  expect((await rate(ada, aRequestId(), 'loved')).status).toBe(404);
  await staff.must('POST', `/api/pours/${id}/void`, {});
  expect((await rate(ada, id, 'loved')).status).toBe(404);
  expect((await rate(ada, id, 'loved', 'x'.repeat(201))).status).toBe(400);
});

it('staff see the latest verdicts, without those on voided pours', async () => {
  const member = await venueMember(app, staff);
  const { id } = await poured(member, barolo);
  await rate(member, id, 'not_mine', 'Too grippy');
  expect((await forStaff(member)).ratings).toMatchObject([
    { wine: { id: barolo.id }, verdict: 'not_mine', comment: 'Too grippy' },
  ]);
  await staff.must('POST', `/api/pours/${id}/void`, {});
  expect((await forStaff(member)).ratings).toEqual([]);
  expect((await palate(member)).glasses).toBe(0);
});

it('begins with the survey, learns from the glasses, and gives way to the member’s own correction', async () => {
  const member = await venueMember(app, staff);
  const first = await palate(member);
  expect(first.matches[0]).toEqual({ wine_id: barolo.id, reason: { because: 'survey', color: 'red' } });
  const { id } = await poured(member, barolo);
  await rate(member, id, 'loved');
  const title = `${barolo.name} 2018`;
  const learned = { wine: { id: barolo.id }, reason: { because: 'loved', wine: title } };
  expect((await forStaff(member)).suggestions[0]).toMatchObject(learned);

  const words = { red: 'avoid' };
  const said = await member.caller.must<Palate>('PUT', '/api/palate/words', { words });
  expect(said.words).toEqual(words);
  expect(said.matches.at(-1)).toMatchObject({
    reason: { because: 'your_word', kind: 'red', stance: 'avoid' },
  });
  expect((await forStaff(member)).suggestions.map(({ wine }) => wine.id)).not.toContain(barolo.id);
});

it('can be reset: verdicts and corrections no longer count, the history stays, and learning starts over', async () => {
  const member = await venueMember(app, staff);
  const { id } = await poured(member, riesling);
  await rate(member, id, 'loved');
  await member.caller.must('PUT', '/api/palate/words', { words: { sweet: 'like' } });
  app.clock.advance({ seconds: 1 });
  expect(await member.caller.must<Palate>('POST', '/api/palate/reset', {})).toMatchObject({
    words: {},
    glasses: 0,
  });
  expect((await history(member))[0]?.rating).toEqual({ verdict: 'loved', comment: null });
  app.clock.advance({ seconds: 1 });
  await rate(member, id, 'fine');
  expect((await palate(member)).glasses).toBe(1);
});

it('refuses a correction about an unknown kind of wine', async () => {
  const member = await venueMember(app, staff);
  for (const words of [{ expensive: 'like' }, { red: 'love' }]) {
    expect((await member.caller.call('PUT', '/api/palate/words', { words })).status).toBe(400);
  }
});
