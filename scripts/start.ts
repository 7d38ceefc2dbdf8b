import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '../src/server/auth/demo-accounts.ts';
import { ConfigurationError } from '../src/server/config/config-error.ts';
import { DataDirInUse } from '../src/server/config/data-dir-lock.ts';
import { DatabaseTooOldError } from '../src/server/db/migrate.ts';
import { DatabaseUserError } from '../src/server/db/row-security.ts';
import { startInstallation } from './composition.ts';
import type { Installation } from './installation.ts';
import { closeOnShutdown } from './shutdown.ts';
import { ensureWebBuild } from './web-build.ts';

function explain(error: unknown): string {
  const explained = [ConfigurationError, DataDirInUse, DatabaseTooOldError, DatabaseUserError];
  if (explained.some((kind) => error instanceof kind)) return (error as Error).message;
  const { code, port } = error as { code?: string; port?: number };
  if (code === 'EADDRINUSE') {
    return `Port ${port} is taken by another program. Choose another one: PORT=4000 npm start`;
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function welcome({ server, sandboxUrl, mailboxUrl }: Installation): string {
  const lines = ['', `  Cellar Door is open at ${server.url}`, ''];
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

const build = new AbortController();
const webReady = ensureWebBuild(process.env.NODE_ENV === 'production', build.signal);
// The server awaits it later; an earlier failure elsewhere must not leave this one unhandled.
webReady.catch(() => null);

let running: Installation | null = null;
closeOnShutdown(async () => {
  build.abort();
  // A start can be broken off at any point: the next one continues it.
  await running?.close();
});

try {
  running = await startInstallation(process.env, { webReady });
  console.log(welcome(running));
} catch (error) {
  // A build that was stopped on purpose is no failure.
  if (!build.signal.aborted) {
    console.error(`\n${explain(error)}\n`);
    process.exit(1);
  }
}
