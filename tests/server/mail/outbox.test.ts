import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { outbox_email } from '../../../src/server/db/schema.ts';
import { createOutbox } from '../../../src/server/mail/outbox.ts';
import { cardMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';

interface Caught {
  subject: string;
  text: string;
  to: string;
}

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

async function caught(): Promise<Caught[]> {
  const response = await fetch(`${app.sandbox.url}/mailbox/api/messages`);
  const { messages } = (await response.json()) as { messages: Caught[] };
  return messages;
}

const subjects = async () => (await caught()).map((it) => it.subject).sort();

describe('mail', () => {
  it('welcomes a new member and sends the receipt, once, however often the same is told', async () => {
    const { caller } = await cardMember(app, 'premier');
    await app.services.outbox.deliver();
    const first = await subjects();
    expect(first).toEqual([
      expect.stringContaining('Receipt'),
      expect.stringContaining('Welcome to our wine club'),
    ]);
    await caller.must('POST', '/api/functions/verify-subscription-status', {});
    await fetch(`${app.sandbox.url}/_sandbox/webhooks/idle`, { method: 'POST', body: '{}' });
    await app.services.outbox.deliver();
    expect(await subjects()).toEqual(first);
    const [receipt] = (await caught()).filter((it) => it.subject.includes('Receipt'));
    expect(receipt?.text).toContain('$69.00');
  });

  it('confirms a cancellation with the end date', async () => {
    const { caller } = await cardMember(app);
    const { cancel_at } = await caller.must<{ cancel_at: number }>(
      'POST',
      '/api/functions/cancel-subscription',
      {},
    );
    await app.services.outbox.deliver();
    const [mail] = (await caught()).filter((it) => it.subject.includes('cancellation'));
    const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(
      cancel_at * 1000,
    );
    expect(mail?.text).toContain(day);
  });

  it('that could not be sent is sent later, and keeps nothing once it left', async () => {
    const { db, outbox } = app.services;
    await db.transaction(async (tx) => {
      const to = { user_id: null, email: 'not an address' };
      await outbox.post(tx, 'test:1', to, { subject: 'Hello', body: 'a secret link' });
    });
    expect(await outbox.deliver()).toEqual({ sent: 0, failed: 1 });
    expect(await outbox.deliver()).toEqual({ sent: 0, failed: 0 });
    await db.update(outbox_email).set({ recipient: 'guest@example.test' });
    app.clock.advance({ seconds: 30 });
    expect(await outbox.deliver()).toEqual({ sent: 1, failed: 0 });
    const [row] = await db.select().from(outbox_email);
    expect(row).toMatchObject({ body: null, sent_at: app.clock.now(), attempts: 2 });
    expect((await caught()).map((it) => it.text.trim())).toEqual(['a secret link']);
  });

  it('does not go to a server without encryption where the address asks for it', async () => {
    const { db, outbox } = app.services;
    const to = { user_id: null, email: 'guest@example.test' };
    await outbox.post(db, 'test:2', to, { subject: 'Hello', body: 'a secret link' });
    const smtpUrl = `${app.sandbox.smtpUrl}?requireTLS=true`;
    const careful = createOutbox({ ...app.services, smtpUrl, from: 'help@venue.test' });
    expect(await careful.deliver()).toEqual({ sent: 0, failed: 1 });
    expect(await caught()).toEqual([]);
  });
});
