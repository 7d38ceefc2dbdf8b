import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { ownVersion } from '../src/server/config/version.ts';
import { openInMemory, openPostgres } from '../src/server/db/client.ts';
import { moveToPostgres } from '../src/server/db/move/move-to-postgres.ts';
import { wholeMember } from '../tests/support/fixtures/whole-member.ts';
import { createTestApp } from '../tests/support/harness/app.ts';
import { startPostgres } from '../tests/support/harness/postgres-server.ts';
import { membersInEachState } from '../tests/support/upgrades/each-state.ts';
import { readHeld } from '../tests/support/upgrades/releases.ts';

/**
 * Stores this version's data, with a member in each state, so that every later version is tested on it: the files of an
 * embedded database, a dump of a Postgres server, and a list of their contents. Run it at each release (CONTRIBUTING.md, "A
 * release"). Needs Debian's postgresql-15, the oldest supported server, and its pg_dump.
 */
const programs = process.env.POSTGRES_BIN ?? '/usr/lib/postgresql/15/bin';
const folder = resolve(import.meta.dirname, '../tests/support/upgrades', ownVersion());
mkdirSync(folder, { recursive: true });

const database = await openInMemory();
const app = await createTestApp({ database });
const { staff, customers } = await membersInEachState(app);
customers.whole = (await wholeMember(app, staff, 'Ada')).customer_id;
const { user } = await staff.must<{ user: { email: string } }>('GET', '/api/session');

const LONG_WINDOW = 26;
const files = new Uint8Array(await (await database.archive()).arrayBuffer());
writeFileSync(
  join(folder, 'data-folder.tar.zst'),
  zstdCompressSync(files, {
    params: {
      [constants.ZSTD_c_compressionLevel]: 19,
      [constants.ZSTD_c_windowLog]: LONG_WINDOW,
      [constants.ZSTD_c_enableLongDistanceMatching]: 1,
    },
  }),
);

const server = await startPostgres(programs);
try {
  await (await openPostgres(server.url)).close();
  await moveToPostgres(database.engine, server.url, () => undefined);
  const dump = execFileSync(
    join(programs, 'pg_dump'),
    ['--no-owner', '--no-acl', '--inserts', '--rows-per-insert=100', server.url],
    { encoding: 'utf8' },
  );
  // Drops lines that only psql understands; the test sends the rest unchanged.
  writeFileSync(join(folder, 'postgres.sql.gz'), gzipSync(dump.replaceAll(/^\\.*\n/gm, ''), { level: 9 }));
} finally {
  await server.stop();
}

const facts = {
  now: app.clock.now(),
  staff_email: user.email,
  customers,
  holds: await readHeld(staff, customers),
};
writeFileSync(join(folder, 'facts.json'), `${JSON.stringify(facts, null, 2)}\n`);
await app.close();
console.log(`Written to ${folder}. Commit it.`);
