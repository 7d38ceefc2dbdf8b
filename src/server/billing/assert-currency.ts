import { ConfigurationError } from '../config/config-error.ts';
import type { Db } from '../db/client.ts';
import { and, ne, notInArray } from '../db/orm.ts';
import { billing_subscription } from '../db/schema.ts';

/**
 * Throws ConfigurationError while members pay in another currency: tier prices are stored without one, so they would mean
 * another amount, and Stripe does not allow changing to a tier in another currency.
 */
export async function assertCurrency(db: Db, currency: string): Promise<void> {
  const s = billing_subscription;
  const [other] = await db
    .select({ currency: s.currency })
    .from(s)
    .where(and(ne(s.currency, currency), notInArray(s.status, ['canceled', 'incomplete_expired'])))
    .limit(1);
  if (!other) return;
  throw new ConfigurationError([
    `CURRENCY is ${currency}, but there are members who pay in ${other.currency}; it can change only when none are left`,
  ]);
}
