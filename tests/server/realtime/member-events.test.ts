import { eq } from 'drizzle-orm';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Dues } from '../../../src/contract/staff/dues.ts';
import { customers, pour_voids, pours, user_roles } from '../../../src/server/db/schema.ts';
import { MAX_STREAMS } from '../../../src/server/realtime/member-events.ts';
import { shareWith } from '../../support/fixtures/household.ts';
import { applied, cardMember, pour, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';
import { openStream } from '../../support/harness/stream.ts';

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
});
afterAll(() => app.close());

describe('a member is notified', () => {
  it('of a pour recorded for them, without its details', async () => {
    const { caller, customer_id } = await venueMember(app, staff);
    const stream = await openStream(caller);
    await pour(staff, customer_id, { quantity: 2, notes: 'a secret' });
    expect(await stream.until(1)).toEqual(['pours']);
    stream.close();
  });

  it('of a voided pour', async () => {
    const { caller, customer_id } = await venueMember(app, staff);
    await pour(staff, customer_id);
    const { db, clock } = { ...app.services, clock: app.clock };
    const [recorded] = await db.select().from(pours).where(eq(pours.customer_id, customer_id));
    const stream = await openStream(caller);
    await db
      .insert(pour_voids)
      .values({ pour_id: recorded!.id, voided_by_staff_id: staff.id, created_at: clock.now() });
    expect(await stream.until(1)).toEqual(['pours']);
    stream.close();
  });

  it('not of a refused pour', async () => {
    const { caller, customer_id } = await venueMember(app, staff);
    const stream = await openStream(caller);
    expect((await pour(staff, customer_id, { quantity: 99 })).status).toBe(409);
    await pour(staff, customer_id);
    expect(await stream.until(1)).toEqual(['pours']);
    stream.close();
  });

  it('not of a change that was rolled back', async () => {
    const { caller, customer_id } = await venueMember(app, staff);
    const stream = await openStream(caller);
    await app.services.db
      .transaction(async (tx) => {
        await tx.update(customers).set({ status: 'inactive' }).where(eq(customers.id, customer_id));
        tx.rollback();
      })
      .catch(() => undefined);
    await pour(staff, customer_id);
    expect(await stream.until(1)).toEqual(['pours']);
    stream.close();
  });

  it('when their application is approved or rejected', async () => {
    const [approved, rejected] = [await app.customer(), await app.customer()];
    const [yes, no] = [await applied(approved), await applied(rejected)];
    const streams = [await openStream(approved), await openStream(rejected)];
    await staff.must('POST', `/api/applications/${yes}/approve`, { toast_reference_number: 'T-9' });
    await staff.must('POST', `/api/applications/${no}/reject`, {});
    for (const stream of streams) {
      expect(new Set(await stream.until(1))).toEqual(new Set(['membership']));
      stream.close();
    }
  });

  it('when billing changes their membership, but not when it only checks', async () => {
    const { caller, customer_id } = await cardMember(app);
    const stream = await openStream(caller);
    await caller.must('POST', '/api/functions/verify-subscription-status', {});
    await pour(staff, customer_id);
    expect(await stream.until(1)).toEqual(['pours']);
    await caller.must('POST', '/api/functions/cancel-subscription', {});
    expect((await stream.until(2))[1]).toBe('membership');
    stream.close();
  });

  it('when a payment at the venue is recorded', async () => {
    const { caller, customer_id } = await venueMember(app, staff);
    const stream = await openStream(caller);
    const path = `/api/customers/${customer_id}/dues`;
    const { paid_until } = await staff.must<Dues>('GET', path);
    const payment = { reference: 'R-1', amount_cents: 3900, months: 1, method: 'cash', paid_until };
    await staff.must('POST', path, { request_id: v7(), ...payment });
    expect(await stream.until(1)).toEqual(['membership']);
    stream.close();
  });

  it('when the membership that they share is set to end', async () => {
    const holder = await cardMember(app, 'household');
    const { caller } = await shareWith(app, holder);
    const stream = await openStream(caller);
    await holder.caller.must('POST', '/api/functions/cancel-subscription', {});
    expect(await stream.until(1)).toEqual(['membership']);
    stream.close();
  });

  it('not of changes to other members', async () => {
    const one = await venueMember(app, staff);
    const other = await venueMember(app, staff);
    const streams = [await openStream(one.caller), await openStream(other.caller)];
    await pour(staff, one.customer_id);
    await streams[0]!.until(1);
    // Notifications arrive in order: the other member's own shows that the first one was not sent to them.
    await app.services.db
      .update(customers)
      .set({ status: 'inactive' })
      .where(eq(customers.id, other.customer_id));
    expect(await streams[1]!.until(1)).toEqual(['membership']);
    expect(streams[0]!.received).toEqual(['pours']);
    for (const stream of streams) stream.close();
  });
});

describe("the venue's stream", () => {
  it('ends as soon as the role is gone, and not for others', async () => {
    const [gone, other] = [await app.staff(), await app.staff()];
    const streams = [
      await openStream(gone, '/api/venue-events'),
      await openStream(other, '/api/venue-events'),
    ];
    await app.services.db.update(user_roles).set({ role: 'customer' }).where(eq(user_roles.user_id, gone.id));
    const { customer_id } = await venueMember(app, staff);
    // Left open, it gets the new member, which fails at once.
    await Promise.race([streams[0]!.ended, streams[0]!.until(1)]);
    expect(streams[0]!.received).toEqual([]);
    await pour(staff, customer_id);
    expect(await streams[1]!.until(1)).toContain('membership');
    expect(streams[0]!.received).toEqual([]);
    expect((await gone.call('GET', '/api/venue-events')).status).toBe(401);
    streams[1]!.close();
  });
});

describe('who may open the stream', () => {
  it('visitors may not', async () => {
    expect(await app.visitor().call('GET', '/api/events')).toMatchObject({
      status: 401,
      body: { code: 'NOT_SIGNED_IN' },
    });
  });

  it('staff may not', async () => {
    expect(await staff.call('GET', '/api/events')).toMatchObject({
      status: 403,
      body: { code: 'NOT_ALLOWED' },
    });
  });

  it('accounts without a membership may, because they can become members', async () => {
    (await openStream(await app.customer())).close();
  });
});

describe('the stream', () => {
  it('is neither cached nor buffered by a proxy', async () => {
    const customer = await app.customer();
    const abort = new AbortController();
    const { headers } = await customer.raw('GET', '/api/events', { signal: abort.signal });
    expect(headers.get('content-type')).toBe('text/event-stream');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-accel-buffering')).toBe('no');
    abort.abort();
  });

  it('above the limit, the oldest stream gets the event replaced, and ends', async () => {
    const customer = await app.customer();
    const streams = [];
    for (let n = 0; n <= MAX_STREAMS; n++) streams.push(await openStream(customer));
    await streams[0]!.ended;
    expect(streams[0]!.received).toEqual(['replaced']);
    expect(streams[1]!.received).toEqual([]);
    for (const stream of streams) stream.close();
  });

  it('no longer counts once the client closes it', async () => {
    const customer = await app.customer();
    const kept = await openStream(customer);
    for (let n = 0; n < 2 * MAX_STREAMS; n++) {
      const stream = await openStream(customer);
      stream.close();
      await stream.ended;
    }
    const id = await applied(customer);
    await staff.must('POST', `/api/applications/${id}/reject`, {});
    expect(await kept.until(1)).toEqual(['membership']);
    kept.close();
  });

  it('ends after a while, so that the session is checked again', async () => {
    const short = await createTestApp({ streamLifeMs: 30 });
    const stream = await openStream(await short.customer());
    await stream.ended;
    expect(stream.received).toEqual([]);
    await short.close();
  });
});
