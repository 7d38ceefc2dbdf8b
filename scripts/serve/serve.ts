import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '../../src/server/auth/demo-accounts.ts';
import { assertKnownNames } from '../../src/server/config/variable-names.ts';
import { startInstallation } from './composition.ts';
import { envFile } from './env-file.ts';
import type { Installation, StartOptions } from './installation.ts';

function welcome({ server, sandboxUrl, mailboxUrl, lan }: Installation): string {
  const lines = ['', `  Cellar Door is open at ${server.url}`, ''];
  if (server.stripeMode === 'test')
    lines.push('  Payments are in Stripe’s test mode: no real money moves.', '');
  if (!server.stripeMode)
    lines.push('  Payments are off, and members pay at the venue: STRIPE_SECRET_KEY turns them on.', '');
  if (server.setupUrl) {
    lines.push(
      '  There is no staff account yet. Set up the club and create the first account at:',
      `  ${server.setupUrl}`,
      '  The link works until the next start.',
      '',
    );
  }
  if (sandboxUrl) {
    lines.push(
      '  This is a demo: no outside services, no real money.',
      `  Owner      ${DEMO_ACCOUNTS.staff}`,
      `  Bartender  ${DEMO_ACCOUNTS.bartender}`,
      `  Member     ${DEMO_ACCOUNTS.member}`,
      `  Password   ${DEMO_PASSWORD}, for all three`,
      '  Card       4242 4242 4242 4242, any future date and CVC',
      `  Sandbox    ${sandboxUrl}   Mailbox  ${mailboxUrl}`,
      '',
    );
    if (isForThisComputerOnly(sandboxUrl) && !isForThisComputerOnly(server.url)) {
      lines.push(
        '  Payment pages and mailbox open on this computer only. SANDBOX_HOST=0.0.0.0 opens them to',
        '  anyone who can reach it, without a password.',
        '',
      );
    }
  }
  if (lan) lines.push(...lan.welcome, '');
  lines.push('  Press Ctrl-C to stop.', '');
  return lines.join('\n');
}

const isForThisComputerOnly = (url: string) =>
  ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);

/** Opens the page once, like a browser, so that no broken page is announced. Throws if it does not work. */
async function tryPage({ localUrl }: Installation['server']): Promise<void> {
  for (const path of ['/', '/api/session']) {
    const status = await statusOf(localUrl + path);
    // With --lan the page redirects to the name in the certificate.
    if (status >= 400) throw new Error(`The server started, but ${path} answers with status ${status}`);
  }
}

/** Avoids fetch, whose first call takes longer. */
async function statusOf(url: string): Promise<number> {
  const { get } = await import(url.startsWith('https:') ? 'node:https' : 'node:http');
  const [response] = (await once(get(url), 'response')) as [IncomingMessage];
  for await (const _ of response);
  return response.statusCode ?? 0;
}

/**
 * Starts the installation that the environment describes and, once its page works, prints its URL; with `lan`, over HTTPS
 * for the local network. Throws what startInstallation and startOnLan throw; nothing stays open then.
 */
export async function serve(
  env: NodeJS.Dict<string>,
  { lan, ...options }: StartOptions & { lan: boolean },
): Promise<Installation> {
  assertKnownNames(Object.keys(envFile()), process.env.OIDC_PROVIDERS);
  // Loaded only with --lan: it includes the certificate library.
  const start = lan ? (await import('./lan.ts')).startOnLan : startInstallation;
  const opening = Promise.withResolvers<void>();
  opening.promise.catch(() => undefined);
  const installation = await start(env, { ...options, opened: opening.promise });
  try {
    await tryPage(installation.server);
  } catch (error) {
    opening.reject(error);
    await installation.close();
    throw error;
  }
  console.log(welcome(installation));
  opening.resolve();
  return installation;
}
