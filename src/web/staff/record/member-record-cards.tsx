import { Card } from '../../ui/card.tsx';
import { RetryList } from '../../ui/retry-list.tsx';
import { SkeletonLines } from '../../ui/skeleton.tsx';
import { useTablet } from '../tablet/use-tablet.ts';
import { AboutCard } from './about-card.tsx';
import { NotesCard } from './notes-card.tsx';
import { TagsCard } from './tags-card.tsx';
import { TimelineCard } from './timeline-card.tsx';
import { useManagesMembers, useMemberRecord } from './use-member-record.ts';

/** Staff records about a member, and the timeline. A deleted account has only the timeline. */
export function MemberRecordCards({ customerId, former }: { customerId: string; former: boolean }) {
  const manages = useManagesMembers();
  const { query, act } = useMemberRecord(customerId);
  const office = useTablet() === null;
  const timeline = office && <TimelineCard customerId={customerId} />;
  if (former) return timeline;
  if (query.isPending) {
    return (
      <>
        <Card>
          <SkeletonLines lines={6} />
        </Card>
        {timeline}
      </>
    );
  }
  if (query.isError && !query.data) {
    return (
      <>
        <Card padding="plain">
          <RetryList
            action="Loading notes and tags"
            error={query.error}
            busy={query.isFetching}
            onRetry={() => query.refetch()}
          />
        </Card>
        {timeline}
      </>
    );
  }
  const parts = { customerId, record: query.data, act, manages };
  return (
    <>
      <AboutCard {...parts} />
      <TagsCard {...parts} />
      <NotesCard {...parts} />
      {timeline}
    </>
  );
}
