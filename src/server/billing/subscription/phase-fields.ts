import type Stripe from 'stripe';
import { idOf } from '../stripe-objects.ts';

type Phase = Stripe.SubscriptionSchedule.Phase;
type PhaseItem = Stripe.SubscriptionSchedule.Phase.Item;
type PhaseParams = Stripe.SubscriptionScheduleUpdateParams.Phase;

/**
 * How each field that Stripe returns is passed again. An update of a schedule unsets what a phase does not name
 * (SubscriptionScheduleUpdateParams in the SDK), so the compiler refuses a table that leaves out a field. `both`: in the
 * running phase and the one after it. `running`: in the running phase alone.
 */
type Table<From, To> = {
  [Field in keyof Required<From>]:
    | { both: (from: From) => Field extends keyof To ? To[Field] : never }
    | { running: (from: From) => Field extends keyof To ? To[Field] : never }
    | { left_out: string };
};

/** The id of an object that may be expanded, as a parameter. */
const givenId = (it: string | { id: string } | null | undefined) => idOf(it) ?? undefined;

/** The values that are not null: Stripe returns null for what was not set, and accepts no null. */
type Given<T> = { [K in keyof T]: Exclude<T[K], null> };
function given<T extends object>(it: T): Given<T> {
  return Object.fromEntries(Object.entries(it).filter(([, value]) => value !== null)) as Given<T>;
}

/** Undefined for none: Stripe takes an empty list as a request to remove them. */
const list = <From, To>(of: From[] | null | undefined, repeat: (it: From) => To): To[] | undefined =>
  of && of.length > 0 ? of.map(repeat) : undefined;

const ids = (of: (string | { id: string })[] | null | undefined) => list(of, (it) => idOf(it) ?? '');

/** Stripe accepts one of the three ids. A running discount's comes first, so that its term does not start over. */
function discountOf({
  coupon,
  discount,
  promotion_code,
}: Stripe.SubscriptionSchedule.Phase.Discount): Stripe.SubscriptionScheduleUpdateParams.Phase.Discount {
  const running = givenId(discount);
  if (running) return { discount: running };
  const promotion = givenId(promotion_code);
  return promotion ? { promotion_code: promotion } : { coupon: givenId(coupon) };
}

/** A connected account that is liable or issues the invoice; undefined for the club's own, which is the default. */
const accountOf = (it: { type: string; account?: string | { id: string } } | null) =>
  it?.type === 'account' ? { type: it.type, account: givenId(it.account) } : undefined;

export const ITEM_FIELDS: Table<PhaseItem, Stripe.SubscriptionScheduleUpdateParams.Phase.Item> = {
  billing_thresholds: {
    both: ({ billing_thresholds: it }) => (it?.usage_gte ? { usage_gte: it.usage_gte } : undefined),
  },
  discounts: { both: ({ discounts }) => list(discounts, discountOf) },
  metadata: { both: ({ metadata }) => metadata ?? undefined },
  plan: { left_out: 'The price says the same.' },
  price: { both: ({ price }) => givenId(price) },
  // A metered price has none.
  quantity: { both: ({ quantity }) => quantity },
  tax_rates: { both: ({ tax_rates }) => ids(tax_rates) },
};

export const PHASE_FIELDS: Table<Phase, PhaseParams> = {
  add_invoice_items: { left_out: 'They were billed when the phase began.' },
  application_fee_percent: { both: (it) => it.application_fee_percent ?? undefined },
  // Without it, a phase would use the account's default.
  automatic_tax: {
    both: ({ automatic_tax: it }) => it && { enabled: it.enabled, liability: accountOf(it.liability) },
  },
  billing_cycle_anchor: { running: (it) => it.billing_cycle_anchor ?? undefined },
  billing_thresholds: { both: (it) => (it.billing_thresholds ? given(it.billing_thresholds) : undefined) },
  collection_method: { both: (it) => it.collection_method ?? undefined },
  currency: { both: (it) => it.currency },
  default_payment_method: { both: (it) => givenId(it.default_payment_method) },
  default_tax_rates: { both: (it) => ids(it.default_tax_rates) },
  description: { both: (it) => it.description ?? undefined },
  discounts: { both: (it) => list(it.discounts, discountOf) },
  end_date: { running: (it) => it.end_date },
  invoice_settings: {
    both: ({ invoice_settings: it }) =>
      it
        ? {
            ...given({ ...it, account_tax_ids: null, issuer: null }),
            account_tax_ids: ids(it.account_tax_ids),
            issuer: accountOf(it.issuer),
          }
        : undefined,
  },
  items: { both: (it) => it.items.map(repeatItem) },
  metadata: { both: (it) => it.metadata ?? undefined },
  on_behalf_of: { both: (it) => givenId(it.on_behalf_of) },
  proration_behavior: { left_out: 'A change with the period is never prorated.' },
  start_date: { running: (it) => it.start_date },
  transfer_data: {
    both: ({ transfer_data: it }) =>
      it
        ? { amount_percent: it.amount_percent ?? undefined, destination: givenId(it.destination) ?? '' }
        : undefined,
  },
  trial: { running: (it) => it.trial },
  // Stripe accepts one of the two.
  trial_end: { running: (it) => (it.trial ? undefined : (it.trial_end ?? undefined)) },
};

/** The fields of a phase, or of its items, passed again. `running`: those of the running phase alone too. */
function repeat<From extends object, To>(table: Table<From, To>, from: From, running: boolean): Partial<To> {
  const fields = Object.entries(table) as [string, Table<From, To>[keyof Required<From>]][];
  return Object.fromEntries(
    fields.flatMap(([name, how]) => {
      if ('both' in how) return [[name, how.both(from)]];
      return running && 'running' in how ? [[name, how.running(from)]] : [];
    }),
  ) as Partial<To>;
}

function repeatItem(item: PhaseItem): Stripe.SubscriptionScheduleUpdateParams.Phase.Item {
  return repeat(ITEM_FIELDS, item, true);
}

/** The running phase, unchanged. */
export const repeatPhase = (phase: Phase): PhaseParams => ({
  items: [],
  ...repeat(PHASE_FIELDS, phase, true),
  proration_behavior: 'none',
});

/** A phase of a month after it, in which one price replaces another and all else stays. */
export function nextPhase(phase: Phase, change: { from: string; to: string }): PhaseParams {
  const next = repeat(PHASE_FIELDS, phase, false);
  return {
    ...next,
    items: (next.items ?? []).map((item) =>
      item.price === change.from ? { ...item, price: change.to } : item,
    ),
    duration: { interval: 'month', interval_count: 1 },
    proration_behavior: 'none',
  };
}
