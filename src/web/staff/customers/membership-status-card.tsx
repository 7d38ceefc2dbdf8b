import { Link } from '@tanstack/react-router';
import type { MemberDetail } from '../../../contract/members.ts';
import type { Dues } from '../../../contract/staff/dues.ts';
import { dateOfDay } from '../../format/dates.ts';
import { duesPrice } from '../../format/money.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';
import { bankPaymentText } from '../dues/dues-text.ts';
import { useDues } from '../dues/use-dues.ts';
import { dateOfInstant } from '../venue-dates.ts';

function statusNote(member: MemberDetail, dues: Dues | undefined): string {
  const { standing, no_access_since, pours_return_on, pause, ends_at } = member;
  const day = no_access_since && dateOfDay(no_access_since);
  switch (standing) {
    case 'venue':
      return [
        'Billed at the venue',
        dues && duesNote(dues),
        pause && `Paused from ${dateOfInstant(pause.from)}`,
        dues?.by_card_from
          ? `By card from ${dateOfDay(dues.by_card_from)}`
          : ends_at && `Ends on ${dateOfInstant(ends_at)}`,
      ]
        .filter(Boolean)
        .join('. ');
    case 'active':
      return pause ? `Paid by card. Paused from ${dateOfInstant(pause.from)}` : 'Paid by card';
    case 'ending':
      return `Paid by card. Ends ${ends_at ? `on ${dateOfInstant(ends_at)}` : 'with this billing period'}`;
    case 'grace':
      return 'Paid by card. The last payment failed; pours continue for a few days';
    case 'paused':
      return `Paused${day ? ` since ${day}` : ''}: no pours${
        pours_return_on
          ? `, and ${dues?.paid_until ? 'back' : 'charged again'} on ${dateOfDay(pours_return_on)}`
          : ''
      }`;
    case 'suspended':
      return `Payment by card is due${day ? ` since ${day}` : ''}: no pours until it is paid`;
    case 'ended':
      return `Was paid by card. The subscription ended${day ? ` on ${day}` : ''}`;
    case 'inactive':
      return day ? `The membership ended on ${day}` : 'No active membership';
    case 'unknown':
      return 'Unknown status from the payment service: no pours';
  }
}

function duesNote({ state, paid_until, price_cents }: Dues): string | null {
  if (paid_until === null) return null;
  const day = dateOfDay(paid_until);
  if (state === 'due') return `Due: ${duesPrice(price_cents)} by ${day}`;
  return state === 'paid' ? `Paid until ${day}` : `Overdue since ${day}: ${duesPrice(price_cents)}`;
}

export function MembershipStatusCard({ member }: { member: MemberDetail }) {
  const { customer, has_active_membership, next_billing_date, household, bank_payment } = member;
  const { data: dues } = useDues(member);
  const canceled = customer.status === 'inactive';
  return (
    <Card title="Membership Status">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p
          className={classNames(
            'flex items-center gap-2.5 font-semibold text-lg',
            canceled ? 'text-danger' : 'text-positive',
          )}
        >
          <span
            aria-hidden="true"
            className={classNames('size-3.5 rounded-full', canceled ? 'bg-danger' : 'bg-positive')}
          />
          {canceled ? 'Canceled' : 'Active'}
        </p>
        {has_active_membership && <Badge tone="positive">Active Membership</Badge>}
      </div>
      <p className="mt-2 text-ink-muted text-sm">
        {[
          statusNote(member, dues),
          next_billing_date && `Next billing date ${dateOfInstant(next_billing_date)}`,
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {bank_payment && <p className="mt-2 font-semibold text-sm">{bankPaymentText(bank_payment)}</p>}
      {household && (
        <p className="mt-2 text-sm">
          Household with{' '}
          <Link to="/staff/customers/$id" params={{ id: household.customer_id }} className="link">
            {household.with}
          </Link>
          {household.role === 'partner' && ', who holds the membership. Pause or end it on their page'}
        </p>
      )}
    </Card>
  );
}
