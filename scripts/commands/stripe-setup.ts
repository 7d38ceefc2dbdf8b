import type { SetupReport } from '../../src/server/billing/setup/setup-report.ts';
import { modeInWords, runStripeCommand } from './stripe-operator.ts';

// Creates at Stripe what the server needs there. Run again, it changes only what differs.
function report({ mode, steps, webhookSecret, secretKept }: SetupReport): number {
  console.log(`Stripe, ${modeInWords(mode)}`);
  for (const { outcome, text } of steps) console.log(`  ${outcome.padEnd(10)}${text}`);
  if (webhookSecret) {
    console.log(
      `\nThe endpoint's signing secret, shown only now:\n\n  STRIPE_WEBHOOK_SECRET=${webhookSecret}\n\n` +
        (secretKept
          ? 'The server keeps it, encrypted. Put it into its environment only if you want it in your own vault.'
          : 'Put it into the environment of the server, beside STRIPE_SECRET_KEY, and restart the server.'),
    );
  }
  const failed = steps.filter(({ outcome }) => outcome === 'failed').length;
  if (failed > 0) console.error(`\n${failed} failed. What was made stays; run it again after the repair.`);
  else if (steps.every(({ outcome }) => outcome === 'unchanged')) console.log('\nNothing to change.');
  else console.log('\nNext: npm run stripe:check');
  return failed > 0 ? 1 : 0;
}

await runStripeCommand({
  usage:
    'Usage: npm run stripe:setup   creates or updates the webhook endpoint, portal configuration, products and prices',
  path: '/stripe/setup',
  claims: true,
  work: (billing) => billing.setUpStripe(),
  report,
});
