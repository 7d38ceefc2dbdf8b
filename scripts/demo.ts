import { join } from 'node:path';
import { startSandbox } from '../sandbox/index.ts';
import { ensurePrivateDir } from '../src/server/config/data-dir.ts';
import type { Env } from '../src/server/config/env.ts';
import { generatedSecrets } from '../src/server/config/generated-secrets.ts';
import { randomSecret, startServer } from '../src/server/main.ts';
import { seedDemo } from './demo-seed.ts';
import type { Installation, StartOptions } from './installation.ts';

/**
 * Starts the sandbox, the product beside it, and fills it with the demo's accounts. Only this file knows both: the
 * product gets URLs and keys, as it would of the real services. Throws what startServer throws; nothing stays open then.
 */
export async function startDemo(env: Env, options: StartOptions): Promise<Installation> {
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
      ...options,
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
