import type { MemberDetail } from '../../../contract/members.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { classNames } from '../../ui/class-names.ts';

const STANDING_NOTES: Record<string, string> = {
  ending: 'Ends with this billing period',
  grace: 'The last payment failed. Pours continue for a few days',
  suspended: 'Payment due: no pours until it is paid',
  ended: 'The card subscription has ended',
};

export function MembershipStatusCard({ member }: { member: MemberDetail }) {
  const { customer, has_active_membership, standing, next_billing_date } = member;
  const canceled = customer.status === 'inactive';
  const note = standing ? STANDING_NOTES[standing] : 'Billed at the venue';
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
      {(note || next_billing_date) && (
        <p className="mt-2 text-ink-muted text-sm">
          {[note, next_billing_date && `Next billing date ${dateOfInstant(next_billing_date)}`]
            .filter(Boolean)
            .join(' · ')}
        </p>
      )}
    </Card>
  );
}
