import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Gift } from '../../../contract/gifts/gifts.ts';
import type { MemberDetail } from '../../../contract/members.ts';
import { formatAmount } from '../../../domain/money.ts';
import { api, orpc } from '../../api/client.ts';
import { useTierLabel } from '../../api/use-tier-names.ts';
import { giftStateText } from '../../format/gift-text.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { RetryList } from '../../ui/retry-list.tsx';
import { dateOfInstant } from '../venue-dates.ts';

export function GiftsCard({ member }: { member: MemberDetail }) {
  const customer_id = member.customer.id;
  const [refunding, setRefunding] = useState<Gift | null>(null);
  const tierLabel = useTierLabel();
  const query = useQuery(orpc.gifts.listForMember.queryOptions({ input: { customer_id } }));
  if (query.isError && !query.data) {
    return (
      <Card title="Gifts" padding="plain">
        <RetryList
          action="Loading gifts"
          error={query.error}
          busy={query.isFetching}
          onRetry={() => query.refetch()}
        />
      </Card>
    );
  }
  if (!query.data || query.data.length === 0) return null;
  return (
    <Card title="Gifts" padding="plain">
      <ul>
        {query.data.map((gift) => (
          <li
            key={gift.id}
            className="flex flex-wrap items-center justify-between gap-3 border-line border-t px-5 py-3 sm:px-6"
          >
            <div>
              <p className="font-semibold">
                {tierLabel(gift.tier)}, {gift.months} months
              </p>
              <p className="text-ink-muted text-sm">
                {gift.paid_at &&
                  `${formatAmount(gift.amount, gift.currency)} on ${dateOfInstant(gift.paid_at)}. `}
                {giftStateText(gift)}
              </p>
            </div>
            {gift.status === 'paid' && !gift.disputed && (
              <Button variant="secondary" size="sm" onClick={() => setRefunding(gift)}>
                Refund
              </Button>
            )}
          </li>
        ))}
      </ul>
      {refunding && (
        <ActDialog
          title="Refund this gift?"
          description={`${formatAmount(refunding.amount, refunding.currency)} goes back to ${member.profile.first_name}, and its code will stop working right away.`}
          confirmLabel="Refund It"
          busyLabel="Refunding..."
          cancelLabel="Keep It"
          act={async () => {
            const { status } = await api.gifts.refundForMember({ customer_id, id: refunding.id });
            return status === 'refunded' ? 'Refunded' : 'The refund is on its way';
          }}
          failed="We couldn’t refund the gift. Please try again."
          reload={orpc.gifts.listForMember.key()}
          onClose={() => setRefunding(null)}
        />
      )}
    </Card>
  );
}
