import { Refusal } from '../../contract/refusals.ts';
import type { BillingDeps } from './billing-context.ts';

/** Throws Refusal PAYMENTS_OFF without a key of Stripe. docs/rules/billing.md, "Billing: payments off". */
export function assertPaymentsOn({ payments }: Pick<BillingDeps, 'payments'>): void {
  if (payments === 'off') throw new Refusal('PAYMENTS_OFF');
}

/** Stands in for Stripe and its key while payments are off, and refuses every use. */
export const paymentsOff = <T extends BillingDeps['stripe'] | BillingDeps['key']>(): T =>
  new Proxy({} as T, {
    get() {
      throw new Refusal('PAYMENTS_OFF');
    },
  });
