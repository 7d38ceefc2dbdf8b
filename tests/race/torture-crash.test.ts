import { expect, it, vi } from 'vitest';
import { startSandbox } from '../../sandbox/index.ts';
import { claimStripeMode } from '../../src/server/db/claim-stripe-mode.ts';
import { openPostgres } from '../../src/server/db/client.ts';
import { ORIGIN } from '../../torture/people/client.ts';
import { seedVenue } from '../../torture/people/venue.ts';
import { onEmbedded, strikeOften, type Target } from '../../torture/scenarios/crash.ts';
import { openQuery, startCluster } from '../../torture/servers/cluster.ts';
import { createTestApp } from '../support/harness/app.ts';
import { testClock } from '../support/harness/clock.ts';

const OPTIONS = { seconds: 60, seed: 1 };

/** Kills the target while eight bartenders record pours; returns the broken promises. */
async function strike(target: Target, rounds: number): Promise<string[]> {
  try {
    const { facts, violations } = await strikeOften(target, { ...OPTIONS, rounds }, () => undefined);
    expect(facts[0]).toMatch(new RegExp(`: ${rounds} kills, [1-9]\\d* pours acknowledged`));
    return violations;
  } finally {
    await target.close();
  }
}

it('a server that is killed as it records loses and doubles nothing of its embedded database', {
  timeout: 120_000,
}, async () => {
  const sandbox = await startSandbox({ port: 0 });
  expect(await strike(await onEmbedded(sandbox), 1)).toEqual([]);
  await sandbox.close();
});

it('a Postgres that is killed under a server loses and doubles nothing', { timeout: 120_000 }, async () => {
  // The auth library and the pool report errors here.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const cluster = await startCluster();
  const clock = testClock(new Date());
  const database = await openPostgres(cluster.url, { stripeMode: 'demo' });
  await claimStripeMode(database.db, 'demo', clock.now());
  const seeded = await seedVenue(database.db, { thirsty: 60, modest: 60 });
  const app = await createTestApp({ database, publicUrl: ORIGIN, trustProxy: true, clock });
  const violations = await strike(
    {
      name: 'Postgres',
      server: app,
      seeded,
      async strike() {
        await cluster.kill();
        await cluster.start();
      },
      async inspect(work) {
        const { query, close } = await openQuery(cluster.url);
        const result = await work(query);
        await close();
        return result;
      },
      async close() {
        await app.close();
        await cluster.remove();
      },
    },
    2,
  );
  expect(violations).toEqual([]);
});
