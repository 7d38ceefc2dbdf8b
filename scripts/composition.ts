import { join } from 'node:path';
import { startSandbox } from '../sandbox/index.ts';
import { ensurePrivateDir } from '../src/server/config/data-dir.ts';
import { type Env, readEnv } from '../src/server/config/env.ts';
import { generatedSecrets } from '../src/server/config/generated-secrets.ts';
import { type RunningServer, randomSecret, type ServerOptions, startServer } from '../src/server/main.ts';
import { seedDemo } from './demo-seed.ts';

export interface Installation {
  server: RunningServer;
  /** The sandbox's address, null where real services are configured. */
  sandboxUrl: string | null;
  mailboxUrl: string | null;
  close(): Promise<void>;
}

/**
 * Starts the product, and beside it the sandbox when no payment service is configured. The only place that
 * knows both: the product is told addresses and keys, as it would be of the real services.
 */
export async function startInstallation(
  source: Record<string, string | undefined>,
  web: Pick<ServerOptions, 'webReady' | 'apiOnly'>,
): Promise<Installation> {
  const env = readEnv(source);
  if (env.STRIPE_SECRET_KEY) {
    const server = await startServer(env, web);
    return { server, sandboxUrl: null, mailboxUrl: null, close: () => server.close() };
  }
  const dataDir = join(env.DATA_DIR, 'sandbox');
  ensurePrivateDir(env.DATA_DIR);
  ensurePrivateDir(dataDir);
  const { webhook } = generatedSecrets(env.DATA_DIR, randomSecret);
  const sandboxPort = env.SANDBOX_PORT ?? (env.PORT === 0 ? 0 : env.PORT + 1);
  const publicUrl = new URL(env.PUBLIC_URL);
  publicUrl.port = String(sandboxPort);
  const sandbox = await startSandbox({
    port: sandboxPort,
    host: env.HOST,
    ...(sandboxPort === 0 ? {} : { publicUrl: publicUrl.origin }),
    dataDir,
    accountName: env.CLUB_NAME,
    webhook: { url: `http://127.0.0.1:${env.PORT}/api/stripe/webhook`, secret: webhook },
  });
  try {
    const demo: Env = {
      ...env,
      STRIPE_SECRET_KEY: sandbox.stripeSecretKey,
      STRIPE_API_URL: sandbox.url,
      STRIPE_WEBHOOK_SECRET: webhook,
      SMTP_URL: env.SMTP_URL ?? sandbox.smtpUrl,
      SUMMARY_BASE_URL: env.SUMMARY_BASE_URL ?? sandbox.modelUrl,
      SUMMARY_API_KEY: env.SUMMARY_API_KEY ?? 'sandbox',
    };
    const server = await startServer(demo, {
      ...web,
      demo: true,
      sandboxUrl: sandbox.publicUrl,
      // One clock for both, so that moving the sandbox's by a month brings the month's glasses.
      now: () => new Date(sandbox.now()),
    });
    if (env.PORT === 0) sandbox.setWebhook({ url: `${server.url}/api/stripe/webhook`, secret: webhook });
    await seedDemo(server.services);
    return {
      server,
      sandboxUrl: sandbox.url,
      mailboxUrl: sandbox.mailboxUrl,
      close: async () => {
        await server.close();
        await sandbox.close();
      },
    };
  } catch (error) {
    await sandbox.close();
    throw error;
  }
}
