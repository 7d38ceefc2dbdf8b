import { z } from 'zod';
import { currencyProblem, type TaxBehavior } from '../../domain/money.ts';

export interface PricingConfig {
  /** ISO code in lowercase. */
  currency: string;
  /** 'unspecified' while Stripe calculates no tax. */
  taxBehavior: TaxBehavior;
  /** card: cards, also in wallets. automatic: everything turned on at Stripe. */
  paymentMethods: 'card' | 'automatic';
}

/** Accepts 'usd' and 'USD'. Unsupported currencies are refused with an explanation. */
export const currencyVariable = z
  .string()
  .transform((it) => it.toLowerCase())
  .superRefine((it, check) => {
    const problem = currencyProblem(it);
    if (problem) check.addIssue({ code: 'custom', message: problem });
  })
  .default('usd');

export const PAYMENT_METHODS = ['card', 'automatic'] as const;

export function readPricing(env: {
  CURRENCY: string;
  STRIPE_AUTOMATIC_TAX: boolean;
  PRICES_INCLUDE_TAX: boolean;
  STRIPE_PAYMENT_METHODS: PricingConfig['paymentMethods'];
}): PricingConfig {
  const withTax = env.PRICES_INCLUDE_TAX ? 'inclusive' : 'exclusive';
  return {
    currency: env.CURRENCY,
    taxBehavior: env.STRIPE_AUTOMATIC_TAX ? withTax : 'unspecified',
    paymentMethods: env.STRIPE_PAYMENT_METHODS,
  };
}
