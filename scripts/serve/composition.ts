import { readEnv } from '../../src/server/config/env.ts';
import { startServer } from '../../src/server/main.ts';
import { type Installation, isDemo, type StartOptions } from './installation.ts';

/**
 * Starts the product, or the demo, by its kind. The demo is loaded only on demand, because a club needs none of it. Throws
 * what readEnv and startServer throw.
 */
export async function startInstallation(
  source: Record<string, string | undefined>,
  { kind, ...options }: StartOptions,
): Promise<Installation> {
  const env = readEnv(source);
  if (isDemo(kind, env)) {
    const { startDemo } = await import('../demo/demo.ts');
    return startDemo(env, options);
  }
  const server = await startServer(env, options);
  return { server, sandboxUrl: null, mailboxUrl: null, setTls: server.setTls, close: () => server.close() };
}
