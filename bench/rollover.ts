/**
 * The cost of rollover for a pour: record_pour where no tier lets any roll over, where another tier does, and
 * where the member's own does, on the embedded database and on Postgres, in turn and in one run. Each member comes five
 * times in a round; the first pour of the month records what rolled over into it. Prints markdown:
 *
 *     npm run bench -- rollover [pours in each round] [rounds]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { v7 } from 'uuid';
import { type Db, type OpenDatabase, openEmbedded, openPostgres } from '../src/server/db/client.ts';
import { memberships, tier_rollover } from '../src/server/db/schema.ts';
import { recordPour } from '../src/server/pours/pours.ts';
import { startPostgres } from '../tests/support/harness/postgres-server.ts';
import { barContext, createMembers } from './parts/members.ts';
import { median, short, took } from './parts/timing.ts';

const POURS = Number(process.argv[2] ?? 200);
const ROUNDS = Number(process.argv[3] ?? 7);
const VISITS = 5;
const NOW = new Date('2026-06-15T20:00:00Z');
/** Which tier lets glasses roll over. The members have select. */
const CONTENDERS = { none: null, another: 'elite', own: 'select' };
type Contender = keyof typeof CONTENDERS;

/** Pours per second of members who had a month before this one, and poured nothing in it. */
async function rate(db: Db): Promise<number> {
  const { staff, members } = await createMembers(db, Math.ceil(POURS / VISITS), NOW);
  await db.insert(memberships).values(
    members.map((customer_id) => ({
      id: v7(),
      customer_id,
      tier: 'select',
      start_date: '2026-01-31',
      status: 'active' as const,
      monthly_price_cents: 3900,
    })),
  );
  const ctx = barContext(db, staff, NOW);
  const ms = await took(async () => {
    for (let nth = 0; nth < POURS; nth++) {
      const customer_id = members[nth % members.length] ?? '';
      await recordPour(ctx, { request_id: v7(), customer_id, quantity: 1, location: 'bar' });
    }
  });
  return POURS / (ms / 1000);
}

async function measure(name: string, open: (contender: Contender) => Promise<OpenDatabase>): Promise<void> {
  const names = Object.keys(CONTENDERS) as Contender[];
  const opened = await Promise.all(names.map(async (it) => [it, await open(it)] as const));
  const rates: Record<Contender, number[]> = { none: [], another: [], own: [] };
  for (const [contender, { db }] of opened) {
    const tier_name = CONTENDERS[contender];
    if (tier_name) await db.insert(tier_rollover).values({ tier_name, since: new Date(0), glasses: 3 });
    await rate(db);
  }
  for (let round = 0; round < ROUNDS; round++) {
    // Each goes first in turn, so that a growing or falling load affects all alike.
    for (let nth = 0; nth < opened.length; nth++) {
      const one = opened[(round + nth) % opened.length];
      if (one) rates[one[0]][round] = await rate(one[1].db);
    }
  }
  for (const [, database] of opened) await database.close();
  const perRound = (it: Contender) =>
    median(rates[it].map((value, round) => value / (rates.none[round] ?? 0)));
  const measured = [...names.map((it) => median(rates[it])), perRound('another'), perRound('own')].map(short);
  console.log(`| ${name} | ${measured.join(' | ')} |`);
}

const folder = mkdtempSync(join(tmpdir(), 'cellar-door-bench-'));
const server = await startPostgres();
const first = await openPostgres(server.url);
try {
  for (const contender of Object.keys(CONTENDERS)) {
    await first.db.execute(sql.raw(`create database rollover_${contender}`));
  }
  console.log(
    `Pours per second, one at a time, medians of ${ROUNDS} rounds of ${POURS}; ratios of each round\n`,
  );
  console.log('| database | no tier lets any roll over | another tier does | theirs does | ratio | ratio |');
  console.log('|---|---|---|---|---|---|');
  await measure('embedded', (contender) => openEmbedded(join(folder, contender)));
  await measure('Postgres', (contender) => {
    const url = new URL(server.url);
    url.pathname = `/rollover_${contender}`;
    return openPostgres(url.href);
  });
} finally {
  await first.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
