import type { OverdueReason, ReversalReason } from '../../../domain/billing.ts';
import { joiningTerms, renewalTerms } from '../../../domain/consent.ts';
import { amountPerMonth, amountWithTax, formatAmount, type TaxBehavior } from '../../../domain/money.ts';
import { pourCount } from '../../../domain/pour.ts';
import { tierLabel } from '../../../domain/tiers.ts';
import { composeEmail, type Email, longDate, type Venue } from '../../mail/email.ts';
import type { BillingNotice } from '../billing-context.ts';

const REFUND_REASONS: Record<ReversalReason, string> = {
  second_subscription: 'You were charged twice for the same membership.',
  replaced: 'Your new membership replaced an earlier one that was still being charged.',
  venue_member: 'You already pay for your membership at the venue.',
  application_rejected: 'Your application was not approved.',
  payment_overdue: 'Your payment arrived after your membership had ended.',
  canceled_overdue: 'Your payment arrived after your membership had ended.',
};

const ENDED_BECAUSE: Record<OverdueReason, string> = {
  payment_overdue:
    "We couldn't collect your last payment, so your membership has ended. We canceled the open invoice, and you won't be charged again.",
  canceled_overdue:
    "You canceled your membership while a payment was due, so it ended right away. We canceled the open invoice, and you won't be charged again.",
};

interface Price {
  amount_cents: number;
  currency: string;
  tax_behavior: TaxBehavior;
}

/** '$39.00', or '$39.00 plus tax' */
const charged = ({ amount_cents, currency, tax_behavior }: Price) =>
  amountWithTax(amount_cents, currency, tax_behavior);

/** The email about a billing notice: what changed, and what the member can do. `label` gives a tier's display name. */
export function billingEmail(
  notice: BillingNotice,
  firstName: string,
  venue: Venue,
  label: (tier: string) => string = tierLabel,
): Email {
  const write = (subject: string, ...paragraphs: string[]) =>
    composeEmail(venue, firstName, subject, paragraphs);
  const day = (date: Date) => longDate(date, venue.time_zone);
  const account = `Your account: ${venue.public_url}/account`;
  const dashboard = `Your dashboard and card: ${venue.public_url}/dashboard`;

  /** What the member agreed to: the same words as beside the button. */
  const renews = ({ tier, ...price }: { tier: string } & Price) =>
    renewalTerms({ tier: label(tier), price: charged(price) });
  const club = [joiningTerms(venue)].filter(Boolean);

  switch (notice.type) {
    case 'membership_started': {
      const terms = [`${renews(notice)} Your next billing date is ${day(notice.next_billing)}.`, ...club];
      const carried =
        notice.carried_pours > 0
          ? [
              `${pourCount(notice.carried_pours)} from a month that was never paid counted toward your first month.`,
            ]
          : [];
      return notice.renewed
        ? write('Welcome back', 'Your membership is active again.', ...terms, ...carried, dashboard)
        : write('Welcome to our wine club', 'Your membership is now active.', ...terms, dashboard);
    }
    case 'payment_received':
      return write(
        'Receipt',
        `We received your payment of ${formatAmount(notice.amount_cents, notice.currency)}. Thank you.`,
        `Invoice: ${notice.invoice}`,
        account,
      );
    case 'payment_failed':
      return write(
        'Your payment failed',
        "We couldn't charge your payment method for this month.",
        `Your membership stays active until ${day(notice.grace_until)}. Update your payment method before then to keep it. Otherwise your membership ends that day, and we cancel the open invoice.`,
        `Until the payment goes through, ${notice.unpaid_pours} of this month's ${pourCount(notice.monthly_pours)} are available.`,
        account,
      );
    case 'cancellation_scheduled':
      return write(
        'Your cancellation is confirmed',
        `You keep access until ${day(notice.ends_at)}, and you won't be charged again.`,
        `Changed your mind? You can keep your membership until then. ${account}`,
      );
    case 'membership_ended':
      return write(
        'Your membership has ended',
        `${notice.why ? ENDED_BECAUSE[notice.why] : "Your membership has ended, and you won't be charged again."} We'd love to have you back.`,
        `Renew anytime: ${venue.public_url}/apply`,
      );
    case 'membership_suspended':
      return write(
        'Your membership is on hold',
        "There is a problem with your payment, so you can't use your glasses for now. Your membership is active again as soon as the payment goes through.",
        `To end it instead, cancel it in your account. ${account}`,
      );
    case 'renewal_reminder':
      return write(
        'Your membership renews soon',
        `On ${day(notice.renews_at)}, your membership renews and your card is charged ${charged(notice)}.`,
        renews(notice),
        ...club,
        account,
      );
    case 'annual_notice':
      return write(
        'Your membership at a glance',
        `Once a year we remind you of your membership. You have had this subscription since ${day(notice.since)}.`,
        `${renews(notice)} Your next billing date is ${day(notice.next_billing)}.`,
        ...club,
        account,
      );
    case 'payment_returned':
      return write(
        'Your refund is on its way',
        `${REFUND_REASONS[notice.reason]} We refunded ${formatAmount(notice.amount_cents, notice.currency)} to your payment method.`,
        'Your bank may take a few days to show it.',
        account,
      );
    case 'access_restored':
      return write('Your payment went through', 'Thank you. Your membership is active again.', dashboard);
    case 'tier_changed':
      return write(
        'Your new tier',
        `Your tier changed from ${label(notice.from)} to ${label(notice.to)}.`,
        poursAfterChange(notice, day(notice.next_billing)),
        dashboard,
      );
    case 'tier_change_scheduled':
      return write(
        'Your tier change is scheduled',
        `On ${day(notice.effective_at)}, your tier changes to ${label(notice.to)}, ${amountPerMonth(notice.amount_cents, notice.currency, notice.tax_behavior)}. Nothing changes until then.`,
        `Changed your mind? You can keep your current tier until then. ${account}`,
      );
    case 'tier_change_withdrawn':
      return write(
        'Your tier stays the same',
        `You're staying on ${label(notice.tier)}. The scheduled change won't happen.`,
        dashboard,
      );
    case 'price_move_announced':
      return write(
        `Your ${notice.from === notice.to ? 'price' : 'membership'} changes on ${day(notice.effective_at)}`,
        ...priceMove(notice, label, day(notice.effective_at)),
        `You don't have to do anything. If you would rather not continue, you can cancel before then. ${account}`,
      );
    case 'price_move_withdrawn':
      return write(
        'Your price stays the same',
        `The change we wrote to you about won't happen. You stay on ${label(notice.tier)} at the price you pay now.`,
        account,
      );
    case 'cancellation_withdrawn':
      return write('Your membership continues', 'Your membership continues and renews as before.', dashboard);
  }
}

type TierChanged = Extract<BillingNotice, { type: 'tier_changed' }>;

/** '4 more pours until December 21, 20 a month from then.' */
function poursAfterChange({ added_pours, monthly_pours }: TierChanged, until: string): string {
  if (added_pours === null) return `You now have ${pourCount(monthly_pours)} a month.`;
  if (added_pours < 0) return `You have ${pourCount(monthly_pours)} a month from ${until}.`;
  const more =
    added_pours === 0 ? 'No more pours' : `${added_pours} more ${added_pours === 1 ? 'pour' : 'pours'}`;
  return `${more} until ${until}, ${monthly_pours} a month from then.`;
}

type PriceMove = Extract<BillingNotice, { type: 'price_move_announced' }>;

/** Old, new and when. */
function priceMove(notice: PriceMove, label: (tier: string) => string, date: string): string[] {
  const { currency, tax_behavior } = notice;
  const price = (amount: number) => amountPerMonth(amount, currency, tax_behavior);
  const [before, after] = [price(notice.from_amount_cents), price(notice.to_amount_cents)];
  if (notice.from === notice.to) {
    return [
      `From ${date}, your ${label(notice.to)} membership costs ${after}. Until then you pay ${before}, as before.`,
      `You have ${pourCount(notice.monthly_pours)} a month.`,
    ];
  }
  return [
    `On ${date}, your membership changes from ${label(notice.from)} to ${label(notice.to)}, with ${pourCount(notice.monthly_pours)} a month.`,
    `From then on it costs ${after}. Until then nothing changes, and you pay ${before}.`,
  ];
}
