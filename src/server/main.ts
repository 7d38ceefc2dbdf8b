import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { v7 } from 'uuid';
import { EMBEDDED_MEMBERS, isOutgrown } from '../domain/monitoring/machine-checks.ts';
import { setupCodeText } from '../domain/staff/setup-code.ts';
import { assertNoDemoAccounts } from './auth/demo-accounts.ts';
import { deleteOldEmailChanges } from './auth/email-change.ts';
import { assertSecretKept, recordSecret } from './auth/secret-kept.ts';
import { deleteOldInvitations } from './auth/team/invitations.ts';
import { moveSecrets } from './auth/two-factor/move-secrets.ts';
import { assertCurrency } from './billing/assert-currency.ts';
import { sendReminders } from './billing/notices/reminders.ts';
import { resealStripeSecret } from './billing/setup/webhook-secrets.ts';
import { fetchMissedEvents } from './billing/upkeep/missed-events.ts';
import { sweep } from './billing/upkeep/sweeper.ts';
import { type Composition, compose, type System } from './compose.ts';
import { lockDataDir } from './config/data-dir-lock.ts';
import { type Env, readEnv } from './config/env.ts';
import { generatedSecrets } from './config/generated-secrets.ts';
import { backupFolders, settingsOf, siteOf, stripeSettings, tracingSettings } from './config/settings.ts';
import { type StripeMode, stripeModeOf } from './config/stripe-mode.ts';
import type { Services } from './context.ts';
import { backUpIfDue, ownBackups } from './db/backup/backups.ts';
import { updateBackup } from './db/backup/update-backup.ts';
import { claimStripeMode } from './db/claim-stripe-mode.ts';
import {
  type EmbeddedDatabase,
  type OpenDatabase,
  type OpenOptions,
  openEmbedded,
  openPostgres,
} from './db/client.ts';
import { openReplica, type ReadLagging } from './db/replica.ts';
import { customers } from './db/schema.ts';
import { takeTurn } from './db/task-turn.ts';
import { deleteOldDeliveries } from './deliveries/retention.ts';
import { openAdminSocket } from './http/admin-socket.ts';
import { type Fetch, localUrlOf, openListener, TIMEOUTS, type TlsKeys } from './http/listener.ts';
import { clubSite } from './http/pages/club-site.ts';
import { buildOf, staticFileHandler } from './http/pages/static-files.ts';
import { readPublicPages } from './http/pages/web-build.ts';
import { onPublicHost } from './http/public-host.ts';
import type { StartOver } from './http/start-over.ts';
import { importTasks } from './imports/import-steps.ts';
import { householdTasks } from './membership/household/household-tasks.ts';
import { createInstruments, type Instruments } from './monitoring/instruments.ts';
import { openMetricsListener } from './monitoring/metrics-listener.ts';
import { TASKS } from './monitoring/monitoring-context.ts';
import { findNewerRelease } from './monitoring/update-check.ts';
import { watchSystem } from './monitoring/watch.ts';
import { createLog, type LogSettings, logDestination } from './platform/log.ts';
import { deleteOldCounts } from './platform/rate-limit.ts';
import { startScheduler } from './platform/scheduler.ts';
import { vacuumTask } from './platform/vacuum.ts';
import { pourTasks } from './pours/pour-tasks.ts';
import { isBarQuiet } from './pours/visits.ts';
import { retentionTask } from './privacy/retention-task.ts';
import { CLOSE_DAYS_EVERY_MS, closeDays } from './reports/closed-days.ts';
import { mailingTask } from './reports/mailings/mailing-tasks.ts';
import { deleteOldWebhookEvents } from './webhooks/delivery-log.ts';

export interface ServerOptions {
  demo?: boolean;
  sandboxUrl?: string | null;
  startOver?: StartOver | undefined;
  /** Replaces the machine's clock; the demo uses the sandbox's. */
  now?: () => Date;
  /** Work before the first request is answered, such as the demo's accounts. `url`: as browsers reach the server. */
  prepare?: (services: Services, url: string) => Promise<void>;
  /** Resolves when the web app is built; awaited before the first page is served. */
  webReady?: Promise<unknown>;
  /** What a new embedded database starts from. */
  startsFrom?: OpenOptions['startsFrom'];
  /** HTTPS by the server itself. Absent: HTTP, for this machine alone or behind a proxy. */
  tls?: TlsKeys;
  /** The caller already holds the lock of the data folder. */
  locked?: boolean;
  /** Serves only the API, as in development, where Vite serves the web app. */
  apiOnly?: boolean;
}

export interface RunningServer {
  url: string;
  /** The URL from this computer, past any proxy. */
  localUrl: string;
  services: Services;
  /** Null while payments are off. */
  stripeMode: StripeMode | null;
  /** The page where the first staff account is made, with this start's code; null if the club is already set up. */
  setupUrl: string | null;
  /** Replaces the certificate of `ServerOptions.tls`, for new connections. */
  setTls(keys: TlsKeys): void;
  /** The port for Prometheus; null without METRICS_PORT. */
  metricsPort: number | null;
  /** Finishes running requests, then closes the database and frees the data folder. */
  close(): Promise<void>;
}

const WEB_FOLDER = fileURLToPath(new URL('../../dist/web', import.meta.url));
const SWEEP_EVERY_MS = 60_000;
const FETCH_MISSED_EVERY_MS = 3_600_000;
const REMIND_EVERY_MS = 600_000;
const DELIVER_EVERY_MS = 2_000;
const DELETE_COUNTS_EVERY_MS = 3_600_000;
const WATCH_EVERY_MS = 300_000;
/** How often to check whether the daily backup is due. */
const BACK_UP_EVERY_MS = 60_000;
const CHECK_FOR_UPDATE_EVERY_MS = 3_600_000;
export const random = {
  /** UUIDv7: ascending within a process, even if the clock is set back. */
  newId: () => v7(),
  newSecret: () => randomBytes(32).toString('base64url'),
};

/** The machine's clock and randomness, and the log. */
export const systemOf = (env: LogSettings, now = () => new Date()): System => ({
  now,
  wallClock: () => new Date(),
  newId: random.newId,
  newSecret: random.newSecret,
  log: createLog(env.LOG_LEVEL ?? 'info', logDestination(env, process.stdout)),
});

/**
 * Starts the server. This file alone reads clock, randomness and environment. Throws ConfigurationError (also if the demo's
 * accounts would go live, or the currency changed under members), DataDirInUse, or the database's or the port's own error;
 * nothing stays open then.
 */
export async function startServer(env: Env, options: ServerOptions = {}): Promise<RunningServer> {
  const parts: { close(): unknown }[] = [];
  const close = async () => {
    for (const part of parts.reverse().splice(0)) await part.close();
  };
  try {
    return await open(env, options, parts, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(
  env: Env,
  options: ServerOptions,
  parts: { close(): unknown }[],
  close: () => Promise<void>,
): Promise<RunningServer> {
  const stripe = stripeSettings(env);
  const instruments = await createInstruments({
    metrics: env.METRICS_PORT !== undefined,
    tracing: tracingSettings(env),
  });
  const { observe, spans, statements, tracing } = instruments;
  if (tracing) parts.push(tracing);
  const system = { ...systemOf(env, options.now), observe, spans };
  if (!options.locked) {
    const lock = lockDataDir(env.DATA_DIR);
    parts.push({ close: () => lock.release() });
  }
  const listener = await openListener(env, TIMEOUTS, options.tls);
  parts.push(listener);
  const stripeMode = stripe && stripeModeOf(stripe);
  const { startsFrom } = options;
  const database = await openDatabase(env, {
    stripeMode,
    watch: statements,
    startsFrom,
    log: system.log,
    renewable: options.demo ?? false,
  });
  parts.push(database);
  const members = await database.db.$count(customers);
  if (isOutgrown({ kind: database.kind, members })) {
    const facts = { members, meant_for: EMBEDDED_MEMBERS };
    system.log.warn(
      facts,
      'the club has outgrown the embedded database: cellar-door move-to-postgres moves it',
    );
  }
  if (!options.demo) await assertNoDemoAccounts(database.db);
  await claimStripeMode(database.db, stripeMode, system.now());
  await assertCurrency(database.db, env.CURRENCY);
  await assertSecretKept(database.db, env);
  const secret = env.AUTH_SECRET ?? generatedSecrets(env.DATA_DIR, random.newSecret).auth;
  const readLagging = env.REPLICA_URL ? readsOf(env, system, database, parts) : database.readLagging;

  if (env.AUTH_SECRET_PREVIOUS) {
    const secrets = { current: secret, previous: env.AUTH_SECRET_PREVIOUS };
    await resealStripeSecret(database, secrets, system.newSecret);
    await moveSecrets(database, secrets, system);
  }
  await recordSecret(database.db, secret);

  const backups = ownBackups(env, database, { now: system.wallClock ?? system.now });
  const composition = await compose(
    { ...settingsOf(env), secret, stripe },
    system,
    { ...database, readLagging },
    { backups },
  );
  parts.push(composition);
  const { services, createApp, readiness } = composition;
  const metricsListener = await serveMetrics(env, instruments, composition);
  if (metricsListener) parts.push(metricsListener);
  if (env.NODE_ENV === 'production' && stripeMode === 'test') {
    services.log.warn('Stripe test keys: payments look real to members, but no money is charged');
  }
  if (!stripeMode)
    services.log.info('payments are off, and members pay at the venue: STRIPE_SECRET_KEY turns them on');
  const url = env.PORT === 0 ? `http://localhost:${listener.port}` : env.PUBLIC_URL;
  await options.prepare?.(services, url);
  const code = await services.firstStart.takeCode();
  // The code goes after the #, which keeps it out of proxies' logs.
  const setupUrl = code && `${url}/setup#${setupCodeText(code)}`;
  parts.push(await openAdminSocket(env.DATA_DIR, services, options));
  await options.webReady;
  const build = options.apiOnly ? '' : buildOf(WEB_FOLDER);
  const site = clubSite(siteOf(env, options, build), services.club, env.PUBLIC_URL);
  const web = build ? staticFileHandler(WEB_FOLDER, site, services.club.logo) : undefined;
  const publicPages = build ? { site, ...readPublicPages(WEB_FOLDER) } : undefined;
  const app = createApp(web, build, publicPages, options.startOver);

  const fetch = app.fetch as Fetch;
  listener.open(options.tls ? onPublicHost(fetch, env.PUBLIC_URL) : fetch);
  // These two move to the end, to close before the rest: running requests still find everything they need, and the endless
  // streams do not block the listener.
  for (const part of [listener, composition]) parts.push(...parts.splice(parts.indexOf(part), 1));
  parts.push(
    startScheduler(
      [...tasksOf(services, { ...options, kind: database.kind }), ...updateTask(env, services)],
      services.log,
      services.taskRuns,
    ),
  );
  void services.certificate?.check();
  // Readiness ends first of all.
  parts.push({ close: () => readiness.shutDown() });

  const localUrl = options.tls ? `https://localhost:${listener.port}` : localUrlOf(env.HOST, listener.port);
  const metricsPort = metricsListener?.port ?? null;
  return { url, localUrl, services, stripeMode, setupUrl, metricsPort, setTls: listener.setTls, close };
}

/** Opens the port for Prometheus; null without METRICS_PORT. */
async function serveMetrics(
  { METRICS_PORT, METRICS_HOST }: Env,
  { metrics }: Instruments,
  { gauges, services }: Composition,
) {
  if (!metrics || METRICS_PORT === undefined) return null;
  metrics.watch(gauges);
  const listener = await openMetricsListener({ port: METRICS_PORT, host: METRICS_HOST }, metrics);
  services.log.info({ port: listener.port }, 'metrics can be read');
  return listener;
}

/** Opens the configured database, and migrates it, after a backup. Throws what openPostgres and openEmbedded throw. */
export function openDatabase(env: Env, options: OpenOptions): Promise<OpenDatabase | EmbeddedDatabase> {
  const settings = { ...options, backUp: updateBackup(env, () => new Date()) };
  return env.DATABASE_URL
    ? openPostgres(env.DATABASE_URL, settings)
    : openEmbedded(env.DATA_DIR, {
        ...settings,
        backups: backupFolders(env),
        waitForDisk: env.WAIT_FOR_DISK ?? true,
      });
}

/** Reads that may lag, from the replica at REPLICA_URL. */
function readsOf(
  { REPLICA_URL = '', REPLICA_MAX_LAG_SECONDS: maxLagSeconds }: Env,
  { log }: System,
  { db }: OpenDatabase,
  parts: { close(): unknown }[],
): ReadLagging {
  const moved = (toReplica: boolean) =>
    log[toReplica ? 'info' : 'warn'](`searches read from the ${toReplica ? 'replica' : 'primary'}`);
  const replica = openReplica(db, REPLICA_URL, { maxLagSeconds, moved });
  parts.push(replica);
  return replica.read;
}

/** The task that looks for a newer release; none without UPDATE_URL. */
function updateTask({ UPDATE_URL }: Env, { processFacts }: Services) {
  if (!UPDATE_URL) return [];
  const run = async () => {
    processFacts.newerRelease = await findNewerRelease(UPDATE_URL, processFacts.version);
  };
  return [{ name: 'update check', everyMs: CHECK_FOR_UPDATE_EVERY_MS, run }];
}

/** Servers on one database take turns with tasks that one of them does for all; each delivery is claimed instead. */
function tasksOf(
  { billing, outbox, push, deliveries, backups, ...services }: Services,
  { kind, demo = false }: ServerOptions & Pick<OpenDatabase, 'kind'>,
) {
  const inTurn = (name: string, everyMs: number, run: () => Promise<unknown>) => ({
    name,
    everyMs,
    run,
    isTurn: () => takeTurn(services.db, name, everyMs),
  });
  return [
    inTurn(TASKS.sweep, SWEEP_EVERY_MS, () => sweep(billing)),
    ...(billing.payments === 'on'
      ? [inTurn(TASKS.reminders, REMIND_EVERY_MS, () => sendReminders(billing))]
      : []),
    // The demo's members began before its webhooks.
    ...(billing.payments === 'on' && !demo
      ? [inTurn('missed events', FETCH_MISSED_EVERY_MS, () => fetchMissedEvents(billing))]
      : []),
    { name: TASKS.delivery, everyMs: DELIVER_EVERY_MS, run: () => deliveries.deliver() },
    {
      name: TASKS.watch,
      everyMs: WATCH_EVERY_MS,
      run: () => watchSystem({ ...services, outbox }),
    },
    ...importTasks({ ...services, outbox, billing }),
    mailingTask({ ...services, outbox }),
    ...householdTasks({ ...services, outbox }),
    inTurn('closing days', CLOSE_DAYS_EVERY_MS, () => closeDays(services)),
    ...pourTasks({ ...services, push, outbox }, inTurn),
    {
      name: 'deleting old counts',
      everyMs: DELETE_COUNTS_EVERY_MS,
      run: () =>
        Promise.all([
          deleteOldCounts(services),
          deleteOldDeliveries(services),
          deleteOldEmailChanges(services),
          deleteOldInvitations(services),
          deleteOldWebhookEvents(services),
        ]),
    },
    retentionTask({ ...services, outbox, billing }),
    ...(kind === 'embedded' ? [vacuumTask(services.db, () => isBarQuiet(services))] : []),
    // The demo can be recreated at any time.
    ...(demo
      ? []
      : [
          {
            name: 'daily backup',
            everyMs: BACK_UP_EVERY_MS,
            run: () => backUpIfDue({ ...services, backups }),
          },
        ]),
  ];
}

if (import.meta.main) {
  const server = await startServer(readEnv(process.env));
  const { services, url, setupUrl } = server;
  services.log.info({ url }, 'listening');
  if (setupUrl)
    services.log.warn({ setupUrl }, 'this club has no staff account yet: open this link to create the first');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => server.close().then(() => process.exit(0)));
  }
}
