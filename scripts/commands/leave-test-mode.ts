import {
  countTestPayments,
  leaveTestMode,
  type TestPayments,
} from '../../src/server/billing/upkeep/leave-test-mode.ts';
import { readEnv } from '../../src/server/config/env.ts';
import { settingsOf } from '../../src/server/config/settings.ts';
import { clubDefaults, openClub } from '../../src/server/membership/club/club.ts';
import { type Command, WrongArguments } from './command.ts';
import { confirmed } from './confirmed.ts';
import { onDatabase } from './operator.ts';

function describe({ mode, memberships, emails, notices, copies }: TestPayments): string {
  const contents = {
    test: 'payments of Stripe’s test mode',
    demo: 'payments of the demo',
    unknown: 'payments from before their mode was recorded',
  };
  const rows = copies.map(({ called, rows }) => `${rows} ${called}`).join(', ') || 'nothing';
  return [
    `This database holds ${contents[mode ?? 'unknown']}. Leaving that mode`,
    `  ends      memberships paid by card: ${memberships}. They end today, without an email`,
    `  deletes   our copies: ${rows}`,
    `  deletes   emails about them, sent or not: ${emails}; notices for staff about them: ${notices}`,
    '  keeps     accounts, applications, memberships billed at the venue, and every pour. What a pour counted against',
    '            goes with the billing periods, so nothing is carried into a real one',
    '  leaves    everything at Stripe as it is',
  ].join('\n');
}

const DONE = '\nDone. The next start decides the mode: with a live key it takes real payments.';

const AT_STRIPE = `At Stripe, in test mode: delete this installation's webhook endpoint. Otherwise it keeps sending events, and they are refused.
Its test subscriptions charge nobody; cancel them there if you like.`;

export const command: Command = {
  usage: [
    ['', 'says what it will end and delete, and asks first'],
    ['--yes', 'doesn’t ask'],
  ],
  flags: ['yes'],
  async run(words, flags) {
    if (words.length > 0) throw new WrongArguments();
    const env = readEnv(process.env);
    return onDatabase(env, {}, async (db) => {
      console.log(describe(await countTestPayments(db)));
      if (!flags.has('yes') && !(await confirmed('leave', 'cellar-door leave-test-mode --yes'))) return 1;
      const venue = (await openClub(db, clubDefaults(settingsOf(env)))).current();
      const { mode } = await leaveTestMode({ db, now: () => new Date(), venue });
      console.log(mode === 'demo' ? DONE : `${DONE}\n${AT_STRIPE}`);
      return 0;
    });
  },
};
