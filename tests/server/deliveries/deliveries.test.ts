import { eq } from 'drizzle-orm';
import pino from 'pino';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deliveries } from '../../../src/server/db/schema.ts';
import {
  type Claimed,
  createDeliveries,
  DOUBLING_SECONDS,
  enqueue,
  type Outcome,
  type Sender,
} from '../../../src/server/deliveries/deliveries.ts';
import { deleteOldDeliveries } from '../../../src/server/deliveries/retention.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';

// docs/rules/api.md, "Other limits": emails.

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());
beforeEach(() => app.services.db.delete(deliveries));

const HELLO = { subject: 'Hello', text: 'Soon.', html: '' };
/** Stores an email, with an id that sorts by time. */
async function store(more: Partial<typeof deliveries.$inferInsert> = {}): Promise<string> {
  const id = v7();
  const created_at = app.clock.now();
  const row = { id, kind: 'email' as const, cause: id, recipient: 'guest@example.test', created_at };
  await enqueue(app.services.db, [{ ...row, payload: HELLO, ...more }]);
  return id;
}

function server(send: (row: Claimed) => Promise<Outcome> | Outcome, more: Partial<Sender> = {}) {
  const email: Sender = {
    retrySeconds: DOUBLING_SECONDS,
    longestWaitMs: 6 * 3_600_000,
    batch: 20,
    ...more,
    send: async (row) => send(row),
  };
  const { db, now, newId } = app.services;
  return createDeliveries({ db, now, newId, log: pino({ level: 'silent' }) }, { email });
}

const rowOf = async (id: string) =>
  (await app.services.db.select().from(deliveries).where(eq(deliveries.id, id)))[0];
const causes = async () => (await app.services.db.select().from(deliveries)).map(({ cause }) => cause).sort();

describe('a delivery that fails', () => {
  it('is tried again after 30 seconds, then after twice as long each time, up to 6 hours', async () => {
    const id = await store();
    const waits: number[] = [];
    const failing = server(() => 'failed');
    for (let tries = 0; tries < 13; tries += 1) {
      expect(await failing.deliver()).toEqual({ sent: 0, failed: 1 });
      const due = (await rowOf(id))?.due_at?.getTime() ?? 0;
      const seconds = (due - app.clock.now().getTime()) / 1000;
      waits.push(seconds);
      app.clock.advance({ seconds: seconds - 1 });
      expect(await failing.deliver()).toEqual({ sent: 0, failed: 0 });
      app.clock.advance({ seconds: 1 });
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 960, 1920, 3840, 7680, 15_360, 21_600, 21_600, 21_600]);
  });

  it('with an error, too', async () => {
    const id = await store();
    const failing = server(() => Promise.reject(new Error('The connection was lost')));
    expect(await failing.deliver()).toEqual({ sent: 0, failed: 1 });
    expect(await rowOf(id)).toMatchObject({ attempts: 1, outcome: null, payload: HELLO });
  });

  it('holds up no other that is due', async () => {
    const [first, second] = [await store(), await store()];
    expect(await server(({ id }) => (id === first ? 'failed' : 'sent')).deliver()).toEqual({
      sent: 1,
      failed: 1,
    });
    expect(await rowOf(second)).toMatchObject({ outcome: 'sent' });
  });
});

it('a try whose process died is made again after a minute, by any process, under the same id', async () => {
  const id = await store();
  const tries: string[] = [];
  const dying = server((row) => {
    tries.push(row.id);
    return new Promise<Outcome>(() => undefined);
  });
  void dying.deliver();
  await expect.poll(() => tries).toEqual([id]);
  const next = server((row) => {
    tries.push(row.id);
    return 'sent';
  });
  app.clock.advance({ seconds: 59 });
  expect(await next.deliver()).toEqual({ sent: 0, failed: 0 });
  app.clock.advance({ seconds: 1 });
  expect(await next.deliver()).toEqual({ sent: 1, failed: 0 });
  expect(tries).toEqual([id, id]);
});

it('the one that waits longest is first, and one turn has no more than a batch', async () => {
  const late = await store({ due_at: app.clock.now() });
  const first = await store({ due_at: new Date(app.clock.now().getTime() - 1000) });
  const atOnce = await store();
  const sent: string[] = [];
  const sending = server(
    ({ id }) => {
      sent.push(id);
      return 'sent';
    },
    { batch: 2 },
  );
  await sending.deliver();
  expect(sent).toEqual([atOnce, first]);
  await sending.deliver();
  expect(sent).toEqual([atOnce, first, late]);
});

it('one that has expired is given up without a try', async () => {
  const at = app.clock.now();
  const expired = await store({ expires_at: at });
  const valid = await store({ expires_at: new Date(at.getTime() + 1) });
  expect(await server(() => 'sent').deliver()).toEqual({ sent: 1, failed: 0 });
  expect(await rowOf(expired)).toMatchObject({ outcome: 'given_up', reason: 'expired', payload: null });
  expect(await rowOf(valid)).toMatchObject({ outcome: 'sent' });
});

it('what is finished keeps no text, and the address only of someone with an account', async () => {
  const { id: user_id } = await app.customer();
  await app.services.db.delete(deliveries);
  const [guest, member] = [await store(), await store({ user_id })];
  await server(() => ({ givenUp: 'refused: 550' })).deliver();
  expect(await rowOf(guest)).toMatchObject({ payload: null, recipient: null, reason: 'refused: 550' });
  expect(await rowOf(member)).toMatchObject({ payload: null, recipient: 'guest@example.test' });
});

it('emails to people without an account are deleted after 7 days, notifications after 92, all others never', async () => {
  const { id: user_id } = await app.customer();
  await app.services.db.delete(deliveries);
  for (const more of [
    { cause: 'to a guest' },
    { cause: 'to a member', user_id },
    { cause: 'a notification', kind: 'push' as const, user_id },
  ])
    await store(more);
  const after = async (time: { days?: number; seconds?: number }) => {
    app.clock.advance(time);
    await deleteOldDeliveries(app.services);
    return causes();
  };
  expect(await after({ days: 7, seconds: -1 })).toHaveLength(3);
  expect(await after({ seconds: 1 })).toEqual(['a notification', 'to a member']);
  expect(await after({ days: 85, seconds: -1 })).toHaveLength(2);
  expect(await after({ seconds: 1 })).toEqual(['to a member']);
});
