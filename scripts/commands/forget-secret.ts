import { countSecretLoss, forgetSecret, type SecretLoss } from '../../src/server/auth/forget-secret.ts';
import { composeBasics } from '../../src/server/compose.ts';
import { readEnv } from '../../src/server/config/env.ts';
import { generatedSecrets } from '../../src/server/config/generated-secrets.ts';
import { settingsOf } from '../../src/server/config/settings.ts';
import { random, systemOf } from '../../src/server/main.ts';
import { type Command, WrongArguments } from './command.ts';
import { confirmed } from './confirmed.ts';
import { onDatabase } from './operator.ts';

const describe = ({ second_factors, pins, stripe }: SecretLoss) =>
  [
    'For a club whose AUTH_SECRET is lost for good. The database then uses the current one. This',
    `  removes   two-step sign-in of ${second_factors} accounts, whose owners are emailed; ${pins} PINs of staff${stripe ? '; the signing secret from Stripe' : ''}`,
    '  ends      every session, open link and card code',
    '  keeps     accounts with their passwords, members, pours and payments',
  ].join('\n');

export const command: Command = {
  usage: [
    ['', 'says what it will end, and asks first'],
    ['--yes', 'doesn’t ask'],
  ],
  note: 'Stop the server first. It needs no old secret; with AUTH_SECRET_PREVIOUS, nothing has to be forgotten.',
  flags: ['yes'],
  async run(words, flags) {
    if (words.length > 0) throw new WrongArguments();
    const env = readEnv(process.env);
    return onDatabase(env, {}, async (db) => {
      const loss = await countSecretLoss({ db });
      console.log(describe(loss));
      if (!flags.has('yes') && !(await confirmed('forget', 'cellar-door forget-secret --yes'))) return 1;
      const secret = env.AUTH_SECRET ?? generatedSecrets(env.DATA_DIR, random.newSecret).auth;
      await forgetSecret(await composeBasics(settingsOf(env), systemOf({ LOG_LEVEL: 'silent' }), db), secret);
      console.log(
        `\nDone. Next: start the server${loss.stripe ? ', then press Set Up at /staff/payments so that Stripe’s messages can be read' : ''}.`,
      );
      return 0;
    });
  },
};
