import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '../src/server/auth/demo-accounts.ts';
import { startInstallation } from './composition.ts';
import type { Installation, StartOptions } from './installation.ts';

function welcome({ server, sandboxUrl, mailboxUrl, lan }: Installation): string {
  const lines = ['', `  Cellar Door is open at ${server.url}`, ''];
  if (server.stripeMode === 'test')
    lines.push('  Payments are in Stripe’s test mode: no real money moves.', '');
  if (sandboxUrl) {
    lines.push(
      '  This is a demo: no account anywhere, no real money.',
      `  Staff    ${DEMO_ACCOUNTS.staff}   password ${DEMO_PASSWORD}`,
      `  Member   ${DEMO_ACCOUNTS.member}  password ${DEMO_PASSWORD}`,
      '  Card     4242 4242 4242 4242, any future date and CVC',
      `  Sandbox  ${sandboxUrl}   Mailbox  ${mailboxUrl}`,
      '',
    );
  }
  if (lan) lines.push(...lan.welcome, '');
  lines.push('  Ctrl-C stops it.', '');
  return lines.join('\n');
}

/**
 * Starts what the environment describes and prints where it is; with `lan`, over HTTPS for the local network. Throws what
 * startInstallation and startOnLan throw.
 */
export async function serve({ lan, ...options }: StartOptions & { lan: boolean }): Promise<Installation> {
  // Loaded only then: it brings what makes certificates.
  const start = lan ? (await import('./lan.ts')).startOnLan : startInstallation;
  const running = await start(process.env, options);
  console.log(welcome(running));
  return running;
}
