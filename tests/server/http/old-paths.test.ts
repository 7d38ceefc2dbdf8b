import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditEntry } from '../../../src/contract/staff/audit.ts';
import { venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
});
afterAll(() => app.close());

test('calls answer at their paths of 1.0.0, with the fields of 1.0.0', async () => {
  const { caller, customer_id } = await venueMember(app, staff);
  await caller.must('PUT', '/api/letters/own', { wanted: true, place: 'account' });
  expect(await caller.must('GET', '/api/letters/own')).toEqual({ wanted: true });
  expect(await caller.must('GET', '/api/personal-emails/own')).toEqual({ wanted: true });
  const overNetwork = await fetch(`${app.url}/api/letters/unsubscribe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: app.url },
    body: JSON.stringify({ token: 'x'.repeat(43) }),
  });
  expect(await overNetwork.json()).toMatchObject({ code: 'LINK_INVALID' });

  const customer = `/api/customers/${customer_id}`;
  const message = { request_id: app.services.newId(), subject: 'Hello', text: 'Come back.' };
  const refused = await staff.call('POST', `/api/members-at-risk/${customer_id}/letter`, message);
  expect(refused.body.code).toBe('LETTER_REFUSED');
  expect((await staff.call('POST', `${customer}/letter`)).body.code).toBe('NOTHING_TO_SEND');
  expect((await staff.call('POST', `${customer}/letters/receipt`)).body.code).toBe('NOTHING_TO_SEND');
  expect(await staff.must('GET', `${customer}/letters`)).toEqual([]);
  expect(await staff.must('GET', `${customer}/account`)).toMatchObject({ letter: null, access_email: null });
  expect(await staff.must('GET', '/api/emails')).toContainEqual(
    expect.objectContaining({ kind: 'welcome', letter: 'welcome' }),
  );
});

test('a body at a path of 1.0.0 is bounded as at the path of today', async () => {
  const statuses = ['/api/letters/unsubscribe', '/api/personal-emails/unsubscribe'].map(async (path) => {
    const body = JSON.stringify({ token: 'x'.repeat(60_000) });
    const headers = { 'content-type': 'application/json', origin: app.url };
    return (await fetch(app.url + path, { method: 'POST', headers, body })).status;
  });
  expect(await Promise.all(statuses)).toEqual([413, 413]);
});

test('the audit finds emails sent again by their act of 1.0.0', async () => {
  const person = { first_name: 'Mary', last_name: 'Hill', email: 'mary@example.test' };
  const { customer_id } = await staff.must<{ customer_id: string }>('POST', '/api/bar-sign-ups', {
    ...{ person, tier: 'select', toast_reference_number: 'T-1' },
  });
  await staff.must('POST', `/api/customers/${customer_id}/letter`);
  for (const what of ['email_sent', 'letter_sent']) {
    const { entries } = await staff.must<{ entries: AuditEntry[] }>('GET', `/api/audit?what=${what}`);
    expect(entries).toMatchObject([{ act: 'email_sent', facts: { email: 'password' } }]);
  }
});
