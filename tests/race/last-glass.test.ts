import { expect, it } from 'vitest';
import { applied, aRequestId, pour, venueMember } from '../support/fixtures/members.ts';
import { openRaceApp } from '../support/harness/race-app.ts';

const { app, staff } = await openRaceApp();

const statuses = (answers: { status: number }[]) => answers.map((it) => it.status).sort();

it('of 20 simultaneous pours of the last glass, exactly one succeeds', async () => {
  for (let round = 0; round < 5; round++) {
    const { caller, customer_id } = await venueMember(app, staff);
    await pour(staff, customer_id, { quantity: 3 });
    const answers = await Promise.all(Array.from({ length: 20 }, () => pour(staff, customer_id)));
    expect(statuses(answers)).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    const refused = answers.filter((it) => it.status === 409);
    for (const { body } of refused)
      expect(body).toMatchObject({ code: 'POURS_EXCEEDED', data: { available_pours: 0 } });
    expect(await caller.must('GET', '/api/customers/own')).toMatchObject({
      customer: { pours_balance: 0, total_pours_lifetime: 4 },
    });
  }
});

it('one request sent 20 times at once is one pour', async () => {
  const { caller, customer_id } = await venueMember(app, staff);
  const request_id = aRequestId();
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => pour(staff, customer_id, { request_id })),
  );
  expect(statuses(answers)).toEqual(Array.from({ length: 20 }, () => 201));
  expect(answers.filter((it) => it.body.repeated === false)).toHaveLength(1);
  expect(await caller.must('GET', '/api/pours/own')).toHaveLength(1);
});

it('one request_id used for two members at once is at most one pour', async () => {
  const members = [await venueMember(app, staff), await venueMember(app, staff)];
  for (let round = 0; round < 10; round++) {
    const request_id = aRequestId();
    const answers = await Promise.all(
      members.map((it) => pour(staff, it.customer_id, { request_id, quantity: 1 })),
    );
    // Once both members have no glasses left, both are refused.
    expect(answers.filter((it) => it.status === 201).length).toBeLessThanOrEqual(1);
    expect(answers.every((it) => it.status === 201 || it.status === 409)).toBe(true);
  }
});

it('a survey saved from 10 tabs at once is one application', async () => {
  const applicant = await app.customer();
  const ids = await Promise.all(Array.from({ length: 10 }, () => applied(applicant)));
  expect(new Set(ids).size).toBe(1);
});
