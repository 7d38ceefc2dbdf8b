import { z } from 'zod';

/**
 * What a member paid by bank for a year, or for a dearer tier in one, and the bank has not answered. `amount_cents`: before added
 * tax. `since`: when we saw it.
 */
export const bankPayment = z.object({
  tier: z.string(),
  months: z.number().int(),
  amount_cents: z.number().int(),
  since: z.string(),
});
export type BankPayment = z.infer<typeof bankPayment>;
