import { isEnded } from '../../../domain/standing.ts';
import type { Tx } from '../../db/client.ts';
import { eq } from '../../db/orm.ts';
import { billing_customer } from '../../db/schema.ts';
import { postStaffNotice } from '../../membership/staff-notices.ts';
import type { BillingDeps } from '../billing-context.ts';
import type { LocalState } from '../state/local-state.ts';
import type { StripeSnapshot } from '../state/stripe-snapshot.ts';

/**
 * Notifies staff of a customer missing at Stripe, if that ends a running subscription. Deleting an account cancels first
 * and deletes the customer after, so nothing is running then.
 */
export async function reportMissingCustomer(
  tx: Tx,
  { now, log }: BillingDeps,
  user_id: string,
  { subscriptions }: LocalState,
  { customer }: StripeSnapshot,
): Promise<void> {
  if (customer === 'found' || subscriptions.every(({ status }) => isEnded(status))) return;
  const [account] = await tx.select().from(billing_customer).where(eq(billing_customer.user_id, user_id));
  if (!account) return;
  const { stripe_customer_id } = account;
  log.error({ user_id, customer: stripe_customer_id, state: customer }, 'Customer is missing at Stripe');
  await postStaffNotice(tx, {
    kind: 'customer_missing',
    cause: `customer-missing:${stripe_customer_id}`,
    user_id,
    facts: { stripe_customer_id },
    at: now(),
  });
}
