import { createHmac } from 'node:crypto';
import { eq, inArray, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { WebhookDelivery, WebhookEndpoint } from '../../../src/contract/staff/webhooks.ts';
import { WEBHOOK_EVENTS, WEBHOOK_RETRY_SECONDS } from '../../../src/domain/staff/webhook.ts';
import { keyFor } from '../../../src/server/config/purpose-key.ts';
import {
  deliveries,
  dues,
  memberships,
  staff_notice,
  webhook_endpoint,
  webhook_event,
} from '../../../src/server/db/schema.ts';
import { openSecret } from '../../../src/server/platform/sealed-secret.ts';
import { deleteOldWebhookEvents } from '../../../src/server/webhooks/delivery-log.ts';
import { resealWebhookSecrets } from '../../../src/server/webhooks/reseal-secrets.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../support/fakes/webhook-receiver.ts';
import { BOTTLE, setTierBenefits, takeBenefit } from '../../support/fixtures/benefits.ts';
import { shareWith } from '../../support/fixtures/household.ts';
import { cardMember, type Member, pour, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, TEST_SECRET, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

interface Added {
  secret: string;
  endpoint: WebhookEndpoint;
}

let receiver: WebhookReceiver;
let app: TestApp;
let staff: Caller;
let member: Member;
beforeAll(async () => {
  receiver = await startWebhookReceiver();
  app = await createTestApp({ webhookNetwork: receiver.network });
  staff = await app.staff();
  member = await venueMember(app, staff, 'household');
});
afterAll(async () => {
  await app.close();
  await receiver.close();
});
beforeEach(async () => {
  const { db } = app.services;
  await db.delete(webhook_endpoint);
  await db.delete(webhook_event);
  receiver.received.length = 0;
  receiver.answer(204);
});

const add = (more: object = {}) =>
  staff.must<Added>('POST', '/api/webhooks', {
    url: 'https://till.example/hook',
    description: 'Till',
    events: WEBHOOK_EVENTS,
    ...more,
  });
const deliver = () => app.services.deliveries.deliver('webhook');
const pourOne = async () => {
  const { body } = await pour(staff, member.customer_id);
  return body.pour as { id: string; created_at: string };
};
const deliveriesOf = async ({ endpoint }: Added) =>
  (await staff.must<{ deliveries: WebhookDelivery[] }>('GET', `/api/webhooks/${endpoint.id}/deliveries`))
    .deliveries;
const current = async () => (await staff.must<WebhookEndpoint[]>('GET', '/api/webhooks'))[0];

/** Checks the signature as a receiver does, by the Standard Webhooks specification. */
function isSigned({ headers, body }: WebhookReceiver['received'][number], secret: string): boolean {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const expected = `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
  return (headers['webhook-signature'] ?? '').split(' ').includes(expected);
}

describe('an event', () => {
  it('is sent with its ids and no names, signed by Standard Webhooks', async () => {
    const { secret } = await add();
    const { id, created_at } = await pourOne();
    expect(await deliver()).toEqual({ sent: 1, failed: 0 });
    const [got] = receiver.received;
    if (!got) throw new Error('Nothing arrived');
    expect(JSON.parse(got.body)).toEqual({
      type: 'pour.recorded',
      version: 1,
      timestamp: created_at,
      data: {
        pour_id: id,
        customer_id: member.customer_id,
        glasses: 1,
        location: 'main_bar',
        place_name: null,
      },
    });
    expect(got.headers).toMatchObject({ 'content-type': 'application/json' });
    expect(Number(got.headers['webhook-timestamp'])).toBe(Math.floor(app.clock.now().getTime() / 1000));
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(isSigned(got, secret)).toBe(true);
    expect(isSigned({ ...got, body: `${got.body} ` }, secret)).toBe(false);
    expect(await deliver()).toEqual({ sent: 0, failed: 0 });
  });

  it('exists for joining, paying at the venue, changing tier, leaving, sharing, benefits and voided pours', async () => {
    await add();
    const { customer_id } = await venueMember(app, staff);
    const { body } = await pour(staff, customer_id);
    await staff.must('POST', `/api/pours/${(body.pour as { id: string }).id}/void`, { reason: 'Spilled' });
    const [bottle] = await setTierBenefits(staff, [BOTTLE]);
    const use = await takeBenefit(staff, customer_id, bottle?.id ?? '');
    await staff.must('POST', `/api/benefit-uses/${use.body.use_id}/void`, {});
    const { db } = app.services;
    const own = eq(memberships.customer_id, customer_id);
    await db.update(memberships).set({ tier: 'elite' }).where(own);
    await db.update(memberships).set({ monthly_price_cents: 1 }).where(own);
    await db.update(memberships).set({ status: 'ended', end_date: '2026-06-15' }).where(own);
    const partner = await shareWith(app, member);
    await partner.caller.must('DELETE', '/api/household');
    await deliver();
    const got = receiver.received.map(({ body: text }) => JSON.parse(text) as { type: string; data: object });
    expect(got.map(({ type }) => type).sort()).toEqual([...WEBHOOK_EVENTS].sort());
    const dataOf = (type: string) => got.find((it) => it.type === type)?.data;
    expect(dataOf('member.joined')).toMatchObject({ customer_id, tier: 'select', paid_by: 'venue' });
    const paid = {
      customer_id,
      amount_cents: 46_800,
      months: 12,
      paid_on: '2026-06-15',
      paid_until: '2027-06-15',
    };
    expect(dataOf('member.dues_recorded')).toMatchObject(paid);
    expect(dataOf('member.tier_changed')).toMatchObject({ tier: 'elite', tier_before: 'select' });
    expect(dataOf('member.left')).toMatchObject({ customer_id, tier: 'elite', end_date: '2026-06-15' });
    const shared = { customer_id: partner.customer_id, holder_id: member.customer_id };
    expect([dataOf('household.joined'), dataOf('household.left')]).toEqual([shared, shared]);
    expect(dataOf('pour.voided')).toMatchObject({ customer_id, glasses: 1 });
    const benefit = { use_id: use.body.use_id, customer_id, benefit_id: bottle?.id, words: BOTTLE.words };
    expect([dataOf('benefit.used'), dataOf('benefit.voided')]).toEqual([benefit, benefit]);
  });

  it('about joining says who pays', async () => {
    await add({ events: ['member.joined'] });
    await cardMember(app);
    const { customer_id } = await venueMember(app, staff);
    const { db, newId } = app.services;
    const begun = { customer_id, tier: 'select', start_date: '2026-06-15', ends_on: '2026-09-15' };
    for (const terms of [{ is_gift: true }, { on_the_house: true, house_reason: 'Our first barista' }]) {
      const own = eq(memberships.customer_id, customer_id);
      await db.update(memberships).set({ status: 'ended', end_date: '2026-06-15' }).where(own);
      const row = { id: newId(), status: 'active', monthly_price_cents: 0, ...begun } as const;
      await db.insert(memberships).values({ ...row, ...terms });
    }
    await deliver();
    const joined = receiver.received.map(({ body }) => JSON.parse(body) as { data: { paid_by: string } });
    expect(joined.map(({ data }) => data.paid_by)).toEqual(['card', 'venue', 'gift', 'house']);
  });

  it('about dues tells of a payment, not of a pause or of counting that begins', async () => {
    await add({ events: ['member.dues_recorded'] });
    const paused = await venueMember(app, staff);
    await staff.must('POST', `/api/customers/${paused.customer_id}/pause`, { months: 1 });
    const { customer_id } = await venueMember(app, staff);
    await app.services.db.transaction(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`);
      const membership = tx
        .select({ id: memberships.id })
        .from(memberships)
        .where(eq(memberships.customer_id, customer_id));
      await tx.delete(dues).where(inArray(dues.membership_id, membership));
      await tx
        .update(memberships)
        .set({ paid_until: null, grace_until: null })
        .where(eq(memberships.customer_id, customer_id));
    });
    const start = { customer_ids: [customer_id], day: '2026-06-15' };
    expect(await staff.must('POST', '/api/dues/start', start)).toEqual({ counted: 1, skipped: [] });
    const stored = await app.services.db.select({ kind: dues.kind }).from(dues);
    expect(stored.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['payment', 'pause', 'start']));
    await deliver();
    const told = receiver.received.map(({ body }) => JSON.parse(body) as { data: { amount_cents: number } });
    expect(told.map(({ data }) => data.amount_cents)).toEqual([46_800, 46_800]);
  });

  it('is written with its cause: a refused pour leaves none', async () => {
    await add();
    const { status } = await pour(staff, member.customer_id, { quantity: 100 });
    expect(status).toBe(409);
    expect(await app.services.db.select().from(webhook_event)).toEqual([]);
  });

  it('is sent only to endpoints subscribed to it, and leaves nothing if there are none', async () => {
    await pourOne();
    expect(await app.services.db.select().from(webhook_event)).toEqual([]);
    const added = await add({ events: ['pour.voided'] });
    await pourOne();
    expect(await deliveriesOf(added)).toEqual([]);
  });
});

describe('an endpoint that does not accept a message', () => {
  it('gets it again, later each time, with the same id, until staff are notified and it is turned off', async () => {
    const added = await add();
    receiver.answer(503, { body: 'Closed'.repeat(400) });
    await pourOne();
    expect(await deliver()).toEqual({ sent: 0, failed: 1 });
    for (const seconds of WEBHOOK_RETRY_SECONDS) {
      app.clock.advance({ seconds: seconds - 1 });
      expect(await deliver()).toEqual({ sent: 0, failed: 0 });
      app.clock.advance({ seconds: 1 });
      expect(await deliver()).toEqual({ sent: 0, failed: 1 });
    }
    expect(receiver.received).toHaveLength(WEBHOOK_RETRY_SECONDS.length + 1);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    const [delivery] = await deliveriesOf(added);
    expect(delivery?.tries).toHaveLength(10);
    expect(delivery?.tries[0]).toMatchObject({ status: 503, error: null });
    expect(delivery?.tries[0]?.answer).toHaveLength(1000);
    expect(await current()).toMatchObject({ off: { why: 'failing' }, waiting: 1 });
    const notices = await app.services.db
      .select({ facts: staff_notice.facts })
      .from(staff_notice)
      .where(eq(staff_notice.kind, 'webhook_off'));
    expect(notices.at(-1)?.facts).toEqual({
      endpoint_id: added.endpoint.id,
      host: 'till.example',
      why: 'failing',
    });

    receiver.answer(200);
    await pourOne();
    expect(await deliver()).toEqual({ sent: 0, failed: 0 });
    await staff.must('PATCH', `/api/webhooks/${added.endpoint.id}`, { on: true });
    const waiting = await app.services.db.select().from(deliveries).where(eq(deliveries.kind, 'webhook'));
    expect(waiting.map(({ attempts, due_at }) => [attempts, due_at])).toEqual([
      [0, null],
      [0, null],
    ]);
    expect(await deliver()).toEqual({ sent: 2, failed: 0 });
  });

  it('has its redirects ignored', async () => {
    await add();
    receiver.answer(307, { location: 'https://till.example/elsewhere' });
    await pourOne();
    expect(await deliver()).toEqual({ sent: 0, failed: 1 });
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook']);
  });

  it('is turned off at once when it answers that it is gone', async () => {
    await add();
    receiver.answer(410);
    await pourOne();
    await deliver();
    expect(await current()).toMatchObject({ off: { why: 'gone' } });
  });

  it('delays no other: a second one gets its message while the first still waits', async () => {
    await add({ url: 'https://till.example/slow' });
    await add({ url: 'https://till.example/fast' });
    receiver.answer(null, { path: '/slow' });
    await pourOne();
    const first = deliver();
    const state = () => ({
      paths: receiver.received.map(({ path }) => path).sort(),
      waiting: receiver.waiting(),
    });
    await expect.poll(state).toEqual({ paths: ['/fast', '/slow'], waiting: 1 });
    await pourOne();
    expect(await deliver()).toEqual({ sent: 1, failed: 0 });
    receiver.answer(204);
    receiver.hangUp();
    expect(await first).toEqual({ sent: 2, failed: 1 });
  });
});

describe('a secret', () => {
  it('is shown once, and stored encrypted', async () => {
    const { secret } = await add();
    expect(JSON.stringify(await current())).not.toContain(secret);
    const [row] = await app.services.db.select().from(webhook_endpoint);
    expect(row?.secret).not.toContain(secret.slice(6));
  });

  it('that is replaced still signs, with the new one, for a day', async () => {
    const { secret: old, endpoint } = await add();
    const { secret } = await staff.must<Added>('POST', `/api/webhooks/${endpoint.id}/secret`, {});
    const lastSigned = async () => {
      await pourOne();
      await deliver();
      const got = receiver.received.at(-1);
      if (!got) throw new Error('Nothing arrived');
      return { old: isSigned(got, old), new: isSigned(got, secret) };
    };
    expect(await lastSigned()).toEqual({ old: true, new: true });
    app.clock.advance({ days: 1 });
    expect(await lastSigned()).toEqual({ old: false, new: true });
  });

  it('follows AUTH_SECRET when that changes', async () => {
    const { secret, endpoint } = await add();
    const { db, newSecret } = app.services;
    const read = async (from: string) => {
      const [row] = await db.select().from(webhook_endpoint);
      return openSecret(keyFor(from, 'webhooks/v1'), row?.secret ?? '', endpoint.id);
    };
    const secrets = { current: 'another secret', previous: TEST_SECRET };
    expect(await resealWebhookSecrets({ db }, secrets, newSecret)).toEqual({ kept: 1, lost: 0 });
    expect(await resealWebhookSecrets({ db }, secrets, newSecret)).toEqual({ kept: 1, lost: 0 });
    expect([await read('another secret'), await read(TEST_SECRET)]).toEqual([secret, null]);
    expect(await resealWebhookSecrets({ db }, { current: 'a', previous: 'b' }, newSecret)).toEqual({
      kept: 0,
      lost: 1,
    });
    await pourOne();
    await deliver();
    expect(await current()).toMatchObject({ off: { why: 'secret_lost' } });
  });

  const replace = ({ endpoint }: Added) =>
    staff.must<Added>('POST', `/api/webhooks/${endpoint.id}/secret`, {});
  const row = async () => {
    const [stored] = await app.services.db.select().from(webhook_endpoint);
    if (!stored) throw new Error('No endpoint is stored');
    return stored;
  };

  it('that is replaced follows AUTH_SECRET too, for the rest of its day', async () => {
    const added = await add();
    await replace(added);
    const { db, newSecret } = app.services;
    const { previous_until } = await row();
    await resealWebhookSecrets({ db }, { current: 'another secret', previous: TEST_SECRET }, newSecret);
    const moved = await row();
    const open = (from: string) =>
      openSecret(keyFor(from, 'webhooks/v1'), moved.previous_secret ?? '', moved.id);
    expect([open('another secret'), open(TEST_SECRET)]).toEqual([added.secret, null]);
    expect(moved.previous_until).toEqual(previous_until);
  });

  it('that was lost before it was replaced is forgotten when AUTH_SECRET changes, and the new one kept', async () => {
    const added = await add();
    const { db, newSecret } = app.services;
    await resealWebhookSecrets({ db }, { current: 'a lost secret', previous: TEST_SECRET }, newSecret);
    await replace(added);
    const secrets = { current: 'another secret', previous: TEST_SECRET };
    expect(await resealWebhookSecrets({ db }, secrets, newSecret)).toEqual({ kept: 1, lost: 0 });
    expect(await row()).toMatchObject({ previous_secret: null, previous_until: null });
  });

  it('that was replaced is deleted once it no longer signs', async () => {
    await replace(await add());
    app.clock.advance({ minutes: 24 * 60 - 1 });
    await deleteOldWebhookEvents(app.services);
    expect((await row()).previous_secret).not.toBeNull();
    app.clock.advance({ minutes: 2 });
    await deleteOldWebhookEvents(app.services);
    expect(await row()).toMatchObject({ previous_secret: null, previous_until: null });
  });
});

describe('staff', () => {
  it('can send a test, resend a message, and resend everything since a time', async () => {
    const added = await add();
    const { id } = added.endpoint;
    await staff.must('POST', `/api/webhooks/${id}/test`, {});
    await deliver();
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ type: 'test', data: {} });
    await pourOne();
    app.clock.advance({ minutes: 1 });
    const since = app.clock.now().toISOString();
    await pourOne();
    await deliver();
    const [latest] = await deliveriesOf(added);
    const sentBefore = receiver.received.length;
    expect(await staff.must('POST', `/api/webhook-deliveries/${latest?.id}/replay`, {})).toEqual({
      replayed: 1,
    });
    await deliver();
    expect(receiver.received.slice(sentBefore).map(({ headers }) => headers['webhook-id'])).toEqual([
      latest?.event_id,
    ]);
    expect(await staff.must('POST', `/api/webhooks/${id}/replay`, { since })).toEqual({ replayed: 1 });
    expect(await deliver()).toEqual({ sent: 1, failed: 0 });
  });

  it('can resend a message during a try: how that try ends delays nothing', async () => {
    const added = await add();
    await pourOne();
    receiver.answer(null);
    const trying = deliver();
    await expect.poll(() => receiver.waiting()).toBe(1);
    const [delivery] = await deliveriesOf(added);
    await staff.must('POST', `/api/webhook-deliveries/${delivery?.id}/replay`, {});
    receiver.answer(204);
    receiver.hangUp();
    const { sent, failed } = await trying;
    const rest = await deliver();
    expect({ sent: sent + rest.sent, failed: failed + rest.failed }).toEqual({ sent: 1, failed: 1 });
  });

  it('can send nothing to an endpoint that is off, and no email as if it were a webhook', async () => {
    const { endpoint } = await add();
    await pourOne();
    const [delivery] = await deliveriesOf({ secret: '', endpoint });
    await staff.must('PATCH', `/api/webhooks/${endpoint.id}`, { on: false });
    const since = app.clock.now().toISOString();
    for (const [path, body] of [
      [`/api/webhooks/${endpoint.id}/test`, {}],
      [`/api/webhooks/${endpoint.id}/replay`, { since }],
      [`/api/webhook-deliveries/${delivery?.id}/replay`, {}],
    ] as const)
      expect((await staff.call('POST', path, body)).body, path).toMatchObject({ code: 'WEBHOOK_OFF' });
    const [email] = await app.services.db.select().from(deliveries).where(eq(deliveries.kind, 'email'));
    const replay = await staff.call('POST', `/api/webhook-deliveries/${email?.id}/replay`, {});
    expect(replay).toMatchObject({ status: 404 });
  });

  it('cannot change an address to one in a private network', async () => {
    const { endpoint } = await add();
    const reach = vi.spyOn(receiver.network, 'reach').mockResolvedValue('private_network');
    const path = `/api/webhooks/${endpoint.id}`;
    const answer = await staff.call('PATCH', path, { url: 'https://router.example/' });
    expect(answer.body).toMatchObject({ code: 'WEBHOOK_URL_REFUSED', data: { reason: 'private_network' } });
    await staff.must('PATCH', path, { description: 'Moved' });
    reach.mockRestore();
    expect(await current()).toMatchObject({ url: 'https://till.example/hook', description: 'Moved' });
  });

  it('can read the log page by page', async () => {
    const added = await add();
    for (let i = 0; i < 21; i += 1) await staff.must('POST', `/api/webhooks/${added.endpoint.id}/test`, {});
    const path = `/api/webhooks/${added.endpoint.id}/deliveries`;
    type Page = { deliveries: WebhookDelivery[]; next_cursor: string | null };
    const first = await staff.must<Page>('GET', path);
    const second = await staff.must<Page>('GET', `${path}?cursor=${first.next_cursor}`);
    const ids = [...first.deliveries, ...second.deliveries].map((it) => it.id);
    expect([first.deliveries.length, new Set(ids).size, second.next_cursor]).toEqual([20, 21, null]);
  });

  it('can read all of the log where many messages are of one millisecond', async () => {
    const added = await add({ events: ['member.joined'] });
    const path = `/api/webhooks/${added.endpoint.id}/deliveries`;
    for (let i = 0; i < 23; i += 1) await staff.must('POST', `/api/webhooks/${added.endpoint.id}/test`, {});
    // As triggers write it, by the clock of the database.
    await app.services.db.execute(sql`
      update deliveries d set created_at = '2026-06-15T12:00:00.123Z'::timestamptz + n.row * interval '7 microseconds'
        from (select id, row_number() over (order by id desc) as row from deliveries
               where endpoint_id = ${added.endpoint.id}) n where n.id = d.id`);
    type Page = { deliveries: WebhookDelivery[]; next_cursor: string | null };
    const first = await staff.must<Page>('GET', path);
    const second = await staff.must<Page>('GET', `${path}?cursor=${first.next_cursor}`);
    expect([first.deliveries.length, second.deliveries.length, second.next_cursor]).toEqual([20, 3, null]);
  });

  it('have at most ten endpoints, and each change is in the audit', async () => {
    const { endpoint } = await add({ events: ['member.left'] });
    for (let i = 0; i < 9; i += 1) await add();
    expect(
      await staff.call('POST', '/api/webhooks', {
        url: 'https://a.example/',
        description: '',
        events: ['member.left'],
      }),
    ).toMatchObject({
      status: 409,
      body: { code: 'TOO_MANY_WEBHOOKS' },
    });
    await staff.must('PATCH', `/api/webhooks/${endpoint.id}`, { on: false, description: 'Old till' });
    await staff.must('PATCH', `/api/webhooks/${endpoint.id}`, { on: false });
    await staff.must('DELETE', `/api/webhooks/${endpoint.id}`, {});
    const { entries } = await staff.must<{ entries: { act: string; facts: object }[] }>('GET', '/api/audit');
    const about = entries.filter(({ facts }) => 'endpoint_id' in facts && facts.endpoint_id === endpoint.id);
    expect(about.map(({ act }) => act)).toEqual(['webhook_removed', 'webhook_changed', 'webhook_added']);
    expect(about[1]?.facts).toMatchObject({ fields: 'description off' });
  });
});

it('after thirty days, events are deleted, delivered or not', async () => {
  const added = await add();
  await pourOne();
  app.clock.advance({ days: 29 });
  await deleteOldWebhookEvents(app.services);
  expect(await deliveriesOf(added)).toHaveLength(1);
  app.clock.advance({ days: 2 });
  await deleteOldWebhookEvents(app.services);
  expect(await deliveriesOf(added)).toEqual([]);
});
