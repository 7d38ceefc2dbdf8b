import type { CheckReport } from '../../src/server/billing/setup/setup-report.ts';
import { modeInWords, runStripeCommand } from './stripe-operator.ts';

// Lists what is right at Stripe, what is wrong, and what only a person can check.
function report({ mode, findings }: CheckReport): number {
  console.log(`Stripe, ${modeInWords(mode)}`);
  const width = Math.max(...findings.map(({ about }) => about.length)) + 2;
  for (const { verdict, about, text, setup } of findings) {
    console.log(
      `  ${`${verdict}:`.padEnd(7)}${about.padEnd(width)}${text}${setup ? ': npm run stripe:setup' : ''}`,
    );
  }
  const count = (verdict: string) => findings.filter((it) => it.verdict === verdict).length;
  console.log(`\n${count('wrong')} wrong, ${count('look')} to look at by hand, ${count('ok')} ok`);
  return count('wrong') > 0 ? 1 : 0;
}

await runStripeCommand({
  usage: 'Usage: npm run stripe:check   compares Stripe with what the server needs; changes nothing',
  path: '/stripe/check',
  claims: false,
  work: (billing) => billing.checkStripe(),
  report,
});
