import { readEnv } from '../src/server/config/env.ts';
import { startServer } from '../src/server/main.ts';
import type { Installation, WebOptions } from './installation.ts';

/**
 * Starts the product, or the demo when no payment service is configured. The demo is loaded only then: a production
 * installation has neither its files nor its packages. Throws what readEnv and startServer throw.
 */
export async function startInstallation(
  source: Record<string, string | undefined>,
  web: WebOptions,
): Promise<Installation> {
  const env = readEnv(source);
  if (!env.STRIPE_SECRET_KEY) {
    const { startDemo } = await import('./demo.ts');
    return startDemo(env, web);
  }
  const server = await startServer(env, web);
  return { server, sandboxUrl: null, mailboxUrl: null, close: () => server.close() };
}
