import { randomBytes } from 'node:crypto';
import type { Agent } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { type HttpBindings, serve } from '@hono/node-server';
import { v7 } from 'uuid';
import type { Fetch } from '../../../sandbox/in-process.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/index.ts';
import { accountConsent } from '../../../src/domain/consent.ts';
import type { ReminderSettings } from '../../../src/domain/reminders.ts';
import { addStaff } from '../../../src/server/auth/staff-accounts.ts';
import { WEBHOOK_EVENTS } from '../../../src/server/billing/webhook-events.ts';
import { compose, type Settings } from '../../../src/server/compose.ts';
import type { CaptchaConfig } from '../../../src/server/config/captcha-config.ts';
import type { VerifyEmailMode } from '../../../src/server/config/env.ts';
import type { OidcProvider } from '../../../src/server/config/oidc-providers.ts';
import type { PricingConfig } from '../../../src/server/config/pricing-config.ts';
import type { SecurityContact } from '../../../src/server/config/security-contact.ts';
import type { WalletConfig } from '../../../src/server/config/wallet-config.ts';
import type { Services } from '../../../src/server/context.ts';
import type { Backups } from '../../../src/server/db/backup/backups.ts';
import { type OpenDatabase, openPostgres } from '../../../src/server/db/client.ts';
import type { PoolLimits } from '../../../src/server/db/pool.ts';
import type { StatementWatch } from '../../../src/server/db/statement-watch.ts';
import type { AppDeps } from '../../../src/server/http/app.ts';
import type { GaugeSources } from '../../../src/server/monitoring/gauges.ts';
import type { Readiness } from '../../../src/server/monitoring/readiness.ts';
import { createLog } from '../../../src/server/platform/log.ts';
import type { Observe, Spans } from '../../../src/server/platform/observe.ts';
import type { SummaryModel } from '../../../src/server/summary/model.ts';
import type { WebhookNetwork } from '../../../src/server/webhooks/webhook-network.ts';
import { Caller } from './caller.ts';
import { type TestClock, testClock } from './clock.ts';
import { createTestDatabase } from './database.ts';
import { type Handle, inProcess } from './in-process.ts';
import { sandboxClient } from './sandbox-client.ts';

export const TEST_SECRET = 'a-secret-for-tests-of-32-characters!';

/** The lowest cost of Argon2id: thousands of passwords are hashed in a run. */
const PASSWORD_HASH = { memoryCost: 8, timeCost: 1, parallelism: 1 };

export const WEBHOOK_SECRET = 'whsec_for_tests';
export const PASSWORD = 'correct horse';

/** The venue's time zone by default, so far from UTC that a day of UTC in place of the venue's is noticed. */
export const VENUE_ZONE = 'America/Los_Angeles';

/** When a test begins by default: six in the evening of June 15 at the venue, when UTC already has June 16. */
export const EVENING = '2026-06-16T01:00:00Z';

export interface TestAppOptions {
  /** The URL of a Postgres server, instead of the embedded database. */
  databaseUrl?: string;
  poolLimits?: PoolLimits;
  /** An open database; the app closes it. */
  database?: OpenDatabase;
  /** Begins in the EVENING by default. */
  clock?: TestClock;
  limitAttempts?: boolean;
  /** VENUE_ZONE by default. */
  timeZone?: string;
  minimumAge?: number;
  termsUrl?: string | null;
  /** None by default. */
  reminders?: ReminderSettings;
  publicUrl?: string;
  pricing?: PricingConfig;
  trustProxy?: boolean;
  /** On by default, with the sandbox. */
  payments?: 'on' | 'off';
  /** None by default. */
  heartbeatUrl?: string;
  captcha?: CaptchaConfig;
  securityContact?: SecurityContact;
  providers?: OidcProvider[];
  /** None by default. */
  wallets?: WalletConfig;
  staffNeedTwoFactor?: boolean;
  /** Off by default, so that a test receives only the emails it needs. */
  verifyEmail?: VerifyEmailMode;
  /** Another app's sandbox, for a second server of the same venue. The other app closes it. */
  sandbox?: Sandbox;
  /** Overrides of the sandbox's language model; null for no model. */
  summary?: Partial<SummaryModel> | null;
  /** The agent for requests to browsers' push services. */
  pushAgent?: Agent;
  /** The network for requests to the venue's other systems. */
  webhookNetwork?: WebhookNetwork;
  /** Handles requests outside /api, which are otherwise unanswered. */
  web?: AppDeps['web'];
  /** Draws the public pages, which otherwise do not exist. */
  publicPages?: AppDeps['publicPages'];
  /** The build id of `web`. */
  build?: string;
  /** The lifetime of a stream of changes, in milliseconds. */
  streamLifeMs?: number;
  /** None by default, as with a Postgres server. */
  backups?: Backups;
  /** Receives the app's observations; nothing by default. */
  instruments?: { observe?: Observe; spans?: Spans; statements?: StatementWatch };
}

export interface TestApp {
  url: string;
  services: Services;
  /** The app's database, for another app on it. */
  database: OpenDatabase;
  clock: TestClock;
  sandbox: Sandbox;
  /** Lines that the server logged, as JSON text. */
  logged: string[];
  /** 'METHOD /path' of every mounted route, wildcards included. */
  mounted: string[];
  readiness: Readiness;
  gauges: GaugeSources;
  /** Like `fetch` of the app's URL, but without a socket and without following redirects. */
  send(path: string, init: RequestInit): Promise<Response>;
  visitor(): Caller;
  /** A new, signed-in account with the role customer. */
  customer(overrides?: Partial<Person>): Promise<Caller>;
  /** A new, signed-in account with the role staff. */
  staff(): Promise<Caller>;
  close(): Promise<void>;
}

interface Person {
  first_name: string;
  last_name: string;
  email: string;
  phone: string;
}

let people = 0;

/** The product as composed by main.ts, on a separate database, with the sandbox for third parties. */
export async function createTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const clock = options.clock ?? testClock(EVENING);
  const database: OpenDatabase = options.databaseUrl
    ? await openPostgres(options.databaseUrl, {
        limits: options.poolLimits,
        watch: options.instruments?.statements,
      })
    : (options.database ?? (await createTestDatabase(options.instruments?.statements)));
  // Against a Postgres server, calls race and connections break, so they use HTTP as in production.
  const overHttp = options.databaseUrl !== undefined;
  // Delivers to the app without a socket, once its URL is known.
  let deliver: Fetch = fetch;
  const sandbox =
    options.sandbox ??
    (await startSandbox({
      port: 0,
      now: () => clock.now().getTime(),
      retryDelaysMs: [10, 10, 10],
      ...(!overHttp && { send: (to, init) => deliver(to, init) }),
    }));
  const logged: string[] = [];
  const log = createLog('trace', { write: (line: string) => void logged.push(line) });
  // The app needs its own URL, and the port is known only once the server listens.
  let handle: Handle = () => new Response(null, { status: 503 });
  const server = serve({
    fetch: (request, env) => handle(request, env as HttpBindings),
    hostname: '127.0.0.1',
    port: 0,
  });
  await new Promise((listening) => server.once('listening', listening));
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  const send = inProcess(url, (request, env) => handle(request, env));
  deliver = (to, init = {}) => (to.startsWith(url) ? send(to.slice(url.length), init) : fetch(to, init));
  const publicUrl = options.publicUrl ?? url;
  sandbox.setWebhook({ url: `${url}/api/stripe/webhook`, secret: WEBHOOK_SECRET, events: WEBHOOK_EVENTS });

  const system = {
    now: clock.now,
    newId: () => v7(),
    newSecret: () => randomBytes(32).toString('base64url'),
    log,
    observe: options.instruments?.observe,
    spans: options.instruments?.spans,
  };
  const settings: Settings = {
    publicUrl,
    clubName: 'Test Cellar',
    supportEmail: 'help@venue.test',
    minimumAge: options.minimumAge ?? 21,
    termsUrl: options.termsUrl === undefined ? 'https://venue.test/terms' : options.termsUrl,
    pauseMonths: 3,
    reminders: options.reminders ?? { renewalDays: 0, annual: false },
    timeZone: options.timeZone ?? VENUE_ZONE,
    pricing: options.pricing ?? { currency: 'usd', taxBehavior: 'unspecified', paymentMethods: 'card' },
    smtpUrl: sandbox.smtpUrl,
    mailFrom: '"Test Cellar" <help@venue.test>',
    secret: TEST_SECRET,
    stripe:
      options.payments === 'off'
        ? null
        : {
            secretKey: sandbox.stripeSecretKey,
            apiUrl: sandbox.url,
            maxNetworkRetries: 0,
            ...(!overHttp && !options.sandbox && { httpClient: sandboxClient(sandbox) }),
            webhookSecrets: [WEBHOOK_SECRET],
          },
    summary:
      options.summary === null
        ? null
        : { baseUrl: sandbox.modelUrl, apiKey: 'for-tests', model: 'sandbox', ...options.summary },
    captcha: options.captcha ?? null,
    securityContact: options.securityContact ?? null,
    providers: options.providers ?? [],
    walletConfig: options.wallets ?? { apple: null, google: null },
    verifyEmail: options.verifyEmail ?? 'off',
    staffNeedTwoFactor: options.staffNeedTwoFactor ?? false,
    trustProxy: options.trustProxy ?? false,
    version: '0.0.0-test',
    heartbeatUrl: options.heartbeatUrl ?? null,
    dataDir: tmpdir(),
    limitAttempts: options.limitAttempts ?? false,
    passwordHash: PASSWORD_HASH,
    ...(options.pushAgent && { pushAgent: options.pushAgent }),
    webhookPrivateNetworks: [],
    ...(options.webhookNetwork && { webhookNetwork: options.webhookNetwork }),
  };
  const { streamLifeMs, backups } = options;
  const composed = await compose(settings, system, database, { streamLifeMs, backups });
  const { services, readiness, gauges } = composed;
  const app = composed.createApp(options.web, options.build, options.publicPages);
  handle = app.fetch as Handle;

  const visitor = () => new Caller(url, publicUrl, overHttp ? undefined : send);
  return {
    url,
    services,
    database,
    clock,
    sandbox,
    logged,
    mounted: app.routes.map(({ method, path }) => `${method} ${path}`),
    readiness,
    gauges,
    send,
    visitor,
    async customer(overrides = {}) {
      people += 1;
      const person: Person = {
        first_name: 'Ada',
        last_name: `Guest${people}`,
        email: `guest${people}@example.test`,
        phone: '+43 1 234567',
        ...overrides,
      };
      const caller = visitor();
      // Like the sign-up page, sends the version of the consent text beside its button.
      const consent_version = accountConsent(services.venue)?.version;
      await caller.must('POST', '/api/auth/sign-up', { ...person, password: PASSWORD, consent_version });
      await caller.remember();
      return caller;
    },
    async staff() {
      people += 1;
      const email = `staff${people}@example.test`;
      await addStaff(services, email, PASSWORD, PASSWORD_HASH);
      const caller = visitor();
      await caller.must('POST', '/api/auth/sign-in', { email, password: PASSWORD });
      await caller.remember();
      return caller;
    },
    async close() {
      await composed.close();
      await new Promise((closed) => {
        server.close(closed);
        if ('closeAllConnections' in server) server.closeAllConnections();
      });
      if (!options.sandbox) await sandbox.close();
      await database.close();
    },
  };
}
