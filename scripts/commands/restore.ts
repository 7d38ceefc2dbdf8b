import { resolve } from 'node:path';
import { lockDataDir } from '../../src/server/config/data-dir-lock.ts';
import { readEnv } from '../../src/server/config/env.ts';
import { listBackups } from '../../src/server/db/backup/backups.ts';
import { restoreBackup } from '../../src/server/db/backup/restore-backup.ts';
import { runExplained } from '../serve/explain.ts';

// Puts a backup of the embedded database into DATA_DIR. The server must be stopped.
const USAGE = `Usage: npm run restore -- FILE             into an empty data folder
       npm run restore -- FILE --replace   in place of what is there, which stays in a folder beside`;

const ON_POSTGRES = `DATABASE_URL names a Postgres server: restore there, as docs/run/back-up.md, "Back up and restore" says.
To restore into the embedded database instead, run this without DATABASE_URL.`;

const args = process.argv.slice(2);
const replace = args.includes('--replace');
const [file, ...more] = args.filter((it) => it !== '--replace');

function listAvailable(folder: string): void {
  const names = listBackups(folder);
  console.error(USAGE);
  if (names.length > 0) console.error(`\nIn ${resolve(folder)}:\n${names.map((it) => `  ${it}`).join('\n')}`);
}

async function run(): Promise<number> {
  const env = readEnv(process.env);
  if (env.DATABASE_URL) {
    console.error(ON_POSTGRES);
    return 1;
  }
  if (file === undefined || more.length > 0 || file.startsWith('-')) {
    listAvailable(env.BACKUP_DIR);
    return 2;
  }
  const lock = lockDataDir(env.DATA_DIR);
  try {
    const restored = await restoreBackup(file, env.DATA_DIR, { replace, now: new Date() });
    const made = `${restored.made_at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
    console.log(
      `${resolve(env.DATA_DIR)} is as of ${made} (version ${restored.version}): ${restored.tables} tables, ${restored.rows} rows.`,
    );
    if (restored.before)
      console.log(`What was there is in ${resolve(restored.before)}. Delete it when nobody needs it.`);
    if (!restored.with_secrets && !env.AUTH_SECRET) {
      console.log(
        'The backup holds no secrets: set AUTH_SECRET to the value it had then, or everyone has to sign in and set up second factors again.',
      );
    }
    console.log(
      'Next: npm start. Then look at the newest pours and members, and record by hand what came after.',
    );
    return 0;
  } finally {
    lock.release();
  }
}

await runExplained(run);
