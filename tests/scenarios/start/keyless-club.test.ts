import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { EMBEDDED_MEMBERS } from '../../../src/domain/monitoring/machine-checks.ts';
import { openEmbedded } from '../../../src/server/db/client.ts';
import { RED_DOT } from '../../support/fixtures/pictures.ts';
import { Caller } from '../../support/harness/caller.ts';
import { makeDataFolder } from '../../support/harness/database.ts';
import { dataFolder, type StartedProcess, startProcess } from '../../support/harness/installation.ts';

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

/** The files below a folder but for the database and its backups, by their path in it. */
const filesBesideDatabase = (path: string) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(path.length + 1))
    .filter((name) => !/^(db|backups)\//.test(name));

const folder = dataFolder();
let started: StartedProcess;
beforeAll(async () => {
  await addMembers(folder.path, EMBEDDED_MEMBERS + 1);
  // Production would build the smallest web app first.
  const env = { DATA_DIR: folder.path, NODE_ENV: 'development', AUTH_SECRET: 'x'.repeat(32) };
  started = await startProcess({ ...env, LOG_LEVEL: 'debug' }, ['start'], 'scripts/cellar-door.ts');
}, 120_000);
afterAll(async () => {
  await started.stop();
  folder.remove();
}, 30_000);

it('a club starts without a key, and says when it has outgrown the embedded database', () => {
  expect(started.output()).toContain('Payments are off, and members pay at the venue');
  expect(started.output()).toContain('/setup#');
  expect(started.output()).not.toContain('This is a demo');
  expect(started.output()).toMatch(/"members":5001[^\n]*has outgrown the embedded database/);
});

// docs/rules/accounts.md, "Personal data".
it('no log, and no file but the database and its backups, names a person', async () => {
  const password = 'a better password';
  const guest = new Caller(started.url, started.url);
  const profile = { first_name: 'Ottoline', last_name: 'Morrell', email: 'ottoline@guest.test', password };
  await guest.must('POST', '/api/auth/sign-up', profile);
  await guest.must('PUT', '/api/profile/photo', { content: RED_DOT, agreed: true });
  expect((await guest.call('PATCH', '/api/profile', { first_name: 5 })).status).toBe(400);
  await guest.must('POST', '/api/privacy/delete-account', { password, confirmation: 'DELETE' });
  expect(started.output()).not.toMatch(/ottoline/i);
  const files = filesBesideDatabase(folder.path);
  expect(files).toContain('server.lock');
  const content = (name: string) => readFileSync(join(folder.path, name), 'latin1');
  expect(files.filter((name) => /ottoline/i.test(content(name)))).toEqual([]);
});
