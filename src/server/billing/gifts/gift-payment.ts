import { startOfDay } from '../../../domain/calendar.ts';
import type { GiftReversal } from '../../../domain/staff-notice.ts';
import type { Tx } from '../../db/client.ts';
import { and, eq, isNull } from '../../db/orm.ts';
import { customers, gift_membership, memberships } from '../../db/schema.ts';
import { postStaffNotice } from '../../membership/staff-notices.ts';
import type { BillingDeps, BillingNotice } from '../billing-context.ts';
import { requestRefund } from '../refunds/refund-requests.ts';
import { fetchCharges, type PaidCharge } from '../state/stripe-snapshot.ts';
import { unlessMissing } from '../stripe-errors.ts';
import { type GiftRow, WITHOUT_WORDS } from './gift-code.ts';

interface PaymentLook {
  type: 'payment';
  refunded_cents: number;
  disputed: boolean;
  /** True if Stripe will never refund it. */
  refused?: boolean;
}

/** A gift and its state at Stripe. unpaid: its page can no longer be paid. */
export interface SeenGift {
  gift: GiftRow;
  look: PaymentLook | { type: 'unpaid' } | { type: 'paid'; intent: string; paid_cents: number };
}

const DAY_MS = 86_400_000;
/** Banks accept disputes for months. */
const DISPUTES_DAYS = 180;

/** Fetches the state of a user's gifts. `charges`: the payments of their customer at Stripe. Throws Stripe's errors. */
export async function lookAtGifts(
  deps: BillingDeps,
  userId: string,
  charges: PaidCharge[],
): Promise<SeenGift[]> {
  const seen: SeenGift[] = [];
  for (const gift of await deps.db
    .select()
    .from(gift_membership)
    .where(eq(gift_membership.buyer_id, userId))) {
    const look =
      gift.status === 'ordered' ? await lookAtPage(deps, gift) : await lookAtPayment(deps, gift, charges);
    if (look) seen.push({ gift, look });
  }
  return seen;
}

/** Null without a page, while the page can be paid, or while its payment may still arrive. */
async function lookAtPage(
  { stripe }: BillingDeps,
  { stripe_session_id, amount_cents }: GiftRow,
): Promise<SeenGift['look'] | null> {
  if (!stripe_session_id) return null;
  const page = await unlessMissing(
    stripe.checkout.sessions.retrieve(stripe_session_id, { expand: ['payment_intent'] }),
  );
  if (!page) return { type: 'unpaid' };
  if (page.status === 'open') return null;
  if (page.status !== 'complete') return { type: 'unpaid' };
  const intent = typeof page.payment_intent === 'string' ? null : page.payment_intent;
  if (!intent) return null;
  if (page.payment_status === 'paid')
    return { type: 'paid', intent: intent.id, paid_cents: page.amount_total ?? amount_cents };
  // Bank transfers and similar methods settle days later, or never.
  return intent.status === 'canceled' || intent.status === 'requires_payment_method'
    ? { type: 'unpaid' }
    : null;
}

/**
 * A payment whose customer was replaced or deleted at Stripe is not among `charges`, and is fetched by itself; null if it is
 * too old for disputes, or gone.
 */
async function lookAtPayment(
  { stripe, now }: Pick<BillingDeps, 'stripe' | 'now'>,
  { status, paid_at, stripe_payment_intent_id: payment_intent }: GiftRow,
  charges: PaidCharge[],
): Promise<PaymentLook | null> {
  let own = charges.filter((it) => it.payment_intent === payment_intent);
  if (own.length === 0) {
    const lately = now().getTime() - DISPUTES_DAYS * DAY_MS;
    if (!payment_intent || (status !== 'refunding' && (paid_at?.getTime() ?? 0) < lately)) return null;
    const fetched = await unlessMissing(fetchCharges(stripe, { payment_intent }));
    if (!fetched) return null;
    own = fetched;
  }
  return {
    type: 'payment',
    refunded_cents: own.reduce((sum, { refunded_cents }) => sum + refunded_cents, 0),
    disputed: own.some(({ disputed }) => disputed),
  };
}

/** Stores the fetched states, and returns the emails to buyers. */
export async function storeGifts(tx: Tx, deps: BillingDeps, seen: SeenGift[]): Promise<BillingNotice[]> {
  const notices: BillingNotice[] = [];
  for (const { gift, look } of seen) {
    if (look.type === 'unpaid') await dropOrder(tx, gift);
    else if (look.type === 'paid') notices.push(...(await markPaid(tx, deps, gift, look)));
    else notices.push(...(await writePayment(tx, deps, gift.id, look)));
  }
  return notices;
}

/** Deletes an unpaid gift that can no longer be paid: the one with this page, or without any. */
export async function dropOrder(
  db: BillingDeps['db'] | Tx,
  { id, stripe_session_id }: Pick<GiftRow, 'id' | 'stripe_session_id'>,
): Promise<void> {
  const { id: own, status, stripe_session_id: page } = gift_membership;
  const isThis = stripe_session_id ? eq(page, stripe_session_id) : isNull(page);
  await db.delete(gift_membership).where(and(eq(own, id), eq(status, 'ordered'), isThis));
}

async function markPaid(
  tx: Tx,
  { now, venue }: BillingDeps,
  { id }: GiftRow,
  { intent, paid_cents }: { intent: string; paid_cents: number },
): Promise<BillingNotice[]> {
  const [gift] = await tx
    .update(gift_membership)
    .set({ status: 'paid', paid_at: now(), paid_cents, stripe_payment_intent_id: intent, url: null })
    .where(and(eq(gift_membership.id, id), eq(gift_membership.status, 'ordered')))
    .returning();
  if (!gift?.buyer_id) return [];
  const { tier, months, currency, send_on, buyer_id: user_id } = gift;
  return [
    {
      type: 'gift_bought',
      cause: `gift-bought:${id}`,
      user_id,
      tier,
      months,
      amount_cents: paid_cents,
      currency,
      send_on: send_on === null ? null : startOfDay(send_on, venue.time_zone),
    },
  ];
}

/** `version`: throws, with nothing written, if the gift has changed since this version. */
async function writePayment(
  tx: Tx,
  deps: Pick<BillingDeps, 'now'>,
  id: string,
  look: PaymentLook,
  version?: number,
): Promise<BillingNotice[]> {
  const [gift] = await tx.select().from(gift_membership).where(eq(gift_membership.id, id)).for('update');
  if (!gift) return [];
  if (version !== undefined && gift.sync_version !== version)
    throw new Error(`Gift ${id} changed while its payment was fetched`);
  const { disputed, refunded_cents } = look;
  const isBack = refunded_cents >= (gift.paid_cents ?? 0);
  const next = statusAfter(gift, look, isBack);
  if (next === gift.status && disputed === gift.disputed && refunded_cents === gift.refunded_cents) return [];
  const forgotten = next === 'paid' || next === 'redeemed' ? {} : { code_hash: null, ...WITHOUT_WORDS };
  await tx
    .update(gift_membership)
    .set({
      refunded_cents,
      disputed,
      status: next,
      sync_version: gift.sync_version + 1,
      refunded_at: next === 'refunded' ? (gift.refunded_at ?? deps.now()) : null,
      ...forgotten,
    })
    .where(eq(gift_membership.id, id));
  for (const why of reversals(gift, look, { next, isBack })) await tellStaff(tx, deps, gift, why);
  if (next !== 'refunded' || gift.status === 'refunded' || !gift.buyer_id) return [];
  const { tier, months, currency, buyer_id: user_id } = gift;
  const cause = `gift-refunded:${id}`;
  return [{ type: 'gift_refunded', cause, user_id, tier, months, amount_cents: refunded_cents, currency }];
}

/** A redeemed gift stays redeemed: staff decide about the membership. */
function statusAfter(
  { status }: GiftRow,
  { disputed, refused }: PaymentLook,
  isBack: boolean,
): GiftRow['status'] {
  if (status === 'redeemed' || status === 'ordered') return status;
  if (isBack) return 'refunded';
  if (status === 'refunding') return disputed || refused ? 'kept' : 'refunding';
  // The bank returned the refund.
  return status === 'refunded' ? 'kept' : status;
}

function reversals(
  before: GiftRow,
  { disputed }: PaymentLook,
  { next, isBack }: { next: GiftRow['status']; isBack: boolean },
): GiftReversal[] {
  const isNewlyBack = isBack && before.refunded_cents < (before.paid_cents ?? 0);
  return [
    ...(disputed && !before.disputed ? (['disputed'] as const) : []),
    ...(before.status === 'redeemed' && isNewlyBack ? (['refunded'] as const) : []),
    ...(next === 'kept' && before.status !== 'kept' ? (['not_refunded'] as const) : []),
  ];
}

async function tellStaff(
  tx: Tx,
  { now }: Pick<BillingDeps, 'now'>,
  gift: GiftRow,
  why: GiftReversal,
): Promise<void> {
  const { id, membership_id, paid_cents, currency, stripe_payment_intent_id } = gift;
  const [member] = membership_id
    ? await tx
        .select({ user_id: customers.user_id })
        .from(memberships)
        .innerJoin(customers, eq(customers.id, memberships.customer_id))
        .where(eq(memberships.id, membership_id))
    : [];
  await postStaffNotice(tx, {
    kind: 'gift_reversed',
    cause: `gift_reversed:${why}:${id}:${gift.sync_version}`,
    user_id: member?.user_id ?? gift.buyer_id,
    facts: {
      amount_cents: paid_cents ?? 0,
      currency,
      stripe_payment_intent_id: stripe_payment_intent_id ?? '',
      why,
      redeemed: gift.status === 'redeemed',
    },
    at: now(),
  });
}

/**
 * Refunds at Stripe the rest of each gift with a requested refund; the next look finds the result, also after a crash. True
 * if Stripe was asked. Throws Stripe's errors, unless it refuses for good.
 */
export async function refundGifts(deps: BillingDeps, seen: SeenGift[]): Promise<boolean> {
  let progress = false;
  for (const { gift, look } of seen) {
    if (gift.status !== 'refunding' || look.type !== 'payment' || look.disputed) continue;
    const amount_cents = (gift.paid_cents ?? 0) - look.refunded_cents;
    const payment_intent = gift.stripe_payment_intent_id;
    if (amount_cents <= 0 || !payment_intent) continue;
    const terms = { reason: 'requested_by_customer', metadata: { gift_id: gift.id } } as const;
    const charges = [{ payment_intent, refundable_cents: amount_cents }];
    const { obstacle } = await requestRefund(deps, gift.id, terms, { amount_cents, charges });
    progress = true;
    // Another obstacle shows in the next look.
    if (obstacle === 'refused')
      await deps.db.transaction((tx) => writePayment(tx, deps, gift.id, { ...look, refused: true }));
  }
  return progress;
}

/** The gift that a payment paid for; null if there is none. */
export async function giftOfPayment(
  { db }: Pick<BillingDeps, 'db'>,
  payment_intent: string,
): Promise<GiftRow | null> {
  const isOf = eq(gift_membership.stripe_payment_intent_id, payment_intent);
  const [gift] = await db.select().from(gift_membership).where(isOf);
  return gift ?? null;
}

/**
 * Follows the payment of a gift that no reconciliation covers, because its buyer deleted their account. Throws Stripe's
 * errors, and an error, with nothing written, if the gift changed meanwhile.
 */
export async function followOrphan(deps: BillingDeps, gift: GiftRow): Promise<void> {
  const { stripe_payment_intent_id: payment_intent, sync_version } = gift;
  const charges = payment_intent ? await fetchCharges(deps.stripe, { payment_intent }) : [];
  const look = await lookAtPayment(deps, gift, charges);
  if (look) await deps.db.transaction((tx) => writePayment(tx, deps, gift.id, look, sync_version));
}
