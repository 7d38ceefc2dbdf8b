import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { rowsOf } from '../../../src/server/db/results.ts';
import { gift_membership, memberships } from '../../../src/server/db/schema.ts';
import { brokenInvariants } from '../../../torture/invariants.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { type GiftVenue, openGifts } from '../../support/billing/gifts.ts';

// docs/rules/gifts.md, "Gifts", over random sequences. For more:
//
//     SEQUENCES=100 npx vitest run --project server tests/server/billing/gift-sequences.test.ts

beforeAll(openSharedDatabase);

const RUNS = Number(process.env.SEQUENCES ?? 5);
const PRICE = 11_700;

const STEPS = [
  'buy',
  'pay',
  'redeem',
  'redeem again',
  'refund',
  'refund, Stripe away',
  'refund at Stripe',
  'dispute',
  'win',
  'lose',
  'lost webhooks',
  'webhooks',
  'months pass',
  'sweep',
] as const;
type Step = (typeof STEPS)[number];

/** Runs the steps with one buyer and two redeemers, and checks after each, and at the end, what every gift became. */
async function run(gifts: GiftVenue, steps: Step[]): Promise<void> {
  const { venue, billing } = gifts;
  const [buyer, ben, cleo] = [await gifts.person(), await gifts.person(), await gifts.person()];
  const pages: { id: string; url: string }[] = [];
  const codes = new Map<string, string>();
  const payment = async () => (await gifts.row(pages.at(-1)?.id ?? ''))?.stripe_payment_intent_id;
  const redeem = async (user: string) => {
    const { id } = pages.at(-1) ?? { id: '' };
    if ((await gifts.row(id))?.status === 'paid' && !codes.has(id))
      codes.set(id, await gifts.code(buyer, id));
    await billing.gifts.redeem(user, { code: codes.get(id) ?? '' });
  };
  const acts: Record<Step, () => Promise<unknown>> = {
    buy: async () => pages.push(await gifts.order(buyer)),
    pay: async () => venue.pay(pages.at(-1)?.url ?? ''),
    redeem: () => redeem(ben),
    'redeem again': () => redeem(cleo),
    refund: () => billing.gifts.refund(buyer, { id: pages.at(-1)?.id ?? buyer }),
    'refund, Stripe away': async () => {
      await venue.control('fail-next', { path: '/v1/refunds', method: 'POST', kind: 'status', status: 500 });
      await billing.gifts.refund(buyer, { id: pages.at(-1)?.id ?? buyer });
    },
    'refund at Stripe': async () => venue.stripe.refunds.create({ payment_intent: (await payment()) ?? '' }),
    dispute: async () => venue.control('disputes', { payment_intent: await payment() }),
    win: () => venue.control('disputes/close', { won: true }),
    lose: () => venue.control('disputes/close', { won: false }),
    'lost webhooks': () => venue.webhooks('drop'),
    webhooks: () => venue.webhooks('normal'),
    'months pass': () => venue.advance({ days: 40 }),
    sweep: () => billing.sweep(),
  };
  for (const step of steps) {
    // Refusals by a rule or Stripe are part of the sequence.
    await acts[step]().catch(() => undefined);
    await venue.delivered();
    await check(gifts, steps);
  }
  // Catches up on everything missed on the way.
  await venue.webhooks('normal');
  await venue.advance({ minutes: 10 });
  const replay = billing.replayEvents(null);
  for (let step = await replay.next(); !step.done; ) step = await replay.next();
  for (let round = 0; round < 2; round++) await billing.sweep();
  await check(gifts, steps);
  for (const row of await venue.db.select().from(gift_membership)) {
    const kept = row.status === 'ordered' ? 0 : await gifts.kept(row.id);
    if (row.status === 'refunded') expect(kept, String(steps)).toBe(0);
    if (row.status === 'paid') expect(kept, String(steps)).toBe(PRICE);
    expect(row.status, String(steps)).not.toBe('refunding');
  }
}

async function check({ venue }: GiftVenue, steps: Step[]): Promise<void> {
  const broken = await brokenInvariants((it) => rowsOf(venue.db, sql.raw(it)), 'Europe/Vienna');
  expect(
    broken.filter((line) => line.includes('(rule "Gifts")')),
    String(steps),
  ).toEqual([]);
  // No membership without a payment: each belongs to a separate paid gift.
  const rows = await venue.db.select().from(gift_membership);
  const made = await venue.db.$count(memberships);
  expect(rows.filter(({ status, paid_cents }) => status === 'redeemed' && paid_cents === PRICE)).toHaveLength(
    made,
  );
}

test('a gift is paid once, redeemed at most once, and never both redeemed and refunded, in any order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...STEPS), { minLength: 6, maxLength: 14 }), async (steps) => {
      const gifts = await shared();
      await run(gifts, ['buy', 'pay', ...steps]);
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
}, 120_000);

let venue: GiftVenue | undefined;
async function shared(): Promise<GiftVenue> {
  if (!venue) venue = await openGifts();
  else await venue.venue.reset();
  return venue;
}
