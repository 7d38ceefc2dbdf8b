import { DEMO_ACCOUNTS, DEMO_PASSWORD } from '../src/server/auth/demo-accounts.ts';
import { ConfigurationError } from '../src/server/config/config-error.ts';
import { DataDirInUse } from '../src/server/config/data-dir-lock.ts';
import { DatabaseTooOldError } from '../src/server/db/migrate.ts';
import { DatabaseUserError } from '../src/server/db/row-security.ts';
import { type Installation, startInstallation } from './composition.ts';
import { buildWebWhenNeeded } from './web-build.ts';

const web = buildWebWhenNeeded();
// Awaited by the server; without this an early failure elsewhere would make it an unhandled one.
web.catch(() => null);

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

let stopping = false;
const starting = startInstallation(process.env, { webReady: web });

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, async () => {
    // A second Ctrl-C does not wait.
    if (stopping) process.exit(1);
    stopping = true;
    const running = await starting.catch(() => null);
    await running?.close();
    process.exit(0);
  });
}

try {
  console.log(welcome(await starting));
} catch (error) {
  console.error(`\n${explain(error)}\n`);
  process.exit(1);
}
