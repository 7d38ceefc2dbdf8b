import { once } from 'node:events';
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import type { ReplayProgress } from '../../src/server/billing/replay-events.ts';
import { readEnv } from '../../src/server/config/env.ts';
import { adminSocketPath } from '../../src/server/http/admin-socket.ts';

// Reconciles every customer that a stored Stripe event was about again: after an outage, or a repaired mistake.
const USAGE = `Usage: npm run stripe:replay                       replays all stored events
       npm run stripe:replay -- 2026-11-01         those received since that day (UTC)`;

const [from] = process.argv.slice(2);
const since = from === undefined ? null : new Date(from);
if (process.argv.length > 3 || (since && Number.isNaN(since.getTime()))) {
  console.error(USAGE);
  process.exit(2);
}

const env = readEnv(process.env);
const call = request({
  socketPath: adminSocketPath(env.DATA_DIR),
  method: 'POST',
  path: '/stripe/replay',
  headers: { 'content-type': 'application/json' },
});
call.end(JSON.stringify({ since: since?.toISOString() ?? null }));
try {
  const [answer] = (await once(call, 'response')) as [import('node:http').IncomingMessage];
  let last: ReplayProgress | null = null;
  for await (const line of createInterface({ input: answer })) {
    if (answer.statusCode !== 200) throw new Error(line);
    last = JSON.parse(line) as ReplayProgress;
    if (process.stdout.isTTY) process.stdout.write(`\r${last.done} of ${last.total} customers`);
  }
  // The server closes the connection only after the last customer; a missing line means that it was cut off.
  if (!last || last.done < last.total)
    throw new Error('The server stopped. Run it again: nothing is done twice.');
  if (process.stdout.isTTY) process.stdout.write('\r');
  console.log(`Replayed ${last.events} stored events of ${last.total} customers.`);
  if (last.failures > 0) {
    console.error(
      `${last.failures} could not be brought up to date; the log says why, and the server tries again.`,
    );
    process.exit(1);
  }
} catch (error) {
  const { code, message } = error as NodeJS.ErrnoException;
  const absent = code === 'ENOENT' || code === 'ECONNREFUSED';
  console.error(absent ? `No server is running on ${env.DATA_DIR}. Start it, then replay.` : message);
  process.exit(1);
}
