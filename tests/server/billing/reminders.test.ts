import { afterEach, describe, expect, it } from 'vitest';
import type { ReminderSettings } from '../../../src/domain/reminders.ts';
import { sendReminders } from '../../../src/server/billing/notices/reminders.ts';
import { mailsTo } from '../../support/fixtures/emails.ts';
import { cardMember, type Member, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
afterEach(() => app.close());

const RENEWS_SOON = 'Your membership renews soon · Test Cellar';
const AT_A_GLANCE = 'Your membership at a glance · Test Cellar';

async function open(reminders: ReminderSettings): Promise<TestApp> {
  app = await createTestApp({ reminders });
  return app;
}

async function control(path: string, body: object = {}): Promise<void> {
  const answer = await fetch(`${app.sandbox.url}/_sandbox/${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

/** Moves both clocks, and lets Stripe do what becomes due on the way. */
async function advance(days: number): Promise<void> {
  app.clock.advance({ days });
  await control('clock', { advance: 0 });
  await control('webhooks/idle');
}

const remind = () => sendReminders(app.services.billing);

/** The texts of the emails with that subject to a member. */
async function received({ caller }: Member, subject: string): Promise<string[]> {
  const { user } = await caller.must<{ user: { email: string } }>('GET', '/api/session');
  const mails = await mailsTo(app, user.email);
  return mails.filter((it) => it.subject === subject).map(({ text }) => text);
}

describe('a reminder before the renewal', () => {
  it('is sent once per renewal, within the set days before it, with price and how to cancel', async () => {
    await open({ renewalDays: 7, annual: false });
    const member = await cardMember(app);
    await advance(22);
    expect(await remind()).toEqual({ sent: 0, failures: 0 });
    await advance(2);
    expect(await remind()).toEqual({ sent: 1, failures: 0 });
    expect(await remind()).toEqual({ sent: 0, failures: 0 });
    const [text, ...others] = await received(member, RENEWS_SOON);
    expect(others).toEqual([]);
    expect(text).toContain(
      "On July 15, 2026, your membership will renew, and we'll charge your card $39.00.",
    );
    expect(text).toContain('You can cancel anytime in your account');
    expect(text).toContain(`${app.services.venue.public_url}/account`);
    await advance(30);
    expect(await remind()).toEqual({ sent: 1, failures: 0 });
    expect(await received(member, RENEWS_SOON)).toHaveLength(2);
  });

  it('names the tier and price that renew, when another tier is scheduled', async () => {
    await open({ renewalDays: 7, annual: false });
    const member = await cardMember(app, 'premier');
    const { id } = await member.caller.must<{ id: string }>('POST', '/api/billing/tier/preview', {
      tier: 'select',
    });
    await member.caller.must('POST', '/api/billing/tier', { preview_id: id });
    await advance(25);
    await remind();
    expect((await received(member, RENEWS_SOON))[0]).toContain('Your Select membership is $39.00 per month.');
  });

  it('is never sent for a membership that was canceled, or that is billed at the venue', async () => {
    await open({ renewalDays: 7, annual: true });
    const canceled = await cardMember(app);
    await canceled.caller.must('POST', '/api/functions/cancel-subscription', {});
    await venueMember(app, await app.staff());
    await advance(24);
    expect(await remind()).toEqual({ sent: 0, failures: 0 });
  });

  it('asks Stripe first: a cancellation there that no webhook reported stops it', async () => {
    await open({ renewalDays: 7, annual: false });
    const member = await cardMember(app);
    await control('webhooks/idle');
    await control('webhooks', { mode: 'drop' });
    const state = (await (await fetch(`${app.sandbox.url}/_sandbox/state`)).json()) as {
      subscriptions: Record<string, unknown>;
    };
    const [id] = Object.keys(state.subscriptions);
    await fetch(`${app.sandbox.url}/v1/subscriptions/${id}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${app.sandbox.stripeSecretKey}` },
      body: new URLSearchParams({ cancel_at_period_end: 'true' }),
    });
    await advance(24);
    expect(await remind()).toEqual({ sent: 0, failures: 0 });
    expect(await received(member, RENEWS_SOON)).toEqual([]);
  });

  it('waits until Stripe answers, and holds up no other member’s', async () => {
    await open({ renewalDays: 7, annual: false });
    const members = [await cardMember(app), await cardMember(app)];
    await advance(25);
    await control('fail-next', { path: '/v1/subscriptions', method: 'GET', status: 500, times: 1 });
    expect(await remind()).toEqual({ sent: 1, failures: 1 });
    expect(await remind()).toEqual({ sent: 1, failures: 0 });
    for (const member of members) expect(await received(member, RENEWS_SOON)).toHaveLength(1);
  });

  it('is off by default', async () => {
    await open({ renewalDays: 0, annual: false });
    await cardMember(app);
    await advance(25);
    expect(await remind()).toEqual({ sent: 0, failures: 0 });
  });
});

describe('before a canceled membership ends', () => {
  const ENDS_SOON = 'Your membership ends soon · Test Cellar';

  it('is sent once, whatever the venue turned on, and not after the member resumed', async () => {
    await open({ renewalDays: 0, annual: false });
    const [member, resumed] = [await cardMember(app), await cardMember(app)];
    for (const { caller } of [member, resumed]) {
      await caller.must('POST', '/api/functions/cancel-subscription', {});
    }
    await advance(24);
    expect(await remind()).toEqual({ sent: 0, failures: 0 });
    await resumed.caller.must('POST', '/api/billing/resume', {});
    await advance(2);
    expect(await remind()).toEqual({ sent: 1, failures: 0 });
    expect(await remind()).toEqual({ sent: 0, failures: 0 });
    const [text] = await received(member, ENDS_SOON);
    expect(text).toContain("Your Select membership ends on July 15, 2026, and you won't be charged again.");
    expect(await received(resumed, ENDS_SOON)).toEqual([]);
  });

  it('is sent again for a later end, after the member resumed', async () => {
    await open({ renewalDays: 0, annual: false });
    const member = await cardMember(app);
    const cancel = () => member.caller.must('POST', '/api/functions/cancel-subscription', {});
    await cancel();
    await advance(26);
    expect(await remind()).toEqual({ sent: 1, failures: 0 });
    await member.caller.must('POST', '/api/billing/resume', {});
    await advance(10);
    await cancel();
    await advance(21);
    expect(await remind()).toEqual({ sent: 1, failures: 0 });
    const texts = await received(member, ENDS_SOON);
    const days = texts.map((text) => /ends on (\w+ \d+),/.exec(text)?.[1]);
    expect(days.sort()).toEqual(['August 15', 'July 15']);
  });

  it('is not sent to someone who canceled in the last days: the confirmation has just said it', async () => {
    await open({ renewalDays: 0, annual: false });
    const { caller } = await cardMember(app);
    await advance(26);
    await caller.must('POST', '/api/functions/cancel-subscription', {});
    await advance(2);
    expect(await remind()).toEqual({ sent: 0, failures: 0 });
  });
});

describe('the annual notice', () => {
  it('is sent once a year, with price, interval and how to cancel', async () => {
    await open({ renewalDays: 0, annual: true });
    const member = await cardMember(app);
    await advance(364);
    expect(await remind()).toEqual({ sent: 0, failures: 0 });
    await advance(1);
    expect(await remind()).toEqual({ sent: 1, failures: 0 });
    await advance(100);
    expect(await remind()).toEqual({ sent: 0, failures: 0 });
    const [text] = await received(member, AT_A_GLANCE);
    expect(text).toContain("You've had this subscription since June 15, 2026.");
    expect(text).toContain(
      'Your Select membership is $39.00 per month. It renews monthly, and we charge your card',
    );
    expect(text).toContain('You can cancel anytime in your account');
    await advance(266);
    expect(await remind()).toEqual({ sent: 1, failures: 0 });
  });
});
