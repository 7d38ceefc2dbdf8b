import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lockDataDir } from '../../src/server/config/data-dir-lock.ts';
import { type Env, readEnv } from '../../src/server/config/env.ts';
import { backupSettings } from '../../src/server/config/settings.ts';
import { type MadeBackup, takeBackup } from '../../src/server/db/backup/take-backup.ts';
import { runExplained } from '../serve/explain.ts';
import { askServer } from './admin-request.ts';
import { megabytes } from './sizes.ts';

// Backs up the embedded database, whether or not the server runs.
const USAGE = `Usage: npm run backup             into BACKUP_DIR, or ./data/backups
       npm run backup -- FOLDER   into another folder`;

const ON_POSTGRES = `DATABASE_URL names a Postgres server: back the database up there. For a copy of this moment:
  pg_dump --format=custom --file=cellar-door.dump "$DATABASE_URL"
To be able to go back to any moment, use pgBackRest: docs/run/back-up.md, "Back up and restore".`;

const args = process.argv.slice(2);
const [given] = args;
if (args.length > 1 || given?.startsWith('-')) {
  console.error(USAGE);
  process.exit(2);
}

/** While no server runs, the files are copied as they are, even those of another version. */
async function directly(env: Env, folder: string): Promise<MadeBackup> {
  if (!existsSync(join(env.DATA_DIR, 'db')))
    throw new Error(`There is no database in ${resolve(env.DATA_DIR)}.`);
  const lock = lockDataDir(env.DATA_DIR);
  try {
    return await takeBackup(
      { ...backupSettings(env, () => env.VENUE_TIME_ZONE), onlineCopy: null },
      folder,
      new Date(),
    );
  } finally {
    lock.release();
  }
}

async function run(): Promise<number> {
  const env = readEnv(process.env);
  if (env.DATABASE_URL) {
    console.error(ON_POSTGRES);
    return 1;
  }
  const folder = given === undefined ? null : resolve(given);
  const made = ((await askServer(env.DATA_DIR, 'POST', '/backup', { folder })) ??
    (await directly(env, folder ?? env.BACKUP_DIR))) as MadeBackup;
  console.log(
    `${made.path}\n${megabytes(made.bytes)}, ${made.tables} tables, ${made.rows} rows; opened and checked.`,
  );
  if (made.with_secrets) {
    console.log(
      'It holds the secret that signs sessions and cards, because AUTH_SECRET is not set: keep it where nobody else reads.',
    );
  }
  return 0;
}

await runExplained(run);
