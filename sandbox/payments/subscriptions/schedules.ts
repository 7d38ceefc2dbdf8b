import type Stripe from 'stripe';
import { invalid } from '../http/errors.ts';
import * as p from '../http/params.ts';
import { list, type Route, route } from '../http/routes.ts';
import type { Schedule, SchedulePhase } from '../http/wire.ts';
import { wantedDiscounts } from '../invoices/discounts.ts';
import { quantityOf, recurringPrice, sellablePrice } from '../resources/price-lookup.ts';
import { taxRateIds, taxRatesOf } from '../resources/tax-rates.ts';
import { changed, finder, timeOf, type World } from '../store/world.ts';
import { boundary } from './periods.ts';
import { createFrom, invoiceSettings, NO_DISCOUNT, phase } from './schedule-create.ts';
import { applyPhase, release } from './schedule-phases.ts';
import { automaticTax } from './subscription-create.ts';
import { findSubscription } from './subscriptions.ts';

const moment = p.either(p.oneOf('now'), p.integer);
const phases = p.listOf(
  p.record({
    items: p.needed(
      p.listOf(
        p.record({
          price: p.needed(p.text),
          quantity: p.integer,
          metadata: p.metadata,
          tax_rates: taxRateIds,
        }),
      ),
    ),
    automatic_tax: p.record({ enabled: p.needed(p.flag) }),
    start_date: moment,
    end_date: moment,
    duration: p.record({
      interval: p.needed(p.word<Stripe.SubscriptionScheduleUpdateParams.Phase.Duration.Interval>()),
      interval_count: p.integer,
    }),
    collection_method: p.oneOf('charge_automatically', 'send_invoice'),
    currency: p.text,
    default_payment_method: p.text,
    default_tax_rates: taxRateIds,
    description: p.clearable(p.text),
    discounts: wantedDiscounts,
    invoice_settings: p.record({ days_until_due: p.integer }),
    metadata: p.metadata,
    trial: p.flag,
    trial_end: moment,
    proration_behavior: p.word<Stripe.SubscriptionScheduleUpdateParams.ProrationBehavior>(),
    billing_cycle_anchor: p.word<Stripe.SubscriptionScheduleUpdateParams.Phase.BillingCycleAnchor>(),
  }),
);
type WishedPhase = p.Params<{ phases: typeof phases }>['phases'] extends (infer L)[] | undefined ? L : never;

const findSchedule = finder('subscription_schedule', (state) => state.schedules);

/** Builds phases from parameters. Checks that they are contiguous and in order and that their prices can be sold. */
function readPhases(world: World, schedule: Schedule, phases: WishedPhase[]): SchedulePhase[] {
  const now = timeOf(world, schedule.test_clock);
  const prices = new Set(schedule.phases.flatMap((phase) => phase.items.map((item) => item.price)));
  const results: SchedulePhase[] = [];
  for (const [index, input] of phases.entries()) {
    const param = `phases[${index}]`;
    const before = results.at(-1)?.end_date;
    const start =
      input.start_date === 'now'
        ? now
        : (input.start_date ?? before ?? schedule.current_phase?.start_date ?? now);
    if (before !== undefined && start !== before)
      throw invalid(
        'Phases must be contiguous: each starts where the one before ends.',
        `${param}[start_date]`,
      );
    const items = input.items.map((item, place) => {
      // A price that the schedule already uses may be inactive by now.
      const price = prices.has(item.price)
        ? recurringPrice(world, item.price, `${param}[items][${place}][price]`)
        : sellablePrice(world, item.price, `${param}[items][${place}][price]`);
      return {
        price: price.id,
        recurring: price.recurring,
        quantity: quantityOf(price, item.quantity, `${param}[items][${place}][quantity]`),
        metadata: p.mergedMetadata({}, item.metadata),
        tax_rates: taxRatesOf(world, item.tax_rates, `${param}[items][${place}][tax_rates]`),
      };
    });
    const first = items[0];
    if (!first) throw invalid('A phase needs at least one item.', `${param}[items]`, 'parameter_missing');
    const span = input.duration ?? first.recurring;
    const length = { interval: span.interval, interval_count: span.interval_count ?? 1 };
    const end = input.end_date === 'now' ? now : (input.end_date ?? boundary(start, length, 1));
    if (end <= start) throw invalid('A phase must end after it starts.', `${param}[end_date]`);
    const trial_end = input.trial_end === 'now' ? now : (input.trial_end ?? null);
    const currency = input.currency ?? world.state.prices[first.price]?.currency ?? 'usd';
    if (trial_end !== null && (trial_end < start || trial_end > end))
      throw invalid('The trial must end within its phase.', `${param}[trial_end]`);
    results.push(
      phase(items, { start, end }, currency, {
        billing_cycle_anchor: input.billing_cycle_anchor ?? null,
        collection_method: input.collection_method ?? null,
        default_payment_method: input.default_payment_method ?? null,
        default_tax_rates: taxRatesOf(world, input.default_tax_rates, `${param}[default_tax_rates]`),
        description: input.description ?? null,
        discounts: (input.discounts ?? []).map((discount) => ({ ...NO_DISCOUNT, ...discount })),
        invoice_settings: input.invoice_settings
          ? invoiceSettings(input.invoice_settings.days_until_due ?? null)
          : null,
        metadata: p.mergedMetadata({}, input.metadata),
        proration_behavior: input.proration_behavior ?? 'create_prorations',
        trial_end,
        ...(input.trial === undefined ? {} : { trial: input.trial }),
        ...(input.automatic_tax ? { automatic_tax: automaticTax(input.automatic_tax.enabled) } : {}),
      }),
    );
  }
  return results;
}

function updatePhases(
  world: World,
  schedule: Schedule,
  inputs: WishedPhase[],
  behavior: SchedulePhase['proration_behavior'],
): void {
  const phases = readPhases(world, schedule, inputs);
  const now = timeOf(world, schedule.test_clock);
  const current = phases.find((entry) => entry.start_date <= now && now < entry.end_date);
  if (!current) throw invalid('The current phase cannot be omitted.', 'phases');
  const subscription = world.state.subscriptions[schedule.subscription ?? ''];
  schedule.phases = phases;
  schedule.current_phase = { start_date: current.start_date, end_date: current.end_date };
  if (subscription) applyPhase(world, subscription, schedule, current, behavior);
}

function active(schedule: Schedule, verb: string): void {
  if (schedule.status !== 'active' && schedule.status !== 'not_started')
    throw invalid(
      `You cannot ${verb} a subscription schedule that is currently in the \`${schedule.status}\` status.`,
    );
}

export const scheduleRoutes: Route[] = [
  route(
    'POST',
    '/v1/subscription_schedules',
    { from_subscription: p.needed(p.text), metadata: p.metadata },
    ({ world, params }) =>
      createFrom(
        world,
        findSubscription(world, params.from_subscription, 'from_subscription'),
        p.mergedMetadata({}, params.metadata),
      ),
  ),
  list('/v1/subscription_schedules', (state) => state.schedules, {}),
  route('GET', '/v1/subscription_schedules/:id', {}, ({ world, id }) => findSchedule(world, id)),
  route(
    'POST',
    '/v1/subscription_schedules/:id',
    {
      end_behavior: p.oneOf('release'),
      metadata: p.metadata,
      phases,
      proration_behavior: p.word<Stripe.SubscriptionScheduleUpdateParams.ProrationBehavior>(),
    },
    ({ world, id, params }) => {
      const schedule = findSchedule(world, id);
      active(schedule, 'update');
      changed(world, 'subscription_schedule.updated', schedule, () => {
        if (params.phases)
          updatePhases(world, schedule, params.phases, params.proration_behavior ?? 'create_prorations');
        if (params.metadata !== undefined)
          schedule.metadata = p.mergedMetadata(schedule.metadata, params.metadata);
      });
      return schedule;
    },
  ),
  route(
    'POST',
    '/v1/subscription_schedules/:id/release',
    { preserve_cancel_date: p.flag },
    ({ world, id }) => {
      const schedule = findSchedule(world, id);
      active(schedule, 'release');
      release(world, schedule);
      return schedule;
    },
  ),
];
