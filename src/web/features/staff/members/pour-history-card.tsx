import { useQuery } from '@tanstack/react-query';
import type { Pour } from '../../../../contract/pours.ts';
import { pourCount, titleCaseLocation } from '../../../../domain/pour.ts';
import { orpc } from '../../../api/client.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { EmptyGlassPicture } from '../../../ui/pictures.tsx';
import { SkeletonLines } from '../../../ui/skeleton.tsx';
import { dateAndTime } from '../date-and-time.ts';
import { QuietRetry } from '../quiet-retry.tsx';

export function PourHistoryCard({ customerId }: { customerId: string }) {
  return (
    <Card title="Pour History" padding="plain">
      <PourHistory customerId={customerId} />
    </Card>
  );
}

function PourHistory({ customerId }: { customerId: string }) {
  const query = useQuery(orpc.pours.ofCustomer.queryOptions({ input: { customer_id: customerId } }));
  if (query.isPending) return <SkeletonLines lines={5} className="px-5 py-6 sm:px-7" />;
  if (query.isError && !query.data) {
    return (
      <QuietRetry
        what="Pour history could not be loaded"
        error={query.error}
        busy={query.isFetching}
        onRetry={() => query.refetch()}
      />
    );
  }
  if (query.data.length === 0) {
    return <EmptyState picture={<EmptyGlassPicture />} title="No pours recorded yet" />;
  }
  return (
    <ul className="divide-y divide-line">
      {query.data.map((pour) => (
        <PourRow key={pour.id} pour={pour} />
      ))}
    </ul>
  );
}

function PourRow({ pour }: { pour: Pour }) {
  return (
    <li className="flex items-start justify-between gap-4 px-5 py-4 sm:px-7">
      <div className="min-w-0">
        <p className="font-medium">{titleCaseLocation(pour.location)}</p>
        <p className="text-ink-muted text-sm">
          <time dateTime={pour.created_at}>{dateAndTime(pour.created_at)}</time>
        </p>
        {pour.notes && <p className="mt-1 whitespace-pre-line text-sm">{pour.notes}</p>}
      </div>
      <Badge tone="accent">{pourCount(pour.quantity)}</Badge>
    </li>
  );
}
