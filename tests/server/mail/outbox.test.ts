import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { authEmails } from '../../../src/server/auth/auth-emails.ts';
import { deliveries, profiles, staff_notice } from '../../../src/server/db/schema.ts';
import { type Claimed, createDeliveries } from '../../../src/server/deliveries/deliveries.ts';
import { emailSender } from '../../../src/server/mail/outbox.ts';
import { sendEmail } from '../../../src/server/mail/send-email.ts';
import { cardMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp, VENUE_ZONE } from '../../support/harness/app.ts';

interface ReceivedEmail {
  from: string;
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
  to: string;
}

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

async function receivedEmails(): Promise<ReceivedEmail[]> {
  const response = await fetch(`${app.sandbox.url}/mailbox/api/messages`);
  const { messages } = (await response.json()) as { messages: ReceivedEmail[] };
  return messages;
}

const subjects = async () => (await receivedEmails()).map((it) => it.subject).sort();

const MAIL = {
  from: () => 'help@venue.test',
  replyTo: () => 'hello@venue.test',
  host: 'club.venue.test',
  onRefused: async () => undefined,
};

describe('the outbox', () => {
  it('sends a new member one welcome and one receipt, however often the payment is reported', async () => {
    const { caller } = await cardMember(app, 'premier');
    await app.services.deliveries.deliver('email');
    const first = await subjects();
    expect(first).toEqual([
      expect.stringContaining('Receipt'),
      expect.stringContaining('Welcome to our wine club'),
    ]);
    await caller.must('POST', '/api/functions/verify-subscription-status', {});
    await fetch(`${app.sandbox.url}/_sandbox/webhooks/idle`, { method: 'POST', body: '{}' });
    await app.services.deliveries.deliver('email');
    expect(await subjects()).toEqual(first);
    const [receipt] = (await receivedEmails()).filter((it) => it.subject.includes('Receipt'));
    const invoice = receipt?.text.match(/View Invoice: (\S+)/)?.[1] ?? '';
    expect(receipt?.text).toMatch(
      /Membership: Premier\nPeriod: June 15 – July 15, 2026\nInvoice: \S+\nPaid: \$69\.00/,
    );
    expect(receipt?.html).toContain(`href="${invoice}"`);
    expect(await (await fetch(invoice)).text()).toContain('Paid on');
    expect(app.logged.join('')).not.toContain(invoice);
  });

  it('sends a confirmation of a cancellation with its end date', async () => {
    const { caller } = await cardMember(app);
    const { cancel_at } = await caller.must<{ cancel_at: number }>(
      'POST',
      '/api/functions/cancel-subscription',
      {},
    );
    await app.services.deliveries.deliver('email');
    const [email] = (await receivedEmails()).filter((it) => it.subject.includes('cancellation'));
    const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: VENUE_ZONE }).format(
      cancel_at * 1000,
    );
    expect(email?.text).toContain(day);
  });

  it('sends one email for a cause, however often and from wherever it is reported', async () => {
    const { db, outbox } = app.services;
    const to = { user_id: null, email: 'ada@example.test' };
    const report = () =>
      outbox.enqueue(db, 'returned:sub_1', to, { subject: 'Refund', text: 'Soon.', html: '' });
    await Promise.all([report(), report()]);
    await db.transaction((tx) =>
      outbox.enqueue(tx, 'returned:sub_1', to, { subject: 'Refund', text: 'Soon.', html: '' }),
    );
    await app.services.deliveries.deliver('email');
    // A repeated report after sending changes nothing either.
    await report();
    await app.services.deliveries.deliver('email');
    expect(await subjects()).toEqual(['Refund']);
  });

  it('stores no email to someone who has deleted their account', async () => {
    const { db } = app.services;
    const { id: user_id } = await app.customer();
    const email = authEmails.account_unused.about({ months: 24, on: app.clock.now() });
    const send = (cause: string) => sendEmail(app.services, db, { user_id, cause, email });
    await send('before');
    await db.update(profiles).set({ erased_at: app.clock.now() }).where(eq(profiles.id, user_id));
    await send('after');
    const rows = await db.select({ cause: deliveries.cause }).from(deliveries);
    const causes = rows.map(({ cause }) => cause);
    expect(causes).toContain('before');
    expect(causes).not.toContain('after');
  });

  it('retries an email that failed, and erases its text once it is sent', async () => {
    const { db, outbox } = app.services;
    await db.transaction(async (tx) => {
      const to = { user_id: null, email: 'not an address' };
      await outbox.enqueue(tx, 'test:1', to, {
        subject: 'Hello',
        text: 'a secret link',
        html: '<p>the same</p>',
      });
    });
    expect(await app.services.deliveries.deliver('email')).toEqual({ sent: 0, failed: 1 });
    expect(await app.services.deliveries.deliver('email')).toEqual({ sent: 0, failed: 0 });
    await db.update(deliveries).set({ recipient: 'guest@example.test' });
    app.clock.advance({ seconds: 30 });
    expect(await app.services.deliveries.deliver('email')).toEqual({ sent: 1, failed: 0 });
    const [row] = await db.select().from(deliveries);
    expect(row).toMatchObject({ payload: null, outcome: 'sent', finished_at: app.clock.now(), attempts: 2 });
    const [email, ...more] = await receivedEmails();
    expect(more).toEqual([]);
    expect(email?.text.trim()).toBe('a secret link');
    expect(email?.html.trim()).toBe('<p>the same</p>');
    expect(email?.headers).toMatchObject({ 'auto-submitted': 'auto-generated' });
  });

  it.each([
    ['to someone without an account', 'email-changed:1', false, null],
    ['that may name someone else', 'sharing-ended:1:partner', true, null],
    ['about the reader alone', 'receipt:in_1', true, 'Hello Ada'],
  ])(
    'keeps the subject of an email %s only if it cannot name someone else',
    async (_, cause, account, subject) => {
      const { db, outbox } = app.services;
      const user_id = account ? (await app.customer()).id : null;
      const email = { subject: 'Hello Ada', text: 'Soon.', html: '' };
      await outbox.enqueue(db, cause, { user_id, email: 'guest@example.test' }, email);
      await app.services.deliveries.deliver('email');
      const rows = await db.select().from(deliveries).where(eq(deliveries.cause, cause));
      expect(rows).toMatchObject([{ subject, outcome: 'sent', payload: null }]);
      expect(await subjects()).toContain('Hello Ada');
    },
  );

  it('sends nothing to a server without encryption when the SMTP URL requires it', async () => {
    const { db, outbox } = app.services;
    const to = { user_id: null, email: 'guest@example.test' };
    await outbox.enqueue(db, 'test:2', to, {
      subject: 'Hello',
      text: 'a secret link',
      html: '<p>the same</p>',
    });
    const smtpUrl = `${app.sandbox.smtpUrl}?requireTLS=true`;
    const email = emailSender({ ...app.services, ...MAIL, smtpUrl });
    const strict = createDeliveries(app.services, { email });
    expect(await strict.deliver()).toEqual({ sent: 0, failed: 1 });
    expect(await receivedEmails()).toEqual([]);
  });

  it.each([
    ['unknown.example', 'given_up', ['email_refused']],
    ['full.example', null, []],
    ['busy.example', null, []],
    ['relay.example', null, []],
    ['limit.example', null, []],
    ['blocked.example', null, []],
  ])('an email to %s ends as %s, with the notices %j', async (domain, outcome, notices) => {
    const { db, outbox } = app.services;
    const guest = await app.customer({ email: `guest@${domain}` });
    await db.delete(deliveries);
    const hello = { subject: 'Hello', text: 'Soon.', html: '' };
    for (const cause of ['test:1', 'test:2'])
      await outbox.enqueue(db, cause, { user_id: guest.id, email: `guest@${domain}` }, hello);
    await app.services.deliveries.deliver('email');
    const rows = await db.select().from(deliveries);
    expect(rows.map((row) => row.outcome)).toEqual([outcome, outcome]);
    const posted = await db.select().from(staff_notice);
    expect(posted.map(({ kind }) => kind)).toEqual(notices);
    for (const { user_id } of posted) expect(user_id).toBe(guest.id);
  });

  it('posts one notice for each address that refuses a person’s emails, whatever they are about', async () => {
    const { db, outbox } = app.services;
    const { id: user_id } = await app.customer();
    await db.delete(deliveries);
    const send = async (cause: string, name: string, subject: string) => {
      const email = { subject, text: 'Soon.', html: '' };
      await outbox.enqueue(db, cause, { user_id, email: `${name}@unknown.example` }, email);
      await app.services.deliveries.deliver('email');
      return db.$count(staff_notice);
    };
    expect(await send('test:1', 'old', 'Your receipt')).toBe(1);
    expect(await send('test:2', 'old', 'Welcome')).toBe(1);
    expect(await send('test:3', 'corrected', 'Your receipt')).toBe(2);
  });

  it('gives each try of an email the same Message-ID, by which mail programs recognize a second copy', async () => {
    const { db, outbox } = app.services;
    const to = { user_id: null, email: 'guest@example.test' };
    await outbox.enqueue(db, 'test:1', to, { subject: 'Hello', text: 'Soon.', html: '' });
    const sender = emailSender({ ...app.services, ...MAIL, smtpUrl: app.sandbox.smtpUrl });
    // As if the process had died after the mail server took the email.
    const unrecorded = {
      ...sender,
      async send(row: Claimed) {
        await sender.send(row);
        return 'failed' as const;
      },
    };
    const dying = createDeliveries(app.services, { email: unrecorded });
    expect(await dying.deliver()).toEqual({ sent: 0, failed: 1 });
    app.clock.advance({ seconds: 30 });
    expect(await createDeliveries(app.services, { email: sender }).deliver()).toEqual({ sent: 1, failed: 0 });
    const [row] = await db.select().from(deliveries);
    const ids = (await receivedEmails()).map(({ headers }) => headers['message-id']);
    expect(ids).toEqual(Array(2).fill(`<${row?.id}@club.venue.test>`));
  });

  it('names the club’s own host, and where answers go', async () => {
    const { db, outbox } = app.services;
    const hello = { subject: 'Hello', text: 'Soon.', html: '' };
    await outbox.enqueue(db, 'test:1', { user_id: null, email: 'guest@example.test' }, hello);
    await app.services.deliveries.deliver('email');
    const [email] = await receivedEmails();
    expect(email?.headers).toMatchObject({
      'message-id': expect.stringMatching(/@(127\.0\.0\.1|localhost)>$/),
      'reply-to': expect.stringContaining(app.services.venue.support_email),
    });
    expect(email?.from).toBe(app.services.venue.support_email);
  });
});
