import type Stripe from 'stripe';
import { OPEN_ACTS } from '../../../src/domain/billing-act.ts';
import { readCardPeriods } from '../../../src/server/billing/state/card-periods.ts';
import { and, eq, inArray } from '../../../src/server/db/orm.ts';
import { billing_act, dues, staff_notice } from '../../../src/server/db/schema.ts';
import { stripeCustomerId } from '../billing/member-state.ts';
import type { Player } from './player.ts';
import type { Product } from './product.ts';

/** What came of a member's money, as the product and Stripe record it. */
export interface Accounts {
  /** A line per successful charge, as in the model. */
  payments: string[];
  notices: string[];
  /** Money that no month, refund or notice accounts for, or more than one does. */
  unaccounted: string[];
}

interface Sale {
  charge: Stripe.Charge;
  /** The month that it paid for; null for the rest of one, at another price. */
  month: { start: number; end: number } | null;
  /** When that rest begins. */
  from: number;
  /** A year paid at once: whether it counts as twelve months of dues, or waits for a month by card to end. */
  year: { counts: boolean } | null;
}

/**
 * Accounts for each successful charge: money received for memberships is a month given, or refunded, or named in a staff
 * notice, and each exactly once (docs/rules/billing.md, "Billing: an end closes what is open").
 */
export async function accountsOf(product: Product, player: Player): Promise<Accounts> {
  const sales = await salesOf(product, player);
  const notices = await noticesOf(product, player);
  const months = (await readCardPeriods(product.app.services.db, player.customer)).filter(({ paid }) => paid);
  const seconds = (at: Date) => at.getTime() / 1000;
  const given = (at: number, isStart: boolean) =>
    months.filter(({ starts_at, ends_at }) =>
      isStart ? seconds(starts_at) === at : at >= seconds(starts_at) && at < seconds(ends_at),
    ).length;
  const accounts: Accounts = { payments: [], notices: notices.map(({ line }) => line), unaccounted: [] };
  const paidMonths = new Map<string, number>();
  for (const { charge, month, from, year } of sales) {
    const { amount, amount_refunded } = charge;
    const kept = amount - amount_refunded;
    const buys = year ? Number(year.counts) : month ? given(month.start, true) : given(from, false);
    const named = notices.filter(
      ({ kind, cents }) => kind === 'paid_without_membership' && cents === amount,
    ).length;
    const isNothing = buys === 0;
    const bought = month ? `${month.start} to ${month.end}` : 'change';
    const what = year ? 'year' : isNothing ? 'nothing' : bought;
    const line = `${amount}, ${amount_refunded} refunded, ${what}`;
    accounts.payments.push(line);
    if (kept > 0 && isNothing && named === 0) accounts.unaccounted.push(`nobody: ${line}`);
    if (kept > 0 && buys > 1) accounts.unaccounted.push(`two months: ${line}`);
    if (month && !isNothing && kept > 0) {
      const times = (paidMonths.get(what) ?? 0) + 1;
      paidMonths.set(what, times);
      if (times > 1) accounts.unaccounted.push(`paid twice: ${line}`);
    }
  }
  return accounts;
}

/** The successful charges of a member with what their invoices sold, oldest first. */
async function salesOf(product: Product, { caller, customer: of }: Player): Promise<Sale[]> {
  const { stripe, app } = product;
  const customer = await stripeCustomerId(app.services.db, caller.id).catch(() => null);
  if (!customer) return [];
  const charges = await product.charges(caller.id);
  const { data } = await stripe.invoices.list({
    customer,
    status: 'paid',
    limit: 100,
    expand: ['data.payments'],
  });
  const years = await app.services.db
    .select({ reference: dues.reference })
    .from(dues)
    .where(and(eq(dues.method, 'online'), eq(dues.customer_id, of)));
  const ahead = await app.services.db
    .select({ cause: billing_act.cause })
    .from(billing_act)
    .where(and(eq(billing_act.user_id, caller.id), inArray(billing_act.state, OPEN_ACTS)));
  return charges.toReversed().map((charge) => {
    const invoice = data.find(({ payments }) =>
      payments?.data.some(({ payment }) => payment.payment_intent === charge.payment_intent),
    );
    const line = invoice?.lines.data.find(
      ({ parent }) => parent?.subscription_item_details?.proration === false,
    );
    const from = invoice?.lines.data[0]?.period.start ?? charge.created;
    const isYear = invoice?.metadata?.months !== undefined;
    const counts =
      years.some(({ reference }) => reference === invoice?.number) ||
      ahead.some(({ cause }) => cause === `year:${invoice?.id}`);
    return { charge, month: line ? line.period : null, from, year: isYear ? { counts } : null };
  });
}

interface Notice {
  kind: string;
  cents: number;
  line: string;
}

async function noticesOf({ app }: Product, { caller }: Player): Promise<Notice[]> {
  const rows = await app.services.db
    .select()
    .from(staff_notice)
    .where(eq(staff_notice.user_id, caller.id))
    .orderBy(staff_notice.kind);
  return rows.flatMap(({ kind, facts }): Notice[] => {
    const { amount_cents, ends_at } = facts as { amount_cents?: number; ends_at?: string };
    if (kind === 'paid_without_membership')
      return [{ kind, cents: amount_cents ?? 0, line: `${kind} ${amount_cents}` }];
    if (kind === 'long_trial')
      return [{ kind, cents: 0, line: `${kind} ${new Date(ends_at ?? '').getTime() / 1000}` }];
    return [];
  });
}
