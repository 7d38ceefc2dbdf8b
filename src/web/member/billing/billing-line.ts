import type { Subscription } from '../../../contract/functions.ts';
import type { DuesNow, OwnEnd } from '../../../contract/members.ts';
import { isOverdue } from '../../../domain/billing.ts';
import { addDays, type LocalDate } from '../../../domain/calendar.ts';
import { isEnded } from '../../../domain/standing.ts';
import { shortDay, shortInstant } from '../../format/dates.ts';
import { shortCharge } from '../../format/money.ts';
import { endOf } from './upcoming-change.ts';

/** What comes next for a membership, in a few words. */
export interface BillingLine {
  text: string;
  /** What a date and an amount are; said to a screen reader before them. */
  label?: string;
  isOverdue?: boolean;
}

/** 'Dec 14, $69' for a subscription that renews. Null if nothing was ever paid for it. */
export function subscriptionLine(it: Subscription, today: LocalDate): BillingLine | null {
  const { status, cancel_at_period_end, ended_on, next_charge, pause, year_from } = it;
  if (ended_on)
    return { text: `${isEnded(status) ? 'Ended' : 'On hold since'} ${shortDay(ended_on, today)}` };
  if (isEnded(status)) return null;
  if (isOverdue(status)) return { text: 'Overdue', isOverdue: true };
  if (year_from) return { text: `A year from ${shortInstant(year_from, today)}` };
  const end = endOf(it);
  if (end !== null && (cancel_at_period_end || !next_charge))
    return { text: `Ends ${shortInstant(end, today)}` };
  if (next_charge) {
    const [day, amount] = [shortInstant(next_charge.at, today), shortCharge(next_charge.amount, it)];
    return { label: 'Next charge:', text: `${day}, ${amount}` };
  }
  return pause ? { text: 'Paused' } : null;
}

/** 'Paid until Dec 14' for a membership without a card. Null if its payments are not counted, or it has ended. */
export function venueLine(
  ends: OwnEnd | null | undefined,
  dues: DuesNow | null,
  today: LocalDate,
): BillingLine | null {
  if (ends?.is_gift) return { text: `A gift through ${shortDay(ends.last_day, today)}` };
  if (ends?.on_the_house) return { text: `On the house through ${shortDay(ends.last_day, today)}` };
  if (ends?.then_by_card) return { text: `By card from ${shortInstant(ends.ends_at, today)}` };
  if (ends) return { text: `Ends ${shortInstant(ends.ends_at, today)}` };
  if (!dues || dues.state === 'ended' || dues.state === 'not_counted') return null;
  if (dues.state === 'overdue') return { text: 'Overdue', isOverdue: true };
  return dues.is_year
    ? { text: `Last day ${shortDay(addDays(dues.paid_until, -1), today)}` }
    : { text: `Paid until ${shortDay(dues.paid_until, today)}` };
}
