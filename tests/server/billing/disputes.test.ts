import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BarCard } from '../../../src/contract/members.ts';
import type { TimelineEntry } from '../../../src/contract/staff/member-record.ts';
import type { StaffNotice } from '../../../src/contract/staff-notices.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { cardMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/billing.md, "Disputed payments". A select member pays 39 dollars.

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
});
afterAll(() => app.close());

const control = async (path: string, body: object) => {
  await fetch(`${app.sandbox.url}/_sandbox/${path}`, { method: 'POST', body: JSON.stringify(body) });
  await fetch(`${app.sandbox.url}/_sandbox/webhooks/idle`, { method: 'POST', body: '{}' });
};

async function payer() {
  const { caller, customer_id } = await cardMember(app);
  const customer = await stripeCustomerId(app.services.db, caller.id);
  const notices = async () =>
    (await staff.must<StaffNotice[]>('GET', '/api/staff-notices')).filter(
      ({ kind, member }) => kind === 'payment_disputed' && member?.user_id === caller.id,
    );
  return {
    dispute: (status = 'needs_response') => control('disputes', { customer, status }),
    move: (status: string) => control('disputes/move', { status }),
    close: (won: boolean) => control('disputes/close', { won }),
    /** Has the server ask Stripe again, like the sweeper. */
    look: () => caller.must('POST', '/api/functions/verify-subscription-status', {}),
    notices,
    states: async () =>
      (await notices()).map(({ facts, settled }) => [facts, settled !== null ? 'settled' : 'waiting']),
    settle: async () => {
      for (const { id } of await notices()) await staff.must('POST', `/api/staff-notices/${id}/settle`, {});
    },
    mark: async () => (await staff.must<BarCard>('GET', `/api/customers/${customer_id}/bar`)).dispute,
    /** The payment entries of the timeline, oldest first. */
    history: async () => {
      const { entries } = await staff.must<{ entries: TimelineEntry[] }>(
        'GET',
        `/api/customers/${customer_id}/timeline`,
      );
      return entries
        .filter(({ amount }) => amount)
        .map(({ kind, amount }) => `${kind} ${amount?.cents}`)
        .reverse();
    },
  };
}

const facts = (state: string) => ({
  amount_cents: 3900,
  currency: 'usd',
  stripe_invoice_id: expect.stringMatching(/^in_/),
  stripe_dispute_id: expect.stringMatching(/^du_/),
  state,
});

it('a payment that is not disputed has no mark', async () => {
  const ada = await payer();
  expect([await ada.mark(), await ada.states(), await ada.history()]).toEqual([null, [], ['paid 3900']]);
});

it('opened: staff are notified once, the card at the bar is marked, and the timeline has it', async () => {
  const ada = await payer();
  app.clock.advance({ minutes: 5 });
  await ada.dispute();
  for (let again = 0; again < 2; again++) await ada.look();
  expect(await ada.states()).toEqual([[facts('open'), 'waiting']]);
  expect(await ada.mark()).toBe('open');
  expect(await ada.history()).toEqual(['paid 3900', 'disputed 3900']);
  // Settling the notice decides nothing: the bank still has to decide.
  await ada.settle();
  await ada.look();
  expect(await ada.states()).toEqual([[facts('open'), 'settled']]);
  expect(await ada.mark()).toBe('open');
});

it('won: the mark is gone, and the notice says so and stays settled', async () => {
  const ada = await payer();
  await ada.dispute();
  await ada.settle();
  app.clock.advance({ minutes: 5 });
  await ada.close(true);
  expect(await ada.states()).toEqual([[facts('won'), 'settled']]);
  expect(await ada.mark()).toBeNull();
  expect((await ada.history()).at(-1)).toBe('dispute_won 3900');
});

it('lost: the notice is open again, and the mark stays until staff settle it', async () => {
  const ada = await payer();
  await ada.dispute();
  await ada.settle();
  app.clock.advance({ minutes: 5 });
  await ada.close(false);
  expect(await ada.states()).toEqual([[facts('lost'), 'waiting']]);
  expect(await ada.mark()).toBe('lost');
  expect((await ada.history()).at(-1)).toBe('dispute_lost 3900');
  await ada.settle();
  await ada.look();
  expect(await ada.states()).toEqual([[facts('lost'), 'settled']]);
  expect(await ada.mark()).toBeNull();
});

it('won before we knew of it: nobody has to do anything', async () => {
  const ada = await payer();
  await control('webhooks', { mode: 'drop' });
  await ada.dispute();
  await ada.close(true);
  await control('webhooks', { mode: 'normal' });
  await ada.look();
  expect([await ada.states(), await ada.mark()]).toEqual([[], null]);
  expect(await ada.history()).toContain('dispute_won 3900');
});

it.each([
  [
    'a question of the bank that it closes',
    ['warning_needs_response', 'warning_under_review', 'warning_closed'],
    'won',
  ],
  [
    'a question that becomes a dispute, and is lost',
    ['warning_needs_response', 'needs_response', 'lost'],
    'lost',
  ],
  ['lost, and won on appeal', ['needs_response', 'lost', 'appeal_under_review', 'won'], 'won'],
  ['lost, and appealed', ['needs_response', 'lost', 'appeal_under_review'], 'open'],
])('%s: the notice and the mark say how it stands', async (_, [first, ...then], state) => {
  const ada = await payer();
  await ada.dispute(first);
  expect(await ada.mark()).toBe('open');
  for (const status of then) await ada.move(status);
  await ada.look();
  expect((await ada.states()).map(([said]) => said)).toEqual([facts(state)]);
  expect(await ada.mark()).toBe(state === 'won' ? null : state);
});

it('prevented by the card network: nobody has to do anything', async () => {
  const ada = await payer();
  await ada.dispute('prevented');
  await ada.look();
  expect([await ada.states(), await ada.mark()]).toEqual([[], null]);
});
