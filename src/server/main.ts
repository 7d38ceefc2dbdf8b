import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { v7 } from 'uuid';
import { createAuth } from './auth/better-auth.ts';
import { refuseDemoAccounts } from './auth/demo-accounts.ts';
import { createBilling } from './billing/index.ts';
import { billingMailer } from './billing/notices/mail.ts';
import { createStripe } from './billing/stripe-client.ts';
import { cardKeyFrom } from './card/card-token.ts';
import { lockDataDir } from './config/data-dir-lock.ts';
import { ConfigurationError, type Env, readEnv } from './config/env.ts';
import { generatedSecrets } from './config/generated-secrets.ts';
import type { Services } from './context.ts';
import { openEmbedded, openPostgres } from './db/client.ts';
import { openAdminSocket } from './http/admin-socket.ts';
import { createApp } from './http/app.ts';
import { type Fetch, openListener } from './http/listener.ts';
import { type Site, staticFileHandler } from './http/static-files.ts';
import type { Venue } from './mail/email.ts';
import { createOutbox } from './mail/outbox.ts';
import { createLog } from './platform/log.ts';
import { openMemberEvents } from './realtime/member-events.ts';
import { createSummaryWriter } from './summary/model.ts';

export interface ServerOptions {
  /** The venue tries the product out: a banner says so. */
  demo?: boolean;
  /** Where the sandbox's pages are, for the banner's link. */
  sandboxUrl?: string | null;
  /** Another clock than the machine's; the demo's follows the sandbox. */
  now?: () => Date;
  /** Resolves when the web app is built; awaited before the first page can be asked for. */
  webReady?: Promise<unknown>;
  /** Leaves the web app to somebody else, as development does. */
  apiOnly?: boolean;
}

export interface RunningServer {
  url: string;
  services: Services;
  /** Finishes requests under way, then closes the database and frees the data folder. */
  close(): Promise<void>;
}

const WEB_FOLDER = fileURLToPath(new URL('../../dist/web', import.meta.url));
const SWEEP_EVERY_MS = 60_000;
const DELIVER_EVERY_MS = 2_000;

export const randomSecret = () => randomBytes(32).toString('base64url');

/**
 * Composes and starts everything; the only place that reads the clock and randomness.
 * Throws ConfigurationError (also where the demo's accounts would go live), FolderInUse, or the database's or the
 * port's own error; nothing stays open then.
 */
export async function startServer(env: Env, options: ServerOptions = {}): Promise<RunningServer> {
  const opened: { close(): unknown }[] = [];
  const closeAll = async () => {
    for (const part of opened.reverse().splice(0)) await part.close();
  };
  try {
    return await compose(env, options, opened, closeAll);
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function compose(
  env: Env,
  options: ServerOptions,
  opened: { close(): unknown }[],
  closeAll: () => Promise<void>,
): Promise<RunningServer> {
  const { STRIPE_SECRET_KEY, STRIPE_API_URL, STRIPE_WEBHOOK_SECRET } = env;
  if (!STRIPE_SECRET_KEY || !STRIPE_WEBHOOK_SECRET) {
    throw new ConfigurationError(['STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET are needed to take payments']);
  }
  const log = createLog(env.LOG_LEVEL);
  const now = options.now ?? (() => new Date());
  const newId = () => v7();

  const lock = lockDataDir(env.DATA_DIR);
  opened.push({ close: () => lock.release() });
  const door = await openListener(env);
  opened.push(door);
  const secret = env.AUTH_SECRET ?? generatedSecrets(env.DATA_DIR, randomSecret).auth;
  const database = env.DATABASE_URL ? await openPostgres(env.DATABASE_URL) : await openEmbedded(env.DATA_DIR);
  opened.push(database);
  const { db } = database;
  if (!options.demo) await refuseDemoAccounts(db);

  const venue = venueOf(env);
  const outbox = createOutbox({
    db,
    now,
    newId,
    log,
    smtpUrl: env.SMTP_URL ?? null,
    from: env.MAIL_FROM ?? `"${env.CLUB_NAME.replaceAll('"', '')}" <${env.SUPPORT_EMAIL}>`,
  });
  const billing = createBilling({
    db,
    stripe: createStripe({ secretKey: STRIPE_SECRET_KEY, apiUrl: STRIPE_API_URL }),
    webhookSecrets: STRIPE_WEBHOOK_SECRET.split(',').map((it) => it.trim()),
    publicUrl: env.PUBLIC_URL,
    currency: 'usd',
    now,
    newId,
    timeZone: env.VENUE_TIME_ZONE,
    log,
    wallClock: () => new Date(),
    post: billingMailer({ outbox, venue }),
  });
  const services: Services = {
    db,
    now,
    newId,
    newSecret: randomSecret,
    timeZone: env.VENUE_TIME_ZONE,
    cardKey: cardKeyFrom(secret),
    billing,
    outbox,
    venue,
    providers: env.providers,
    summaries: createSummaryWriter(
      env.SUMMARY_BASE_URL
        ? { baseUrl: env.SUMMARY_BASE_URL, apiKey: env.SUMMARY_API_KEY, model: env.SUMMARY_MODEL }
        : null,
    ),
    log,
  };
  opened.push(await openAdminSocket(env.DATA_DIR, services));
  const live = await openMemberEvents(database);
  opened.push(live);
  await options.webReady;
  const app = createApp({
    ...services,
    live,
    auth: createAuth({
      ...services,
      secret,
      publicUrl: env.PUBLIC_URL,
      captcha: env.captcha,
      providers: env.providers,
      verifyEmail: env.VERIFY_EMAIL,
      limitAttempts: true,
    }),
    publicUrl: env.PUBLIC_URL,
    captcha: env.captcha,
    staffNeedTwoFactor: env.STAFF_REQUIRE_TWO_FACTOR,
    trustProxy: env.TRUST_PROXY,
    web: options.apiOnly ? undefined : staticFileHandler(WEB_FOLDER, siteOf(env, options)),
  });

  door.open(app.fetch as Fetch);
  // Moved to the end, which is closed first: requests under way still find everything they need, and the
  // streams, which would never end by themselves, do not hold up the door.
  for (const part of [door, live]) opened.push(...opened.splice(opened.indexOf(part), 1));
  const sweeper = setInterval(() => {
    billing.sweep().catch((error: unknown) => log.error({ err: error }, 'sweep failed'));
  }, SWEEP_EVERY_MS);
  opened.push({ close: () => clearInterval(sweeper) });
  const postman = setInterval(() => {
    outbox.deliver().catch((error: unknown) => log.error({ err: error }, 'mail delivery failed'));
  }, DELIVER_EVERY_MS);
  opened.push({ close: () => clearInterval(postman) });

  const url = env.PORT === 0 ? `http://localhost:${door.port}` : env.PUBLIC_URL;
  return { url, services, close: closeAll };
}

/** Who the mails are from, and what they link to. */
export const venueOf = (env: Env): Venue => ({
  club_name: env.CLUB_NAME,
  support_email: env.SUPPORT_EMAIL,
  public_url: env.PUBLIC_URL,
  time_zone: env.VENUE_TIME_ZONE,
});

/** What the page is told of the installation. */
export function siteOf(env: Env, { demo = false, sandboxUrl = null }: ServerOptions): Site {
  return {
    club_name: env.CLUB_NAME,
    support_email: env.SUPPORT_EMAIL,
    demo,
    sandbox_url: sandboxUrl,
    verify_email: env.VERIFY_EMAIL,
    captcha: env.captcha && { provider: env.captcha.provider, site_key: env.captcha.siteKey },
    providers: env.providers.map(({ id, label }) => ({ id, label })),
  };
}

if (import.meta.main) {
  const running = await startServer(readEnv(process.env));
  running.services.log.info({ url: running.url }, 'listening');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => running.close().then(() => process.exit(0)));
  }
}
