import { resolve } from 'node:path';
import { listUnknownSubscriptions } from '../../src/server/billing/customers/unknown-subscriptions.ts';
import { unknownText } from '../../src/server/billing/customers/unknown-text.ts';
import { lockDataDir } from '../../src/server/config/data-dir-lock.ts';
import { type Env, readEnv } from '../../src/server/config/env.ts';
import { listBackups } from '../../src/server/db/backup/newest-backup.ts';
import { restoreBackup } from '../../src/server/db/backup/restore-backup.ts';
import { withBilling } from './billing-here.ts';
import { type Command, WrongArguments } from './command.ts';

const ON_POSTGRES = `DATABASE_URL names a Postgres server: restore there, as docs/run/back-up.md, "Back up and restore" says.
To restore into the embedded database instead, run this without DATABASE_URL.`;

function listed(folder: string): string {
  const names = listBackups(folder);
  return names.length === 0 ? '' : `In ${resolve(folder)}:\n${names.map((it) => `  ${it}`).join('\n')}`;
}

const REPLAY = 'Once the server runs, run cellar-door stripe replay';

/** Names who pays at Stripe without an account in the restored database. Changes nothing there, and never fails. */
async function compareWithStripe(env: Env): Promise<void> {
  if (!env.STRIPE_SECRET_KEY) {
    console.log(
      `Stripe was not compared, without STRIPE_SECRET_KEY. If members pay by card: ${REPLAY}. It fetches what was paid after the backup, and names who pays but has no account here.`,
    );
    return;
  }
  try {
    const subscriptions = await withBilling(env, listUnknownSubscriptions);
    const losses = subscriptions.filter(({ user_id }) => user_id === null);
    console.log(`${REPLAY}: it fetches what was paid after the backup.`);
    if (losses.length === 0) return;
    console.log('These pay at Stripe and have no account in this backup:');
    for (const subscription of losses) console.log(`  ${unknownText(subscription)}`);
    console.log(`Connect them with Find Subscriptions at ${env.PUBLIC_URL}/staff/members/import.`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.log(
      `Stripe could not be compared (${reason}). ${REPLAY}: it also names who pays but has no account here.`,
    );
  }
}

export const command: Command = {
  usage: [
    ['FILE', 'into an empty data folder'],
    ['FILE --replace', 'replaces what is there, and keeps it in a folder inside DATA_DIR'],
  ],
  flags: ['replace'],
  async run([file, ...rest], flags) {
    const env = readEnv(process.env);
    if (env.DATABASE_URL) {
      console.error(ON_POSTGRES);
      return 1;
    }
    if (file === undefined || rest.length > 0) throw new WrongArguments(listed(env.BACKUP_DIR));
    const lock = lockDataDir(env.DATA_DIR);
    try {
      const result = await restoreBackup(file, env.DATA_DIR, {
        replace: flags.has('replace'),
        now: new Date(),
      });
      const time = `${result.made_at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
      console.log(
        `${resolve(env.DATA_DIR)} is as of ${time} (version ${result.version}): ${result.tables} tables, ${result.rows} rows.`,
      );
      if (result.before)
        console.log(`What was there is in ${resolve(result.before)}. Delete it when nobody needs it.`);
      if (!result.with_secrets && !env.AUTH_SECRET) {
        console.log(
          'The backup holds no secrets: set AUTH_SECRET to the value it had then. If that is lost: cellar-door forget-secret.',
        );
      }
      console.log(
        'Next: start the server. Then look at the newest pours and members, and record by hand what came after.',
      );
    } finally {
      lock.release();
    }
    await compareWithStripe(env);
    return 0;
  },
};
