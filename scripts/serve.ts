import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '../src/server/auth/demo-accounts.ts';
import { startInstallation } from './composition.ts';
import type { Installation, StartOptions } from './installation.ts';

function welcome({ server, sandboxUrl, mailboxUrl }: Installation): string {
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
  lines.push('  Ctrl-C stops it.', '');
  return lines.join('\n');
}

/** Starts what the environment describes and prints where it is. Throws what startInstallation throws. */
export async function serve(options: StartOptions): Promise<Installation> {
  const running = await startInstallation(process.env, options);
  console.log(welcome(running));
  return running;
}
