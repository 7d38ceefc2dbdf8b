import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '../../sandbox/index.ts';
import { dataFolder } from '../../tests/support/harness/installation.ts';
import { type VenueServer, venueServer } from '../../tests/support/harness/venue-server.ts';
import { ORIGIN } from '../people/client.ts';

export const WEBHOOK_SECRET = 'whsec_of_the_torture';

export interface TortureServer extends VenueServer {
  /** Sets the clock of its process that many milliseconds ahead of the machine's, or behind if negative. */
  setClock(aheadMs: number): void;
}

/** A server that is not started yet, with the sandbox as its payment service, mail server and language model. */
export async function tortureServer(
  sandbox: Sandbox,
  env: Record<string, string> = {},
): Promise<TortureServer> {
  const folder = dataFolder();
  const clock = join(folder.path, 'clock');
  const server = await venueServer(
    {
      PUBLIC_URL: ORIGIN,
      AUTH_SECRET: 'a-secret-for-torture-of-32-characters',
      TRUST_PROXY: 'true',
      VERIFY_EMAIL: 'off',
      STRIPE_SECRET_KEY: sandbox.stripeSecretKey,
      STRIPE_API_URL: sandbox.url,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      SMTP_URL: sandbox.smtpUrl,
      SUMMARY_BASE_URL: sandbox.modelUrl,
      SUMMARY_API_KEY: 'sandbox',
      NODE_OPTIONS: `--import ${new URL('./moved-clock.ts', import.meta.url).href}`,
      CLOCK_FILE: clock,
      ...env,
    },
    folder,
  );
  return {
    ...server,
    setClock(aheadMs) {
      writeFileSync(clock, String(aheadMs));
      server.signal('SIGUSR2');
    },
  };
}
