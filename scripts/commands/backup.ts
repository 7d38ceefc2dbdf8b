import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lockDataDir } from '../../src/server/config/data-dir-lock.ts';
import { type Env, readEnv } from '../../src/server/config/env.ts';
import { backupSettings } from '../../src/server/config/settings.ts';
import { copyBackup } from '../../src/server/db/backup/copy-backup.ts';
import { DataDamagedError } from '../../src/server/db/backup/data-damage.ts';
import { type MadeBackup, takeBackup } from '../../src/server/db/backup/take-backup.ts';
import { type Command, WrongArguments } from './command.ts';
import { askServer } from './operator.ts';

const ON_POSTGRES = `DATABASE_URL names a Postgres server: back the database up there. For a copy of this moment:
  pg_dump --format=custom --file=cellar-door.dump "$DATABASE_URL"
To be able to go back to any moment, use pgBackRest: docs/run/back-up.md, "Back up and restore".`;

/** While no server runs, the files are copied unchanged, even files of another version. */
async function directly(env: Env, target: string | null): Promise<MadeBackup> {
  if (!existsSync(join(env.DATA_DIR, 'db')))
    throw new DataDamagedError(`There is no database in ${resolve(env.DATA_DIR)}.`);
  const settings = backupSettings(env);
  const { copyFolder } = settings;
  const lock = lockDataDir(env.DATA_DIR);
  try {
    const backup = await takeBackup({ ...settings, onlineCopy: null }, target ?? settings.folder, new Date());
    if (target === null && copyFolder !== null) await copyBackup(backup.path, copyFolder);
    return backup;
  } finally {
    lock.release();
  }
}

export const command: Command = {
  usage: [
    ['', 'into BACKUP_DIR, or ./data/backups'],
    ['FOLDER', 'into another folder'],
  ],
  async run([name, ...rest]) {
    if (rest.length > 0) throw new WrongArguments();
    const env = readEnv(process.env);
    if (env.DATABASE_URL) {
      console.error(ON_POSTGRES);
      return 1;
    }
    const folder = name === undefined ? null : resolve(name);
    const call = { method: 'POST', path: '/backup', body: { folder } } as const;
    const backup = ((await askServer(env.DATA_DIR, call)) ?? (await directly(env, folder))) as MadeBackup;
    const megabytes = (backup.bytes / 1_000_000).toFixed(1);
    console.log(
      `${backup.path}\n${megabytes} MB, ${backup.tables} tables, ${backup.rows} rows; opened and checked.`,
    );
    if (backup.with_secrets) {
      console.log(
        'It holds the secret that signs sessions and cards, because AUTH_SECRET is not set: keep it where nobody else reads.',
      );
    }
    return 0;
  },
};
