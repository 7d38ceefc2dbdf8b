/**
 * The cost of naming the request in each statement: pours recorded on Postgres with the comment and without it, in
 * turns and in one run. Prints a markdown table:
 *
 *     npm run bench -- request-comment [pours in each round] [rounds]
 */
import { v7 } from 'uuid';
import { type Db, openPostgres } from '../src/server/db/client.ts';
import { createInstruments } from '../src/server/monitoring/instruments.ts';
import { inRequest } from '../src/server/platform/request-scope.ts';
import { recordPour } from '../src/server/pours/pours.ts';
import { startPostgres } from '../tests/support/harness/postgres-server.ts';
import { barContext, createMembers } from './parts/members.ts';
import { median, short, took } from './parts/timing.ts';

const POURS = Number(process.argv[2] ?? 500);
const ROUNDS = Number(process.argv[3] ?? 9);
const MEMBERS = 2_000;
const NOW = new Date('2026-06-15T20:00:00Z');

/** Milliseconds for each pour, one after the other, each in a request of its own. */
async function round(db: Db): Promise<number> {
  const { staff, members } = await createMembers(db, MEMBERS, NOW);
  const ctx = barContext(db, staff, NOW);
  const ms = await took(async () => {
    for (let i = 0; i < POURS; i++) {
      const customer_id = members[i % MEMBERS] ?? '';
      const input = { request_id: v7(), customer_id, quantity: 1, location: 'bar' } as const;
      const reference = `AAAA-AAAA-${String(1000 + (i % 9000))}`;
      await inRequest({ reference, call: null }, () => recordPour(ctx, input));
    }
  });
  return ms / POURS;
}

const server = await startPostgres();
const { statements } = await createInstruments({ metrics: false, tracing: null });
const plain = await openPostgres(server.url);
const named = await openPostgres(server.url, { watch: statements });
try {
  const [without, withIt, ratios]: [number[], number[], number[]] = [[], [], []];
  await round(plain.db);
  await round(named.db);
  for (let i = 0; i < ROUNDS; i++) {
    // The second one finds a longer ledger, so they take turns.
    const first = i % 2 === 0;
    const a = first ? await round(plain.db) : 0;
    const b = await round(named.db);
    const c = first ? a : await round(plain.db);
    without.push(c);
    withIt.push(b);
    ratios.push(b / c);
  }
  console.log(`Milliseconds for a pour, medians of ${ROUNDS} rounds of ${POURS}\n`);
  console.log('| without the comment | with it | median ratio |');
  console.log('|---|---|---|');
  console.log(`| ${short(median(without))} | ${short(median(withIt))} | ${median(ratios).toFixed(3)} |`);
} finally {
  await plain.close();
  await named.close();
  await server.stop();
}
