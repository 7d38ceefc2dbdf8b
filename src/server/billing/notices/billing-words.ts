import { renewalTerms } from '../../../domain/consent.ts';
import { amountPerMonth, amountWithTax } from '../../../domain/money.ts';
import type { Words } from '../../mail/email-text.ts';
import type { BillingNotice, NamedCharge, PriceChange, TierPrice } from '../billing-context.ts';

export type NoticeData<Type extends BillingNotice['type']> = Omit<
  Extract<BillingNotice, { type: Type }>,
  'cause' | 'user_id' | 'type'
>;

/** The renewal terms that the member agreed to. */
export const renews = ({ tier, monthly_cents, currency, tax_behavior }: TierPrice, { label }: Words) =>
  renewalTerms({ tier: label(tier), price: amountWithTax(monthly_cents, currency, tax_behavior) });

/** 'From August 13, 2026, you'll pay $45.00 per month for Select.'; empty if the price stays. */
export function priceChange(change: PriceChange | null, { label, day }: Words): string[] {
  if (!change) return [];
  const price = amountPerMonth(change.monthly_cents, change.currency, change.tax_behavior);
  return [`From ${day(change.from)}, you'll pay ${price} for ${label(change.tier)}.`];
}

const amountOf = ({ amount_cents, currency, tax_behavior }: NamedCharge) =>
  amountWithTax(amount_cents, currency, tax_behavior);

/**
 * Ends a sentence that names the day of an end: nothing more is charged, or first the month that has begun, and on that day
 * what waits for an invoice.
 */
export function noMoreCharges(charge: NamedCharge | null, charging: NamedCharge | null = null): string {
  if (!charge && !charging) return ", and you won't be charged again.";
  const parts = [
    charging && `We're charging ${amountOf(charging)} for the month that has begun`,
    charge &&
      `${charging ? 'that' : 'That'} day we'll charge ${amountOf(charge)} for changes to your membership`,
  ];
  return `. ${parts.filter(Boolean).join(', and ')}, and nothing after that.`;
}

/** Until when a canceled member has access, and what is still charged. */
export function endTerms(
  { ends_at, paused, by_venue, last_charge, charging, overdue }: NoticeData<'cancellation_scheduled'>,
  { day }: Words,
): string {
  if (!overdue) {
    const stays = `${by_venue ? 'It' : 'Your membership'} stays paused until it ends on`;
    const access = paused ? stays : 'You keep access until';
    return `${access} ${day(ends_at)}${noMoreCharges(last_charge, charging)}`;
  }
  const due = 'The payment that is due stays due';
  return overdue.access_until >= ends_at
    ? `You keep access until ${day(ends_at)}. ${due}, and nothing is charged after that.`
    : `${due}: with it you keep access until ${day(ends_at)}, without it until ${day(overdue.access_until)}. Nothing is charged after that.`;
}

export const renewButton = ({ page }: Words, button = 'Renew My Membership') => ({
  button,
  url: page('/apply'),
});

/** Says to a member what to do about a change by the venue that only the venue can undo. */
export const UNEXPECTED = "If you weren't expecting this, please write to us.";

export const SAMPLE_NEXT_BILLING = new Date('2026-08-13T16:00:00Z');
export const SAMPLE_PRICE = {
  tier: 'select',
  amount_cents: 3900,
  monthly_cents: 3900,
  currency: 'usd',
  tax_behavior: 'unspecified',
  price_change: null,
} as const;
