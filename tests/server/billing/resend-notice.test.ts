import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MemberEmail } from '../../../src/contract/staff/member-account.ts';
import {
  audit_entry,
  billing_payment,
  billing_subscription,
  profiles,
} from '../../../src/server/db/schema.ts';
import { emailsTo } from '../../support/fixtures/emails.ts';
import { shareWith } from '../../support/fixtures/household.ts';
import { cardMember, type Member, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/members.md, "A member's account, by staff".

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
});
afterAll(() => app.close());

const at = ({ customer_id }: Member) => `/api/customers/${customer_id}/emails`;
const send = (member: Member, kind: string) => staff.call('POST', `${at(member)}/${kind}`);
const emailsToMember = ({ caller }: Member) => emailsTo(app.services.db, caller);
const fetchMember = async () => {
  const member = await cardMember(app, 'select');
  await app.services.db
    .update(profiles)
    .set({ emailVerified: true })
    .where(eq(profiles.id, member.caller.id));
  app.clock.advance({ minutes: 1 });
  return member;
};
const paymentOf = ({ caller }: Member) => eq(billing_payment.user_id, caller.id);

describe('the last receipt', () => {
  it('is sent again with the same membership, period and amount, and says when it was paid', async () => {
    const member = await fetchMember();
    const [before] = (await emailsToMember(member)).filter(({ cause }) => cause.startsWith('paid:'));
    const [payment] = await app.services.db.select().from(billing_payment).where(paymentOf(member));
    const { status, body } = await send(member, 'receipt');
    expect(status).toBe(200);
    expect(body).toContainEqual({
      kind: 'receipt',
      letter: 'receipt',
      sent_at: app.clock.now().toISOString(),
    });
    const again = (await emailsToMember(member)).at(-1);
    expect(again?.cause).not.toBe(before?.cause);
    expect(again?.subject).toBe(before?.subject);
    for (const fact of ['Membership', 'Period', 'Paid']) {
      const line = before?.text?.match(new RegExp(`^${fact}: .+$`, 'm'))?.[0];
      expect(line, fact).toBeTruthy();
      expect(again?.text).toContain(`${line}\n`);
    }
    expect(again?.text).toContain(`Invoice: ${payment?.stripe_invoice_id}\n`);
    expect(again?.text).toMatch(/^Paid on: \w+ \d+, \d{4}$/m);
    expect(again?.text).not.toContain('Refunded');
    expect(await app.services.db.select().from(billing_payment).where(paymentOf(member))).toEqual([payment]);
  });

  it('says what was refunded since', async () => {
    const member = await fetchMember();
    await app.services.db
      .update(billing_payment)
      .set({ status: 'partially_refunded', amount_refunded_cents: 1000 })
      .where(paymentOf(member));
    await send(member, 'receipt');
    const { text } = (await emailsToMember(member)).at(-1) ?? {};
    expect(text).toContain('Paid: $39.00\n');
    expect(text).toContain('Refunded: $10.00\n');
  });

  it('is not offered for a payment reversed by the bank', async () => {
    const member = await fetchMember();
    await app.services.db.update(billing_payment).set({ status: 'disputed' }).where(paymentOf(member));
    expect((await send(member, 'receipt')).body.code).toBe('NOTHING_TO_SEND');
  });
});

describe('the welcome', () => {
  it('is sent again while what it says of the membership is still true', async () => {
    const member = await fetchMember();
    const [before] = (await emailsToMember(member)).filter(({ cause }) => cause.startsWith('started:'));
    expect((await send(member, 'welcome')).status).toBe(200);
    expect((await emailsToMember(member)).at(-1)).toMatchObject({
      subject: before?.subject,
      text: before?.text,
    });
  });

  it('goes only to the member, not to the partner', async () => {
    const member = await cardMember(app, 'household');
    const partner = await shareWith(app, member);
    const before = (await emailsToMember(partner)).length;
    expect((await send(member, 'welcome')).status).toBe(200);
    expect(await emailsToMember(partner)).toHaveLength(before);
  });

  it.each([
    ['canceled', { cancel_at_period_end: true }],
    ['paused', { paused_from: new Date('2026-01-01') }],
    [
      'about to change its tier',
      { pending_tier: 'premier', pending_from: new Date('2030-01-01'), pending_amount_cents: 6900 },
    ],
    ['overdue', { status: 'past_due' }],
  ])('is not offered once it is %s', async (_, change) => {
    const member = await fetchMember();
    const own = eq(billing_subscription.user_id, member.caller.id);
    await app.services.db.update(billing_subscription).set(change).where(own);
    const emails = await staff.must<MemberEmail[]>('GET', at(member));
    expect(emails.map(({ kind }) => kind)).toEqual(['receipt']);
    expect((await send(member, 'welcome')).body.code).toBe('NOTHING_TO_SEND');
  });
});

it('three emails of any kind are allowed in an hour, each in the audit; refused ones count in neither', async () => {
  const member = await fetchMember();
  const before = (await emailsToMember(member)).length;
  for (const kind of ['receipt', 'welcome', 'receipt']) {
    expect((await send(member, kind)).status).toBe(200);
    app.clock.advance({ minutes: 1 });
  }
  expect(await send(member, 'welcome')).toMatchObject({ status: 429, body: { code: 'TOO_MANY_ATTEMPTS' } });
  expect(await emailsToMember(member)).toHaveLength(before + 3);
  const entries = await app.services.db
    .select()
    .from(audit_entry)
    .where(eq(audit_entry.subject_id, member.caller.id))
    .orderBy(audit_entry.at);
  expect(entries.filter(({ act }) => act === 'letter_sent').map(({ facts }) => facts)).toEqual([
    { letter: 'receipt' },
    { letter: 'welcome' },
    { letter: 'receipt' },
  ]);
});

it('emails to an unconfirmed email count towards its daily limit', async () => {
  const member = await fetchMember();
  await app.services.db
    .update(profiles)
    .set({ emailVerified: false })
    .where(eq(profiles.id, member.caller.id));
  const statuses: number[] = [];
  for (let round = 0; round < 4; round++) {
    app.clock.advance({ minutes: 120 });
    statuses.push((await send(member, 'welcome')).status);
  }
  expect(statuses.at(-1)).toBe(429);
  expect(statuses).toContain(200);
});

it('a member billed at the venue has neither email', async () => {
  const member = await venueMember(app, staff);
  expect(await staff.must('GET', at(member))).toEqual([]);
  expect((await send(member, 'welcome')).body.code).toBe('NOTHING_TO_SEND');
});
