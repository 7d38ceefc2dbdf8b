import type { Agent } from 'node:https';
import type { Logger } from 'pino';
import { authEmails } from './auth/auth-emails.ts';
import { createAuth } from './auth/better-auth.ts';
import { openFirstStart } from './auth/first-start.ts';
import { type PasswordHashCost, passwordQueueDepth } from './auth/password/hash.ts';
import type { BillingContext } from './billing/billing-context.ts';
import { createPaymentPages } from './billing/checkout/checkout.ts';
import { billingMailer } from './billing/notices/billing-mailer.ts';
import { billingPusher } from './billing/notices/billing-pusher.ts';
import { duesEmails } from './billing/notices/dues-emails.ts';
import { giftEmails } from './billing/notices/gift-emails.ts';
import { emailJoined } from './billing/notices/joined-email.ts';
import { partnerEmails } from './billing/notices/partner-emails.ts';
import { paymentEmails } from './billing/notices/payment-emails.ts';
import { standingEmails } from './billing/notices/standing-emails.ts';
import { tierEmails } from './billing/notices/tier-emails.ts';
import { paymentsOff } from './billing/payments-off.ts';
import { createBilling } from './billing/reconcile/create-billing.ts';
import { createStripe, type StripeHttpClient, type StripeWatch } from './billing/stripe-client.ts';
import { readBillingBacklog } from './billing/upkeep/billing-backlog.ts';
import { identifiedKeyFor, keyFor } from './config/purpose-key.ts';
import type { EnvSettings } from './config/settings.ts';
import { describeStripeKey, stripeModeOf } from './config/stripe-mode.ts';
import type { Services } from './context.ts';
import { type Backups, outsideBackups } from './db/backup/backups.ts';
import type { Db, OpenDatabase } from './db/client.ts';
import { type Claimed, createDeliveries } from './deliveries/deliveries.ts';
import { readEmailBacklog } from './deliveries/email-backlog.ts';
import { type AppDeps, createApp } from './http/app.ts';
import type { Venue } from './mail/email.ts';
import { createOutbox, emailSender, type Outbox } from './mail/outbox.ts';
import { type Club, clubDefaults, openClub, refreshSoon, venueOf } from './membership/club/club.ts';
import { membershipEmails } from './membership/membership-emails.ts';
import { reportRefusedEmail } from './membership/refused-email.ts';
import { alertEmails } from './monitoring/alert-emails.ts';
import { createCertificateWatch } from './monitoring/certificate.ts';
import type { GaugeSources } from './monitoring/gauges.ts';
import { createHeartbeat } from './monitoring/heartbeat.ts';
import type { ProcessFacts, StripeCalls } from './monitoring/monitoring-context.ts';
import { createReadiness } from './monitoring/readiness.ts';
import type { Observe, Spans } from './platform/observe.ts';
import { createTaskRuns } from './platform/task-runs.ts';
import { pourEmails } from './pours/rollover-emails.ts';
import { publicNetwork } from './push/public-network.ts';
import { pushKeysFrom } from './push/push-keys.ts';
import { createPushOutbox, type PushOutbox, pushSender } from './push/push-outbox.ts';
import { type MemberEvents, openMemberEvents } from './realtime/member-events.ts';
import { createSummaryWriter } from './summary/model.ts';
import { createWallets } from './wallet/wallet-context.ts';
import { walletSender } from './wallet/wallet-updates.ts';
import { type WebhookNetwork, webhookNetwork } from './webhooks/webhook-network.ts';
import { webhookSender } from './webhooks/webhook-sender.ts';

/** The only sources of time and randomness, set up in main.ts and replaced in tests. */
export interface System {
  now(): Date;
  /** The machine's own clock, if `now` is a different one: a webhook signature's age is measured by it. */
  wallClock?(): Date;
  newId(): string;
  /** 32 random bytes, base64url. */
  newSecret(): string;
  log: Logger;
  observe?: Observe | undefined;
  spans?: Spans | undefined;
}

export interface Settings extends EnvSettings {
  /** Signs sessions; the keys for everything else are derived from it. */
  secret: string;
  stripe: {
    secretKey: string;
    apiUrl?: string | undefined;
    maxNetworkRetries?: number;
    /** Sends the requests; Node's own client by default. */
    httpClient?: StripeHttpClient;
    /** Two during a rotation. */
    webhookSecrets: string[];
  } | null;
  /** The production cost unless given; tests take a low one. */
  passwordHash?: PasswordHashCost;
  /** Connects to browsers' push services, on the public internet only; tests replace it. */
  pushAgent?: Agent;
  /** Connects to webhook receivers; tests replace it. */
  webhookNetwork?: WebhookNetwork;
}

/** Enough to write rows and email, as the staff command needs. */
export interface Basics extends System {
  db: Db;
  club: Club;
  currency: string;
  outbox: Outbox;
  venue: Venue;
}

export async function composeBasics(settings: EnvSettings, system: System, db: Db): Promise<Basics> {
  const club = await openClub(db, clubDefaults(settings), system.log);
  const venue = venueOf(club, settings.publicUrl);
  return {
    ...system,
    db,
    club,
    currency: settings.pricing.currency,
    outbox: createOutbox({ ...system, sends: settings.smtpUrl !== null }),
    venue,
  };
}

/** Composes billing. The Stripe commands need nothing else. */
export function composeBilling(
  settings: Pick<Settings, 'stripe' | 'publicUrl' | 'pricing' | 'verifyEmail'> & { secret?: string },
  basics: Basics,
  { watch = basics, push }: { watch?: StripeWatch; push?: PushOutbox } = {},
): BillingContext {
  const { stripe, publicUrl, pricing, verifyEmail, secret } = settings;
  const mail = billingMailer(basics);
  const notifyDevices = push && billingPusher({ ...basics, push });
  return createBilling({
    ...basics,
    payments: stripe ? 'on' : 'off',
    stripe: stripe ? createStripe({ ...stripe, watch }) : paymentsOff(),
    key: stripe ? describeStripeKey(stripe) : paymentsOff(),
    giftKey: secret ? identifiedKeyFor(secret, 'gift') : null,
    webhookSecrets: stripe?.webhookSecrets ?? [],
    sealing: secret ? { key: keyFor(secret, 'stripe-webhook/v1'), newSecret: basics.newSecret } : null,
    publicUrl,
    verifyEmail,
    ...pricing,
    rules: () => basics.club.current(),
    async post(tx, notice) {
      await mail(tx, notice);
      await emailJoined(basics, tx, notice);
      await notifyDevices?.(tx, notice);
    },
  });
}

const emailSamples: Services['emailSamples'] = {
  ...authEmails,
  ...membershipEmails,
  ...pourEmails,
  ...standingEmails,
  ...paymentEmails,
  ...tierEmails,
  ...giftEmails,
  ...duesEmails,
  ...partnerEmails,
  ...alertEmails,
};

function composeServices(
  settings: Settings,
  basics: Basics,
  { kind, readLagging }: OpenDatabase,
  backups: Backups,
  { announce }: MemberEvents,
): Services {
  const { now, wallClock = now } = basics;
  let stripeSkewMs: number | null = null;
  const heardTime = (stripeTime: Date) => {
    // The header is cut to whole seconds.
    stripeSkewMs = stripeTime.getTime() + 500 - wallClock().getTime();
  };
  const stripeCalls: StripeCalls = { answered_at: null, unanswered_since: null };
  const called = (isAnswered: boolean) => {
    if (isAnswered) Object.assign(stripeCalls, { answered_at: now(), unanswered_since: null });
    else stripeCalls.unanswered_since ??= now();
  };
  const processFacts: ProcessFacts = {
    version: settings.version,
    startedAt: now(),
    databaseKind: kind,
    stripeMode: settings.stripe && stripeModeOf(settings.stripe),
    sendsEmail: settings.smtpUrl !== null,
    emailFrom: () => settings.mailFrom ?? basics.venue.support_email,
    dataDir: settings.dataDir,
    backups,
    stripeSkewMs: () => stripeSkewMs,
    stripeCalls,
    newerRelease: null,
  };
  const { observe, spans } = basics;
  const toPush = {
    ...basics,
    keys: pushKeysFrom(settings.secret),
    contact: () => `mailto:${basics.venue.support_email}`,
    agent: settings.pushAgent ?? publicNetwork(),
  };
  const push = createPushOutbox(toPush);
  const toWebhooks = {
    webhookKey: keyFor(settings.secret, 'webhooks/v1'),
    webhookNetwork: settings.webhookNetwork ?? webhookNetwork(settings.webhookPrivateNetworks),
  };
  const toWallets = {
    ...basics,
    cardKey: keyFor(settings.secret, 'membership-card/v1'),
    paperKey: identifiedKeyFor(settings.secret, 'paper-card'),
    walletKey: keyFor(settings.secret, 'wallet-pass/v1'),
    wallets: createWallets(settings.walletConfig, { ...basics, watch: { observe, spans } }),
    announce,
  };
  const { smtpUrl, version } = settings;
  const mail = {
    from: () => settings.mailFrom ?? { name: basics.venue.club_name, address: basics.venue.support_email },
    replyTo: () => basics.venue.support_email,
    host: new URL(settings.publicUrl).hostname,
    onRefused: (row: Claimed) => reportRefusedEmail(basics, row),
  };
  const { apple, google } = toWallets.wallets;
  const watch = { observe, spans, heardTime, called };
  const billing = composeBilling(settings, basics, { watch, push });
  return {
    ...basics,
    ...toWebhooks,
    ...toWallets,
    emailSamples,
    unsubscribeKey: keyFor(settings.secret, 'unsubscribe/v1'),
    deliveries: createDeliveries(basics, {
      ...(smtpUrl !== null && { email: emailSender({ ...basics, ...mail, smtpUrl }) }),
      push: pushSender(toPush),
      webhook: webhookSender({ ...basics, ...toWebhooks, version }),
      ...((apple || google) && { wallet: walletSender(toWallets) }),
    }),
    push,
    announce,
    readLagging,
    backups,
    billing,
    paymentPages: createPaymentPages(billing),
    firstStart: openFirstStart(basics),
    providers: settings.providers,
    summaries: createSummaryWriter(settings.summary && { ...settings.summary, watch: { observe, spans } }),
    taskRuns: createTaskRuns(now),
    processFacts,
    heartbeat: settings.heartbeatUrl === null ? null : createHeartbeat(settings.heartbeatUrl, basics),
    certificate: createCertificateWatch(settings.publicUrl, basics),
  };
}

export type Composition = Awaited<ReturnType<typeof compose>>;

/** Wires the product, for main.ts and the tests, over an open database. */
export async function compose(
  settings: Settings,
  system: System,
  database: OpenDatabase,
  { streamLifeMs, backups = outsideBackups(null) }: { streamLifeMs?: number; backups?: Backups } = {},
) {
  const basics = await composeBasics(settings, system, database.db);
  const { club, log } = basics;
  const events = await openMemberEvents(database, system.newId(), {
    lifeMs: streamLifeMs,
    clubChanged: () => refreshSoon(club, log),
  });
  const services = composeServices(settings, basics, database, backups, events);
  const auth = createAuth({ ...services, ...settings });
  const readiness = createReadiness(services);
  const gauges: GaugeSources = {
    version: settings.version,
    now: system.now,
    readEmails: () => readEmailBacklog(database.db),
    readBilling: () => readBillingBacklog(database.db),
    connections: database.connections,
    billingQueue: services.billing.queueDepth,
    passwordQueue: () => {
      const { running, waiting } = passwordQueueDepth();
      return { running, waiting: waiting + auth.passwordTurns.waiting() };
    },
    openStreams: events.openStreams,
    taskRuns: services.taskRuns.list,
  };
  return {
    services,
    readiness,
    gauges,
    /** The HTTP app; `web` answers everything outside /api, and `build` identifies that web app. */
    createApp: (
      web?: AppDeps['web'],
      build = '',
      publicPages?: AppDeps['publicPages'],
      startOver?: AppDeps['startOver'],
    ) =>
      createApp({
        ...services,
        ...settings,
        readiness,
        live: events,
        auth,
        web,
        build,
        publicPages,
        startOver,
      }),
    /** Ends the open streams of changes; the database stays open. */
    close: () => events.close(),
  };
}
