import pino from 'pino';
import { v7 } from 'uuid';
import { onTestFinished } from 'vitest';
import { type Sandbox, startSandbox } from '../../../sandbox/index.ts';
import type { BillingRules } from '../../../src/domain/club/club-settings.ts';
import type { BillingDeps, BillingNotice } from '../../../src/server/billing/billing-context.ts';
import { createBilling } from '../../../src/server/billing/reconcile/create-billing.ts';
import { createStripe } from '../../../src/server/billing/stripe-client.ts';
import { WEBHOOK_EVENTS } from '../../../src/server/billing/webhook-events.ts';
import { identifiedKeyFor } from '../../../src/server/config/purpose-key.ts';
import type { OpenDatabase } from '../../../src/server/db/client.ts';
import { createOutbox, type Outbox } from '../../../src/server/mail/outbox.ts';
import { type TestClock, testClock } from '../harness/clock.ts';
import { sandboxClient } from '../harness/sandbox-client.ts';
import { emptyDatabase } from './databases.ts';
import { type Billing, driveBilling } from './drive-billing.ts';
import { createEndpoint, ENDPOINT } from './endpoint.ts';
import { hasAccess, type MemberState, memberState } from './member-state.ts';
import { type SandboxControls, sandboxControls } from './sandbox-controls.ts';
import { type VenueActions, venueActions } from './venue-actions.ts';
import type { VenueParts } from './venue-parts.ts';

export const SECRET = 'whsec_of_the_venue';

const CLUB = {
  club_name: 'Test Cellar',
  support_email: 'help@venue.test',
  public_url: 'https://club.example',
  time_zone: 'Europe/Vienna',
  minimum_age: 21,
  terms_url: 'https://club.example/terms',
};

/** Running billing with its database, the sandbox as Stripe, and an endpoint for webhooks. */
export interface Venue extends VenueParts, SandboxControls, VenueActions {
  deps: BillingDeps;
  /** Emails enqueued by verbs of other folders; nothing is sent. */
  outbox: Outbox;
  notices: BillingNotice[];
  logged: string[];
  /** The statuses with which our endpoint responded to webhooks, in order. */
  responses: number[];
  /** Another process on the same database, without the first one's memory. */
  anotherProcess(deps?: Partial<BillingDeps>): Billing;
  /** Routes all further webhooks to this billing. */
  serveWith(billing: Billing): void;
  /** Accepts webhooks over HTTP too, for tests of the real URL. Returns the endpoint's URL. */
  listen(): Promise<string>;
  state(user: string): Promise<MemberState>;
  /** Whether a pour would be allowed now. */
  hasAccess(user: string): Promise<boolean>;
  /** The types of the notices so far, in order. */
  noticeTypes(): BillingNotice['type'][];
  /** Empties the database, the sandbox and the records of this venue. The clock continues. */
  reset(): Promise<void>;
}

export interface VenueOptions {
  start?: string;
  /** Europe/Vienna by default. */
  timeZone?: string;
  database?: OpenDatabase;
  /** Over connections, as between processes, so that requests and webhooks can overtake each other. */
  overHttp?: boolean;
  now?: TestClock;
  pricing?: Partial<Pick<BillingDeps, 'currency' | 'taxBehavior' | 'paymentMethods'>>;
}

/** Six in the evening of June 15 at the venue, when UTC already has June 16. */
export const EVENING = { start: '2026-06-16T01:00:00Z', timeZone: 'America/Los_Angeles' };

/** The default rules of a club. */
export const RULES: BillingRules = {
  grace_days: 7,
  pause_months: 3,
  pause_months_a_year: 3,
  renewal_reminder_days: 0,
  annual_notice: false,
};

/** Opens a venue that closes with the current test. */
export async function openVenue(options: VenueOptions = {}): Promise<Venue> {
  const clock = options.now ?? testClock(options.start);
  const began = clock.now();
  const { db } = options.database ?? (await emptyDatabase());
  const endpoint = createEndpoint();
  const sandbox = await startSandbox({
    port: 0,
    now: () => clock.now().getTime(),
    retryDelaysMs: [0, 0, 0],
    send: endpoint.send,
  });
  const notices: BillingNotice[] = [];
  const logged: string[] = [];
  const stripe = options.overHttp ? overHttp(sandbox) : inProcess(sandbox);
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
  const ids = { now: clock.now, newId: () => v7() };
  const outbox = createOutbox({ ...ids, sends: true });
  const deps: BillingDeps = {
    db,
    payments: 'on',
    stripe,
    key: { mode: 'demo', restricted: false },
    webhookSecrets: [SECRET],
    sealing: null,
    publicUrl: 'https://club.example',
    currency: 'usd',
    venue: { ...CLUB, time_zone: options.timeZone ?? 'Europe/Vienna' },
    verifyEmail: 'nudge',
    rules: () => RULES,
    taxBehavior: 'unspecified',
    paymentMethods: 'card',
    ...options.pricing,
    ...ids,
    giftKey: identifiedKeyFor('secret of the venue', 'gift'),
    log,
    outbox,
    post: async (_tx, notice) => void notices.push(notice),
  };
  const billing = driveBilling(createBilling(deps));
  endpoint.serveWith(billing);
  const url = options.overHttp ? await endpoint.listen() : ENDPOINT;
  sandbox.setWebhook({ url, secret: SECRET, events: WEBHOOK_EVENTS });
  onTestFinished(async () => {
    await sandbox.close();
    await options.database?.close();
  });

  const parts: VenueParts = { db, clock, sandbox, stripe, billing };
  const controls = sandboxControls(parts);
  return {
    ...parts,
    ...controls,
    ...venueActions(parts, controls),
    deps,
    outbox,
    notices,
    logged,
    responses: endpoint.responses,
    anotherProcess: (changed = {}) => driveBilling(createBilling({ ...deps, ...changed })),
    serveWith: endpoint.serveWith,
    listen: endpoint.listen,
    state: (user) => memberState(db, user),
    hasAccess: (user) => hasAccess(db, user, clock.now()),
    noticeTypes: () => notices.map(({ type }) => type),
    async reset() {
      // Each sequence continues from the end of the last one, in other months; the tests' card expires in 2049.
      if (clock.now().getUTCFullYear() > 2045) clock.set(began);
      await controls.control('reset');
      await emptyDatabase();
      for (const records of [notices, logged, endpoint.responses]) records.length = 0;
    },
  };
}

const overHttp = ({ stripeSecretKey: secretKey, url: apiUrl }: Sandbox) =>
  createStripe({ secretKey, apiUrl, maxNetworkRetries: 0 });

const inProcess = (sandbox: Sandbox) => {
  const { stripeSecretKey: secretKey, url: apiUrl } = sandbox;
  return createStripe({ secretKey, apiUrl, maxNetworkRetries: 0, httpClient: sandboxClient(sandbox) });
};
