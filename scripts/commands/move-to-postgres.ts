import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lockDataDir } from '../../src/server/config/data-dir-lock.ts';
import { readEnv } from '../../src/server/config/env.ts';
import { backupFolders } from '../../src/server/config/settings.ts';
import { openEmbedded, openPostgres } from '../../src/server/db/client.ts';
import {
  type MoveProgress,
  MoveRefusedError,
  moveToPostgres,
} from '../../src/server/db/move/move-to-postgres.ts';
import { type Command, WrongArguments } from './command.ts';

function said({ table, rows, done, total }: MoveProgress): void {
  console.log(`${String(done).padStart(String(total).length)} of ${total}  ${table}, ${rows} rows`);
}

const next = (dataDir: string) => `
Next:
  1. Set DATABASE_URL for the server, as it was for this command, and AUTH_SECRET to the one in use${
    existsSync(join(dataDir, 'secrets.json'))
      ? ` (without one of your own, it is in ${join(resolve(dataDir), 'secrets.json')})`
      : ''
  }.
  2. Start the server and look at a member and the newest pours.
  3. Set up backups at the Postgres server: docs/run/back-up.md, "Back up and restore".
  4. Keep ${resolve(dataDir)} until you are sure, but never start a server on its database again: it no longer gets new pours.`;

export const command: Command = {
  usage: [['', 'copies everything from DATA_DIR to the server in DATABASE_URL']],
  note: `Stop the server first. The database must be empty. DATA_DIR stays as it is.`,
  async run(words) {
    const env = readEnv(process.env);
    const { DATABASE_URL: url, DATA_DIR: dataDir, WAIT_FOR_DISK: waitForDisk = true } = env;
    if (words.length > 0) throw new WrongArguments();
    if (!url) throw new WrongArguments('DATABASE_URL=postgres://user:password@host/cellardoor is needed.');
    if (!existsSync(join(dataDir, 'db')))
      throw new MoveRefusedError(`There is no database in ${resolve(dataDir)}.`);
    const lock = lockDataDir(dataDir);
    try {
      const source = await openEmbedded(dataDir, { backups: backupFolders(env), waitForDisk });
      try {
        await (await openPostgres(url)).close();
        const { tables, rows } = await moveToPostgres(source.engine, url, said);
        console.log(`Moved ${rows} rows of ${tables} tables; each table was compared.\n${next(dataDir)}`);
      } finally {
        await source.close();
      }
      return 0;
    } finally {
      lock.release();
    }
  },
};
