import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { EMBEDDED_MEMBERS } from '../../../src/domain/monitoring/system-status.ts';
import { openEmbedded } from '../../../src/server/db/client.ts';
import { makeDataFolder } from '../../support/harness/database.ts';
import { dataFolder, startProcess } from '../../support/harness/installation.ts';

async function addMembers(folder: string, count: number): Promise<void> {
  await makeDataFolder(folder);
  const { db, close } = await openEmbedded(folder);
  // Triggers, such as that of the search, would take seconds for so many.
  await db.execute(sql`set session_replication_role = replica`);
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
  await addMembers(folder.path, EMBEDDED_MEMBERS + 1);
  // Production would build the smallest web app first.
  const env = { DATA_DIR: folder.path, NODE_ENV: 'development', AUTH_SECRET: 'x'.repeat(32) };
  const started = await startProcess(env, ['start'], 'scripts/cellar-door.ts');
  expect(started.output()).toContain('Payments are off, and members pay at the venue');
  expect(started.output()).toContain('/setup#');
  expect(started.output()).not.toContain('This is a demo');
  expect(started.output()).toMatch(/"members":5001[^\n]*has outgrown the embedded database/);
  await started.stop();
  folder.remove();
});
