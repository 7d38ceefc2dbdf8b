import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { EMBEDDED_MEMBERS } from '../../../src/domain/monitoring/system-status.ts';
import { openEmbedded } from '../../../src/server/db/client.ts';
import { dataFolder, startProcess } from '../../support/harness/installation.ts';

/** Production would build the smallest web app first. */
const start = (DATA_DIR: string) =>
  startProcess({ DATA_DIR, NODE_ENV: 'development' }, ['start'], 'scripts/cellar-door.ts');

async function addMembers(folder: string, count: number): Promise<void> {
  const { db, close } = await openEmbedded(folder);
  await db.execute(sql`insert into profiles (id, name, email, first_name, last_name)
    select gen_random_uuid(), 'Ada Guest' || i, 'guest' || i || '@example.test', 'Ada', 'Guest' || i
      from generate_series(1, ${count}::integer) i`);
  await db.execute(sql`insert into customers (id, user_id, tier, status, member_since, created_at)
    select gen_random_uuid(), id, 'select', 'inactive', '2026-01-01', now() from profiles`);
  await close();
}

it('a club starts without a key, and says when it has outgrown the embedded database', {
  timeout: 120_000,
}, async () => {
  const folder = dataFolder();
  const small = await start(folder.path);
  expect(small.output()).toContain('Payments are off, and members pay at the venue');
  expect(small.output()).toContain('/setup#');
  expect(small.output()).not.toContain('This is a demo');
  expect(small.output()).not.toContain('has outgrown');
  await small.stop();

  await addMembers(folder.path, EMBEDDED_MEMBERS + 1);
  const large = await start(folder.path);
  expect(large.output()).toMatch(/"members":5001[^\n]*has outgrown the embedded database/);
  await large.stop();
  folder.remove();
});
