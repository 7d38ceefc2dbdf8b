import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '../../sandbox/index.ts';
import { WEBHOOK_EVENTS } from '../../src/server/billing/webhook-events.ts';
import { ensurePrivateDir } from '../../src/server/config/data-dir.ts';
import { lockDataDir } from '../../src/server/config/data-dir-lock.ts';
import type { Env } from '../../src/server/config/env.ts';
import { generatedSecrets } from '../../src/server/config/generated-secrets.ts';
import type { Services } from '../../src/server/context.ts';
import type { TlsKeys } from '../../src/server/http/listener.ts';
import type { StartOver } from '../../src/server/http/start-over.ts';
import { random, startServer } from '../../src/server/main.ts';
import { explain } from '../serve/explain.ts';
import type { Installation, StartOptions } from '../serve/installation.ts';
import { writeCardMembers } from './card-members.ts';
import { hashDemoPassword, seedDemo } from './demo-seed.ts';
import { writeHistory } from './write-history.ts';

/**
 * Starts the sandbox with its mailbox and the product beside it, and fills the demo's accounts before the port answers.
 * Only this file knows both: the product gets URLs and keys as for real services. With the embedded database and a fixed port it
 * can start over. Throws what startServer throws; nothing stays open then.
 */
export async function startDemo(env: Env, options: StartOptions): Promise<Installation> {
  // Locks first, because the sandbox writes to the data folder too.
  const lock = lockDataDir(env.DATA_DIR);
  try {
    let { tls } = options;
    let run = 0;
    let start: Promise<void> | undefined;
    const startOver = async () => {
      await demo.close();
      deleteDemo(env);
      run += 1;
      demo = await open();
    };
    const ask = () => {
      start ??= startOver()
        .catch((error) => {
          console.error(`\n${explain(error)}\n`);
          process.exit(1);
        })
        .finally(() => {
          start = undefined;
        });
    };
    const canStartOver = env.PORT !== 0 && !env.DATABASE_URL;
    const open = () =>
      openDemo(env, { ...options, ...(tls && { tls }) }, canStartOver ? { run, ask } : undefined);
    let demo = await open();
    return {
      get server() {
        return demo.server;
      },
      sandboxUrl: demo.sandboxUrl,
      mailboxUrl: demo.mailboxUrl,
      setTls(keys) {
        tls = keys;
        demo.setTls(keys);
      },
      async close() {
        await start;
        await demo.close().finally(() => lock.release());
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Deletes the demo's data. No club's can be here: a start refuses a database of another mode (claimStripeMode). */
function deleteDemo({ DATA_DIR }: Env): void {
  for (const name of ['db', 'sandbox']) rmSync(join(DATA_DIR, name), { recursive: true, force: true });
}

async function openDemo(
  env: Env,
  options: StartOptions,
  startOver: StartOver | undefined,
): Promise<Installation> {
  const dataDir = join(env.DATA_DIR, 'sandbox');
  ensurePrivateDir(dataDir);
  // Hashed while the database opens. An existing database most likely has the demo's accounts.
  const passwordHash = existsSync(join(env.DATA_DIR, 'db')) ? undefined : hashDemoPassword();
  // The seed awaits the hash later; an earlier failure elsewhere must not leave this promise unhandled.
  passwordHash?.catch(() => undefined);
  const { webhook } = generatedSecrets(env.DATA_DIR, random.newSecret);
  const endpoint = (origin: string) => ({
    url: `${origin}/api/stripe/webhook`,
    secret: webhook,
    events: WEBHOOK_EVENTS,
  });
  const sandboxPort = env.SANDBOX_PORT ?? (env.PORT === 0 ? 0 : env.PORT + 1);
  const loopback = endpoint(`${options.tls ? 'https://localhost' : 'http://127.0.0.1'}:${env.PORT}`);
  let behindMs = 0;
  const sandbox = await startSandbox({
    now: () => Date.now() - behindMs,
    port: sandboxPort,
    ...(options.tls ? lanPages(env, options.tls) : hostAndUrl(env, sandboxPort)),
    dataDir,
    accountName: env.CLUB_NAME,
    webhook: loopback,
  });
  try {
    const demo: Env = {
      ...env,
      // The demo's emails and payments have their own pages; the terminal keeps what a newcomer has to read.
      LOG_LEVEL: env.LOG_LEVEL ?? 'warn',
      // The demo can be recreated, and starts faster without waiting.
      WAIT_FOR_DISK: env.WAIT_FOR_DISK ?? false,
      STRIPE_SECRET_KEY: sandbox.stripeSecretKey,
      STRIPE_API_URL: sandbox.url,
      STRIPE_WEBHOOK_SECRET: webhook,
      SMTP_URL: env.SMTP_URL ?? sandbox.smtpUrl,
      SUMMARY_BASE_URL: env.SUMMARY_BASE_URL ?? sandbox.modelUrl,
      SUMMARY_API_KEY: env.SUMMARY_API_KEY ?? 'sandbox',
    };
    const server = await startServer(demo, {
      ...options,
      demo: true,
      startOver,
      locked: true,
      // The sandbox's home page, with its controls, stays on this machine.
      sandboxUrl: options.tls ? null : sandbox.publicUrl,
      // One clock for both, so that moving the sandbox's by a month brings new glasses.
      now: () => new Date(sandbox.now()),
      async prepare(services, url) {
        const receiver = env.PORT === 0 ? endpoint(url) : loopback;
        sandbox.setWebhook(receiver);
        const { stripeSecretKey: secretKey, url: apiUrl } = sandbox;
        const setBack = (to: Date | null) => {
          behindMs = 0;
          if (to) behindMs = sandbox.now() - to.getTime();
          // A message from the past would be refused for its signature.
          sandbox.setWebhook(to ? null : receiver);
        };
        await seedDemo(services, { secretKey, apiUrl, setBack }, passwordHash);
      },
    });
    // Filling the club takes seconds, during which the database answers nobody else. It is done before anyone has signed
    // in.
    const fill = () => (env.DEMO_SIZE === 'club' ? fillClub(server.services, sandbox) : undefined);
    const history = Promise.resolve(options.opened).then(fill, () => undefined);
    return {
      server,
      sandboxUrl: sandbox.url,
      mailboxUrl: sandbox.mailboxUrl,
      setTls: (keys) => {
        server.setTls(keys);
        sandbox.setTls(keys);
      },
      close: async () => {
        await history;
        await server.close();
        await sandbox.close();
      },
    };
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}

/** Writes the club's past. If that fails, the demo is smaller but complete, and the next start tries again. */
async function fillClub(
  services: Services,
  { stripeSecretKey: secretKey, url: apiUrl }: Sandbox,
): Promise<void> {
  try {
    await writeHistory(services);
    await writeCardMembers(services, { secretKey, apiUrl });
  } catch (error) {
    services.log.error({ err: error }, 'the demo has no history');
  }
}

function hostAndUrl({ SANDBOX_HOST, PUBLIC_URL }: Env, port: number) {
  const publicUrl = new URL(PUBLIC_URL);
  publicUrl.port = String(port);
  return { host: SANDBOX_HOST, ...(port === 0 ? {} : { publicUrl: publicUrl.origin }) };
}

/** With --lan, phones reach the payment pages over HTTPS, but nothing else of the sandbox. */
function lanPages({ HOST, PORT, PUBLIC_URL, LAN_SANDBOX_PORT }: Env, tls: TlsKeys) {
  const port = LAN_SANDBOX_PORT ?? PORT + 3;
  const publicUrl = new URL(PUBLIC_URL);
  publicUrl.port = String(port);
  return { host: '127.0.0.1', payerPages: { port, host: HOST, publicUrl: publicUrl.origin, tls } };
}
