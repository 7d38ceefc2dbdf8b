import type { BillingContext } from '../../src/server/billing/billing-context.ts';
import { checkStripe, setUpStripe } from '../../src/server/billing/setup/set-up-stripe.ts';
import type { CheckReport, Finding, SetupReport } from '../../src/server/billing/setup/setup-report.ts';
import { smokeStripe } from '../../src/server/billing/smoke/smoke.ts';
import type { SmokeReport } from '../../src/server/billing/smoke/smoke-report.ts';
import { readEnv } from '../../src/server/config/env.ts';
import type { StripeMode } from '../../src/server/config/stripe-mode.ts';
import { withBilling } from './billing-here.ts';
import { type Command, WrongArguments } from './command.ts';
import { askServer } from './operator.ts';

const MODES: Record<StripeMode, string> = {
  live: 'live mode: real money',
  test: 'test mode: no money moves',
  demo: 'the demo',
};

interface StripeWork<T extends { mode: StripeMode }> {
  effect: string;
  path: string;
  /** Whether the command sets the mode of a database that has none. */
  claims: boolean;
  work(billing: BillingContext): Promise<T>;
  report(answer: T): number;
}

/**
 * A running server does the work, with its own configuration: the embedded database allows one process. The work runs in
 * this process if no server runs, or if both DATABASE_URL and STRIPE_SECRET_KEY are set. Throws ConfigurationError,
 * ServerRefused and DataDirInUse.
 */
async function answerOf<T extends { mode: StripeMode }>({ path, claims, work }: StripeWork<T>): Promise<T> {
  const env = readEnv(process.env);
  if (!env.DATABASE_URL || !env.STRIPE_SECRET_KEY) {
    const answer = await askServer(env.DATA_DIR, { method: 'POST', path });
    if (answer) return answer as T;
  }
  return withBilling(env, work, { claims });
}

function commandOf<T extends { mode: StripeMode }>(work: StripeWork<T>): Command {
  return {
    usage: [['', work.effect]],
    async run(words) {
      if (words.length > 0) throw new WrongArguments();
      const answer = await answerOf(work);
      console.log(`Stripe, ${MODES[answer.mode]}`);
      return work.report(answer);
    },
  };
}

const widthOf = (lines: { about: string }[]) => Math.max(...lines.map(({ about }) => about.length)) + 2;

const LABELS = { well: 'ok', attention: 'look', failing: 'wrong' };

function reportCheck({ findings }: CheckReport): number {
  const width = widthOf(findings);
  for (const { health, about, text, setup } of findings) {
    console.log(
      `  ${`${LABELS[health]}:`.padEnd(7)}${about.padEnd(width)}${text}${setup ? ': cellar-door stripe setup' : ''}`,
    );
  }
  const count = (health: Finding['health']) => findings.filter((it) => it.health === health).length;
  console.log(`\n${count('failing')} wrong, ${count('attention')} to look at by hand, ${count('well')} ok`);
  return count('failing') > 0 ? 1 : 0;
}

function reportSetup({ steps, webhookSecret, secretKept }: SetupReport): number {
  for (const { outcome, text } of steps) console.log(`  ${outcome.padEnd(10)}${text}`);
  if (webhookSecret) {
    console.log(
      `\nThe endpoint's signing secret, shown only now:\n\n  STRIPE_WEBHOOK_SECRET=${webhookSecret}\n\n` +
        (secretKept
          ? 'The server keeps it, encrypted. Put it into its environment only if you want it in your own vault.'
          : 'Put it into the environment of the server, beside STRIPE_SECRET_KEY, and restart the server.'),
    );
  }
  const failures = steps.filter(({ outcome }) => outcome === 'failed').length;
  if (failures > 0)
    console.error(`\n${failures} failed. What was made stays; run it again after the repair.`);
  else if (steps.every(({ outcome }) => outcome === 'unchanged')) console.log('\nNothing to change.');
  else console.log('\nNext: cellar-door stripe check');
  return failures > 0 ? 1 : 0;
}

function reportSmoke({ lines }: SmokeReport): number {
  const width = widthOf(lines);
  for (const { verdict, about, text } of lines) {
    console.log(`  ${`${verdict}:`.padEnd(12)}${about.padEnd(width)}${text}`);
  }
  const failures = lines.filter(({ verdict }) => verdict !== 'ok').length;
  console.log(failures > 0 ? `\n${failures} not as the product needs it` : '\nAll as the product needs it.');
  return failures > 0 ? 1 : 0;
}

export const STRIPE = {
  check: commandOf({
    effect: 'compares Stripe with what the server needs; changes nothing',
    path: '/stripe/check',
    claims: false,
    work: checkStripe,
    report: reportCheck,
  }),
  setup: commandOf({
    effect: 'creates or updates the webhook endpoint, portal configuration, products and prices',
    path: '/stripe/setup',
    claims: true,
    work: setUpStripe,
    report: reportSetup,
  }),
  smoke: commandOf({
    effect:
      'tries at Stripe what the product does there, and deletes it again; with a live key one unpaid page',
    path: '/stripe/smoke',
    claims: false,
    work: smokeStripe,
    report: reportSmoke,
  }),
};
