import { expect, it } from 'vitest';
import { benefit_use } from '../../src/server/db/schema.ts';
import { BOTTLE, ownBenefits, setTierBenefits, takeBenefit } from '../support/fixtures/benefits.ts';
import { shareWith } from '../support/fixtures/household.ts';
import { aRequestId, pour, venueMember } from '../support/fixtures/members.ts';
import { openRaceApp } from '../support/harness/race-app.ts';

const { app, staff } = await openRaceApp();

const count = (answers: { status: number }[], status: number) =>
  answers.filter((it) => it.status === status).length;

it('the last one, taken 20 times at once, is taken once', async () => {
  const [bottle] = await setTierBenefits(staff, [BOTTLE]);
  for (let round = 0; round < 5; round++) {
    const member = await venueMember(app, staff);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => takeBenefit(staff, member.customer_id, bottle?.id ?? '')),
    );
    expect([count(answers, 201), count(answers, 409)]).toEqual([1, 19]);
    for (const { status, body } of answers)
      if (status === 409)
        expect(body).toMatchObject({ code: 'BENEFIT_REFUSED', data: { reason: 'used_up' } });
    expect(await ownBenefits(member)).toMatchObject([{ left: 0 }]);
  }
});

it('one request sent 20 times at once takes one', async () => {
  const [bottle] = await setTierBenefits(staff, [{ ...BOTTLE, number: 5 }]);
  const member = await venueMember(app, staff);
  const request_id = aRequestId();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      takeBenefit(staff, member.customer_id, bottle?.id ?? '', { request_id }),
    ),
  );
  expect(count(answers, 201)).toBe(20);
  expect(answers.filter(({ body }) => !body.repeated)).toHaveLength(1);
  expect(await ownBenefits(member)).toMatchObject([{ left: 4 }]);
});

it('one request for two members at once is at most one use', async () => {
  const [bottle] = await setTierBenefits(staff, [{ ...BOTTLE, number: 50 }]);
  const members = [await venueMember(app, staff), await venueMember(app, staff)];
  const before = await app.services.db.$count(benefit_use);
  for (let round = 0; round < 10; round++) {
    const request_id = aRequestId();
    const answers = await Promise.all(
      members.map((it) => takeBenefit(staff, it.customer_id, bottle?.id ?? '', { request_id })),
    );
    expect([count(answers, 201), count(answers, 409)]).toEqual([1, 1]);
  }
  expect(await app.services.db.$count(benefit_use)).toBe(before + 10);
});

it('the last one of a household, wanted by both, goes to one, while they pour', async () => {
  const [bottle] = await setTierBenefits(staff, [BOTTLE], 'household');
  for (let round = 0; round < 5; round++) {
    const holder = await venueMember(app, staff, 'household');
    const partner = await shareWith(app, holder);
    const both = [holder, partner];
    const [answers, poured] = await Promise.all([
      Promise.all(
        both.flatMap((it) =>
          Array.from({ length: 5 }, () => takeBenefit(staff, it.customer_id, bottle?.id ?? '')),
        ),
      ),
      Promise.all(both.map((it) => pour(staff, it.customer_id))),
    ]);
    expect([count(answers, 201), count(answers, 409), count(poured, 201)]).toEqual([1, 9, 2]);
    expect(await ownBenefits(partner)).toMatchObject([{ left: 0 }]);
  }
});

it('undone by two at once, it is given back once', async () => {
  const [bottle] = await setTierBenefits(staff, [{ ...BOTTLE, words: 'Tasting', number: 2 }]);
  const colleague = await app.staff();
  const member = await venueMember(app, staff);
  await takeBenefit(staff, member.customer_id, bottle?.id ?? '');
  const { body } = await takeBenefit(staff, member.customer_id, bottle?.id ?? '');
  const undo = (who: typeof staff) =>
    who.call('POST', `/api/benefit-uses/${body.use_id}/void`, { reason: 'Wrong member' });
  const [...answers] = await Promise.all([undo(staff), undo(colleague), undo(staff), undo(colleague)]);
  expect(count(answers, 200)).toBe(4);
  expect((await ownBenefits(member)).find(({ id }) => id === bottle?.id)).toMatchObject({ left: 1 });
});
