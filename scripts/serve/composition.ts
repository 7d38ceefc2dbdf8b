import { readEnv } from '../../src/server/config/env.ts';
import { startServer } from '../../src/server/main.ts';
import type { Installation, StartOptions } from './installation.ts';

/**
 * Starts the product, or the demo when no payment service is configured. The demo is loaded only on demand: a production
 * installation has neither its files nor its packages. Throws what readEnv and startServer throw.
 */
export async function startInstallation(
  source: Record<string, string | undefined>,
  options: StartOptions,
): Promise<Installation> {
  const env = readEnv(source);
  if (!env.STRIPE_SECRET_KEY) {
    const { startDemo } = await import('../demo/demo.ts');
    return startDemo(env, options);
  }
  const server = await startServer(env, options);
  return { server, sandboxUrl: null, mailboxUrl: null, setTls: server.setTls, close: () => server.close() };
}
