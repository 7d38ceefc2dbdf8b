import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import { unknownRemedy, unknownText } from '../../src/server/billing/customers/unknown-text.ts';
import type { ReplayProgress } from '../../src/server/billing/upkeep/replay-events.ts';
import { readEnv } from '../../src/server/config/env.ts';
import { adminSocketPath } from '../../src/server/http/admin-socket.ts';
import { type Command, WrongArguments } from './command.ts';

/** Resolves with the last progress; the server sends one line per step. Throws if the replay stops before the end. */
async function replay(dataDir: string, since: Date | null): Promise<ReplayProgress> {
  const call = request({
    socketPath: adminSocketPath(dataDir),
    method: 'POST',
    path: '/stripe/replay',
    headers: { 'content-type': 'application/json' },
  });
  call.end(JSON.stringify({ since: since?.toISOString() ?? null }));
  const [answer] = (await once(call, 'response')) as [IncomingMessage];
  let last: ReplayProgress | null = null;
  for await (const line of createInterface({ input: answer })) {
    if (answer.statusCode !== 200) throw new Error(line);
    last = JSON.parse(line) as ReplayProgress;
    if (process.stdout.isTTY) process.stdout.write(`\r${last.done} of ${last.total} customers`);
  }
  // The server closes the connection only after its look at the subscriptions; without one it was cut off.
  if (!last?.unknown) throw new Error('The server stopped. Run it again: nothing is done twice.');
  if (process.stdout.isTTY) process.stdout.write('\r');
  return last;
}

export const command: Command = {
  usage: [
    ['', 'replays all stored events'],
    ['2026-11-01', 'those received since that day (UTC)'],
  ],
  async run([from, ...rest]) {
    const since = from === undefined ? null : new Date(from);
    if (rest.length > 0) throw new WrongArguments();
    if (since && Number.isNaN(since.getTime())) throw new WrongArguments(`${from} is not a day.`);
    const { DATA_DIR, PUBLIC_URL } = readEnv(process.env);
    try {
      const { events, total, failures, unknown } = await replay(DATA_DIR, since);
      console.log(`Replayed ${events} stored events of ${total} customers.`);
      for (const subscription of unknown ?? [])
        console.error(
          `No account here for ${unknownText(subscription)}; ${unknownRemedy(subscription, PUBLIC_URL)}`,
        );
      if (failures === 0) return unknown?.length ? 1 : 0;
      console.error(
        `${failures} could not be brought up to date; the log says why, and the server tries again.`,
      );
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      const isAbsent = code === 'ENOENT' || code === 'ECONNREFUSED';
      console.error(isAbsent ? `No server is running on ${DATA_DIR}. Start it, then replay.` : message);
    }
    return 1;
  },
};
