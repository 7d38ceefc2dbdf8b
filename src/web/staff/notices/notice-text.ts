import type { StaffNotice, StaffNoticeFacts } from '../../../contract/staff-notices.ts';
import { formatAmount } from '../../../domain/money.ts';
import { tierLabel } from '../../../domain/tiers.ts';
import { dateOfInstant, formatDateTime } from '../venue-dates.ts';
import { refusedEmailText } from './refused-email-text.ts';

const WEBHOOK_OFF_TEXT = {
  failing: 'it has accepted no messages for days',
  gone: 'it answered that it is gone (410)',
  secret_lost: 'its secret cannot be read since AUTH_SECRET changed',
  staff: 'staff turned it off',
};

export function noticeText(notice: StaffNotice): { happened: string; next: string } {
  const name = notice.member && `${notice.member.first_name} ${notice.member.last_name}`;
  switch (notice.kind) {
    case 'payment_unmatched': {
      const { amount_cents, currency, product, stripe_subscription_id } = notice.facts;
      return {
        happened: `${name ?? 'Someone'} paid ${formatAmount(amount_cents, currency)} for ${product}, but at a price that matches none of our tiers. It did not start a membership; an existing one keeps its tier.`,
        next: `In Stripe, move the subscription ${stripe_subscription_id} to the price of a tier, or cancel and refund it.`,
      };
    }
    case 'reversal_impossible': {
      const { amount_cents, currency, stripe_invoice_id, why } = notice.facts;
      return {
        happened: `We couldn’t refund ${formatAmount(amount_cents, currency)}${name ? ` to ${name}` : ''} automatically: ${why.replace(/\.$/, '')}.`,
        next: `Refund it at the venue, or in Stripe if it was paid there. The invoice is ${stripe_invoice_id}.`,
      };
    }
    case 'payment_disputed':
      return disputeText(notice.facts, name);
    case 'paid_more_than_once': {
      const { amount_cents, currency, stripe_subscription_id, tier, quantity } = notice.facts;
      return {
        happened: `${name ?? 'A member'} pays ${formatAmount(amount_cents, currency)} a month for ${quantity} memberships in one subscription, and has one, ${tierLabel(tier)}, with the pours of one.`,
        next: `In Stripe, leave one tier with the quantity 1 in the subscription ${stripe_subscription_id}, and refund the rest.`,
      };
    }
    case 'paid_without_membership': {
      const { amount_cents, currency, stripe_subscription_id } = notice.facts;
      return {
        happened: `${name ?? 'Someone'} paid ${formatAmount(amount_cents, currency)} for a subscription that had ended, or for a month on hold or in a pause, and has no membership for it.`,
        next: `Look at the subscription ${stripe_subscription_id} in Stripe, and refund the payment there unless something was used.`,
      };
    }
    case 'long_trial': {
      const { tier, ends_at, stripe_subscription_id } = notice.facts;
      return {
        happened: `${name ?? 'A member'} has a trial of ${tierLabel(tier)} until ${dateOfInstant(ends_at)}, and gets the pours of one month for all of it.`,
        next: `Give the pours of further months on their page, or end the trial of ${stripe_subscription_id} in Stripe.`,
      };
    }
    case 'invoice_not_finalized': {
      const { amount_cents, currency, stripe_invoice_id, why } = notice.facts;
      return {
        happened: `Stripe could not finish the invoice of ${formatAmount(amount_cents, currency)} for ${name ?? 'a member'}, so nothing is charged: ${why.replace(/\.$/, '')}.`,
        next: `Open the invoice ${stripe_invoice_id} in Stripe, repair what it names, and finalize it there.`,
      };
    }
    case 'unknown_subscription':
      return unknownText(notice.facts);
    case 'email_refused':
      return {
        happened: refusedEmailText(notice),
        next: notice.member
          ? 'Ask for the right address, and change it on their page under Account.'
          : 'Ask for the right address, and send it again.',
      };
    case 'caught_up':
      return caughtUpText(notice.facts);
    case 'gift_reversed':
      return giftText(notice.facts, name);
    case 'webhook_off':
      return {
        happened: `The system at ${notice.facts.host} no longer gets messages: ${WEBHOOK_OFF_TEXT[notice.facts.why]}.`,
        next: 'Once it works, someone who manages staff can turn it on again under Webhooks. Waiting messages are sent then.',
      };
    case 'customer_missing':
      return {
        happened: `${name ?? 'A member'} no longer exists as a customer at Stripe (${notice.facts.stripe_customer_id}), so nothing can be charged or refunded there.`,
        next: `Find out in Stripe who deleted the customer. To continue, ${name ?? 'the member'} has to join again.`,
      };
  }
}

function disputeText(facts: StaffNoticeFacts['payment_disputed'], name: string | null) {
  const { state, stripe_invoice_id, stripe_dispute_id } = facts;
  const payment = `The ${formatAmount(facts.amount_cents, facts.currency)} that ${name ?? 'a member'} paid`;
  const ids = `The invoice is ${stripe_invoice_id}, the dispute ${stripe_dispute_id}.`;
  switch (state) {
    case 'open':
      return {
        happened: `${payment} is disputed at the bank. That ends no membership.`,
        next: `Answer the dispute in Stripe. End the membership on their page if you want to. ${ids}`,
      };
    case 'lost':
      return {
        happened: `${payment} was disputed, and the bank took it back. That ends no membership.`,
        next: `Collect it at the venue, or end the membership on their page. ${ids}`,
      };
    case 'won':
      return {
        happened: `${payment} was disputed. The club won and keeps the money.`,
        next: `There is nothing left to do. ${ids}`,
      };
  }
}

function unknownText(facts: StaffNoticeFacts['unknown_subscription']) {
  const { state, name, email, tier, amount_cents, currency, interval, started_at } = facts;
  const id = facts.stripe_subscription_id;
  if (state === 'ended')
    return {
      happened: `The subscription ${id} at Stripe belonged to no account here, and has ended.`,
      next: 'If nothing was used for what was paid, refund it in Stripe.',
    };
  const person = name && email ? `${name} (${email})` : (name ?? email ?? 'Someone');
  const amount = amount_cents === null ? 'by usage' : formatAmount(amount_cents, currency);
  return {
    happened: `${person} pays ${amount} per ${interval} at Stripe${tier ? ` for ${tierLabel(tier)}` : ''}, since ${dateOfInstant(started_at)}, and has no account here.`,
    next: `Press Find Subscriptions on the page Import and Export: it connects the subscription ${id}, or says why it can’t.`,
  };
}

const counted = (count: number, one: string, many: string) =>
  count === 0 ? [] : [`${count} ${count === 1 ? one : many}`];

function caughtUpText(facts: StaffNoticeFacts['caught_up']) {
  const { from, to, members, renewals, ends, refunds, disputes } = facts;
  const list = [
    ...counted(renewals, 'renewal', 'renewals'),
    ...counted(ends, 'membership that ended', 'memberships that ended'),
    ...counted(refunds, 'refund', 'refunds'),
    ...counted(disputes, 'dispute', 'disputes'),
  ].join(', ');
  const people = members === 1 ? 'one member' : `${members} members`;
  return {
    happened: `From ${formatDateTime(from)} to ${formatDateTime(to)} we missed messages from Stripe about ${people}. We have fetched what happened${list && `: ${list}`}.`,
    next: 'Every membership is up to date. Press Check Stripe on the page Stripe to see whether messages come again.',
  };
}

function giftText(facts: StaffNoticeFacts['gift_reversed'], name: string | null) {
  const amount = formatAmount(facts.amount_cents, facts.currency);
  const payment = `The payment is ${facts.stripe_payment_intent_id}.`;
  if (facts.why === 'not_refunded')
    return {
      happened: `We couldn’t refund ${amount} for a gift${name ? ` to ${name}` : ''}. Its code no longer works.`,
      next: `Refund it at the venue or in Stripe. ${payment}`,
    };
  const event = facts.why === 'disputed' ? 'is disputed at the bank' : 'was refunded in Stripe';
  return facts.redeemed
    ? {
        happened: `The ${amount} for the gift that ${name ?? 'a member'} redeemed ${event}. Their membership continues.`,
        next: `Decide whether it stays, and end it on their page if not. ${payment}`,
      }
    : {
        happened: `The ${amount} for a gift${name ? ` that ${name} bought` : ''} ${event}. Its code does not work for now.`,
        next: `Answer the dispute in Stripe. If it is won, the code works again. ${payment}`,
      };
}
