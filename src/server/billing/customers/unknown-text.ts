import { formatAmount } from '../../../domain/money.ts';
import { tierLabel } from '../../../domain/tiers.ts';
import type { UnknownSubscription } from './unknown-subscriptions.ts';

/** The line about one for the operator, with the person's name and email. */
export function unknownText({
  name,
  email,
  tier,
  amount_cents,
  currency,
  interval,
  started_at,
  stripe_subscription_id,
}: UnknownSubscription): string {
  const person = name && email ? `${name} (${email})` : (name ?? email ?? 'someone without a name or email');
  const amount = amount_cents === null ? 'by usage' : formatAmount(amount_cents, currency);
  const what = tier ? `${tierLabel(tier)}, ` : '';
  return `${person}: ${what}${amount} per ${interval} since ${started_at.slice(0, 10)}, ${stripe_subscription_id}`;
}

/** What to do about it. `publicUrl` has no trailing slash. */
export const unknownRemedy = (
  { user_id }: Pick<UnknownSubscription, 'user_id'>,
  publicUrl: string,
): string =>
  user_id
    ? 'its account is here: cellar-door stripe replay connects it'
    : `connect it with Find Subscriptions at ${publicUrl}/staff/members/import`;
