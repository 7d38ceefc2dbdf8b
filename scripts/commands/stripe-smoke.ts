import type { SmokeReport } from '../../src/server/billing/smoke/smoke-report.ts';
import { modeInWords, runStripeCommand } from './stripe-operator.ts';

// Does at Stripe, once, what the product does there, and says what Stripe refuses and what differs from what we read.
function report({ mode, lines }: SmokeReport): number {
  console.log(`Stripe, ${modeInWords(mode)}`);
  const width = Math.max(...lines.map(({ about }) => about.length)) + 2;
  for (const { verdict, about, text } of lines) {
    console.log(`  ${`${verdict}:`.padEnd(12)}${about.padEnd(width)}${text}`);
  }
  const wrong = lines.filter(({ verdict }) => verdict !== 'ok').length;
  console.log(wrong > 0 ? `\n${wrong} not as the product needs it` : '\nAll as the product needs it.');
  return wrong > 0 ? 1 : 0;
}

await runStripeCommand({
  usage:
    'Usage: npm run stripe:smoke   tries at Stripe what the product does there, and deletes it again; with a live key one unpaid page',
  path: '/stripe/smoke',
  claims: false,
  work: (billing) => billing.smokeStripe(),
  report,
});
