import { ageText } from '../age.ts';
import { age, beyond, type Check, checkOf, DAY, type Health, HOUR, MINUTE } from './check.ts';

/** The sweeper runs every minute. */
const SWEEP_LATE_MS = { attention: 5 * MINUTE, failing: HOUR };
/** Every request is retried before it counts as unanswered. */
const UNANSWERED_MS = { attention: 0, failing: 15 * MINUTE };
/** The sweeper processes an event after five minutes; Stripe stops retrying after three days. */
const EVENT_OPEN_MS = { attention: 15 * MINUTE, failing: DAY };
/** Every member who pays by card causes an event a month. */
const STRIPE_SILENT_MS = { attention: 35 * DAY, failing: null };

export interface PaymentFacts {
  /** off: members pay at the venue. */
  mode: 'live' | 'test' | 'demo' | 'off';
  started_at: Date;
  /** The last run of this process's sweeper; null before its first run, a minute after the start. */
  last_sweep_at: Date | null;
  /** When Stripe last answered this process. */
  answered_at: Date | null;
  /** The first request that Stripe did not answer, until it answers one. */
  unanswered_since: Date | null;
  last_event_at: Date | null;
  has_subscriptions: boolean;
  oldest_open_event_at: Date | null;
}

const MODES = {
  live: 'Payments are live.',
  test: 'Payments are in Stripe’s test mode: no real money moves.',
  demo: 'Payments are a demo: no real money moves.',
  off: 'Payments are off: members pay at the venue. To turn them on, see Settings, Stripe.',
};

/** What is fetched from Stripe: requests, waiting events, and the sweeper that catches up on missed ones. */
export function paymentsCheck(facts: PaymentFacts, now: Date): Check {
  const { mode, started_at, last_sweep_at, unanswered_since, oldest_open_event_at } = facts;
  const alertOf = (health: Health, subject: string, since: Date | null) =>
    health === 'failing' && { cause: 'stripe', subject, since };
  const eventHealth = beyond(age(now, oldest_open_event_at), EVENT_OPEN_MS);
  const callHealth = beyond(age(now, unanswered_since), UNANSWERED_MS);
  const sweepHealth = beyond(age(now, last_sweep_at ?? started_at), SWEEP_LATE_MS);
  const silence = `Stripe stopped answering ${unanswered_since && ageText(unanswered_since, now)}`;
  const answer = facts.answered_at ? ageText(facts.answered_at, now) : 'none since the server started';
  return checkOf(
    'Payments',
    { text: MODES[mode], facts: mode === 'off' ? [] : [`Last answer from Stripe: ${answer}`] },
    [
      {
        health: eventHealth,
        text: `${MODES[mode]} A message from Stripe could not be processed.`,
        next: 'The server tries again every minute; the log says why (“Webhook event could not be processed”).',
        alert: alertOf(eventHealth, 'A message from Stripe is not processed', oldest_open_event_at),
      },
      {
        health: callHealth,
        text: `${MODES[mode]} ${silence}${callHealth === 'failing' ? ': members cannot join or pay, and renewals are seen late' : ''}.`,
        next: 'Check the network, the key under Settings, Stripe, and status.stripe.com. The server tries again by itself.',
        alert: alertOf(callHealth, 'Stripe does not answer', unanswered_since),
      },
      {
        health: sweepHealth,
        text: `${MODES[mode]} The server is not ${mode === 'off' ? 'ending memberships that are due' : 'checking with Stripe every minute'}, as it should.`,
        next: 'Look for “billing sweep failed” in the log; if there is nothing, restart the server.',
        alert: alertOf(sweepHealth, 'Memberships are not kept up to date', last_sweep_at ?? started_at),
      },
    ],
  );
}

/** What Stripe sends by itself; null while payments are off. */
export function webhooksCheck(facts: PaymentFacts, now: Date): Check | null {
  const { mode, last_event_at, has_subscriptions } = facts;
  if (mode === 'off') return null;
  const silence = last_event_at ? age(now, last_event_at) : STRIPE_SILENT_MS.attention;
  return checkOf(
    'Webhooks',
    {
      text: last_event_at ? 'Stripe sends webhooks.' : 'Stripe sends webhooks once a member pays by card.',
      facts: [`Last message from Stripe: ${last_event_at ? ageText(last_event_at, now) : 'none yet'}`],
    },
    [
      {
        health: has_subscriptions ? beyond(silence, STRIPE_SILENT_MS) : 'well',
        text: 'No webhooks from Stripe, though members pay by card. Payments are still found, but late.',
        next: 'Run “cellar-door stripe check” on the server: it names what is wrong.',
        alert: { cause: 'webhooks', subject: 'No webhooks from Stripe', since: last_event_at },
      },
    ],
  );
}

/** The newest disputed payment that staff have not dealt with; null without one. */
export function disputesCheck(disputed_at: Date | null, now: Date): Check | null {
  if (!disputed_at) return null;
  return {
    name: 'Disputes',
    health: 'attention',
    text: 'A member disputes a payment at their bank. That ends no membership, but the bank decides without you unless you answer in time.',
    next: 'Answer the dispute in Stripe. The notice on the staff dashboard says which payment it is.',
    facts: [`Reported ${ageText(disputed_at, now)}`],
    alert: { cause: 'dispute', subject: 'A payment is disputed', since: disputed_at, once: true },
  };
}
