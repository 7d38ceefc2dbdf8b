import { eq, sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../../src/server/db/client.ts';
import { rowsOf } from '../../src/server/db/results.ts';
import { memberships, profiles } from '../../src/server/db/schema.ts';
import { brokenInvariants } from '../../torture/invariants.ts';
import type { Billing } from '../support/billing/drive-billing.ts';
import { type GiftVenue, openGifts } from '../support/billing/gifts.ts';
import { untilBlocked } from '../support/billing/locks.ts';
import { createDatabase } from '../support/harness/postgres.ts';

// docs/rules/gifts.md, "Gifts". Several processes, which share no memory.

async function openRace(): Promise<GiftVenue> {
  const { url, drop } = await createDatabase();
  onTestFinished(drop);
  return openGifts({ database: await openPostgres(url) });
}

const others = ({ venue }: GiftVenue, count: number): Billing[] =>
  Array.from({ length: count }, () => venue.anotherProcess());
const holds = async ({ venue }: GiftVenue) => {
  const broken = await brokenInvariants((it) => rowsOf(venue.db, sql.raw(it)), 'Europe/Vienna');
  expect(broken.filter((line) => line.includes('(rule "Gifts")'))).toEqual([]);
};

test('a gift redeemed while it is refunded is one or the other, and the money agrees', async () => {
  const gifts = await openRace();
  for (let round = 0; round < 8; round++) {
    const [buyer, friend] = [await gifts.person(), await gifts.person()];
    const id = await gifts.bought(buyer);
    const code = await gifts.code(buyer, id);
    const [one, two] = others(gifts, 2) as [Billing, Billing];
    const asked = [() => one.gifts.redeem(friend, { code }), () => two.gifts.refund(buyer, { id })];
    const answers = await Promise.allSettled((round % 2 ? asked : asked.reverse()).map((ask) => ask()));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await gifts.billing.sweep();
    const status = (await gifts.row(id))?.status;
    expect(status).toMatch(/^(redeemed|refunded)$/);
    expect(await gifts.kept(id)).toBe(status === 'redeemed' ? 11_700 : 0);
    expect((await gifts.venue.state(friend)).memberships).toBe(status === 'redeemed' ? 1 : 0);
  }
  await holds(gifts);
});

test.each(['requested', 'made at Stripe'])(
  'a refund that is %s waits for the one who redeems the gift, who stays a member',
  async (how) => {
    const gifts = await openRace();
    const { db, stripe } = gifts.venue;
    const [buyer, friend] = [await gifts.person(), await gifts.person()];
    const id = await gifts.bought(buyer);
    const code = await gifts.code(buyer, id);
    const [one, two] = others(gifts, 2) as [Billing, Billing];
    await gifts.venue.webhooks('drop');
    const refund = async () => {
      if (how === 'requested') return two.gifts.refund(buyer, { id });
      await stripe.refunds.create({ payment_intent: (await gifts.row(id))?.stripe_payment_intent_id ?? '' });
      return two.reconcile(buyer);
    };
    let answers: Promise<PromiseSettledResult<unknown>[]> | undefined;
    await db.transaction(async (tx) => {
      // Redeeming now stops with the gift locked, before it writes the membership's pours.
      await tx.execute(sql`lock table glass_grant in exclusive mode`);
      const redeemed = one.gifts.redeem(friend, { code });
      await untilBlocked(db);
      answers = Promise.allSettled([redeemed, refund()]);
      await untilBlocked(db, 2);
    });
    const [redeemed, refunded] = (await answers) ?? [];
    expect(redeemed?.status).toBe('fulfilled');
    const refused = { status: 'rejected', reason: { code: 'GIFT_REFUSED' } };
    expect(refunded).toMatchObject(how === 'requested' ? refused : { status: 'fulfilled' });
    expect(await gifts.row(id)).toMatchObject({ status: 'redeemed' });
    await holds(gifts);
  },
);

test('a code that twelve redeem at once makes one of them a member', async () => {
  const gifts = await openRace();
  const buyer = await gifts.person();
  const code = await gifts.code(buyer, await gifts.bought(buyer));
  const users = await Promise.all(Array.from({ length: 12 }, () => gifts.person()));
  const many = others(gifts, 4);
  const answers = await Promise.allSettled(
    users.map((user, nth) => (many[nth % 4] as Billing).gifts.redeem(user, { code })),
  );
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await gifts.venue.db.$count(memberships)).toBe(1);
  await holds(gifts);
});

test('of two gifts that one user redeems at once, one becomes the membership and the other code stays valid', async () => {
  const gifts = await openRace();
  const [buyer, friend] = [await gifts.person(), await gifts.person()];
  const codes = [
    await gifts.code(buyer, await gifts.bought(buyer)),
    await gifts.code(buyer, await gifts.bought(buyer)),
  ];
  const { db } = gifts.venue;
  const { sent } = await db.transaction(async (tx) => {
    await tx.select().from(profiles).where(eq(profiles.id, friend)).for('no key update');
    const sent = others(gifts, 2).map((it, nth) => it.gifts.redeem(friend, { code: codes[nth] ?? '' }));
    await untilBlocked(db, 2);
    return { sent };
  });
  const answers = await Promise.allSettled(sent);
  expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const left = codes[answers.findIndex(({ status }) => status === 'rejected')] ?? '';
  await gifts.billing.gifts.redeem(await gifts.person(), { code: left });
  await holds(gifts);
});

test('a refund requested eight times in four processes returns the money once', async () => {
  const gifts = await openRace();
  const buyer = await gifts.person();
  const id = await gifts.bought(buyer);
  const many = others(gifts, 4);
  await Promise.allSettled(
    Array.from({ length: 8 }, (_, nth) => (many[nth % 4] as Billing).gifts.refund(buyer, { id })),
  );
  await gifts.billing.sweep();
  expect(await gifts.row(id)).toMatchObject({ status: 'refunded', refunded_cents: 11_700 });
  expect((await gifts.venue.stripe.refunds.list()).data).toHaveLength(1);
});

test('the same order sent several times at once is one gift and one payment', async () => {
  const gifts = await openRace();
  const buyer = await gifts.person();
  const request_id = gifts.venue.deps.newId();
  const draft = {
    request_id,
    tier: 'select',
    months: 3,
    from_name: 'Anna',
    to_name: 'Ben',
    message: '',
  } as const;
  const answers = await Promise.allSettled(
    others(gifts, 4).map((billing) => billing.gifts.buy(buyer, { ...draft, delivery: 'card' })),
  );
  const pages = answers.flatMap((it) => (it.status === 'fulfilled' ? [it.value.url] : []));
  expect(new Set(pages).size).toBe(1);
  await gifts.venue.pay(pages[0] ?? '');
  await gifts.venue.delivered();
  expect((await gifts.row(request_id))?.status).toBe('paid');
});
