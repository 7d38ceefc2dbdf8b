import { Card } from '../../ui/card.tsx';
import { RetryList } from '../../ui/retry-list.tsx';
import { SkeletonLines } from '../../ui/skeleton.tsx';
import { AboutCard } from './about-card.tsx';
import { NotesCard } from './notes-card.tsx';
import { TagsCard } from './tags-card.tsx';
import { useManagesMembers, useMemberRecord } from './use-member-record.ts';

/** Staff records about a member. */
export function MemberRecordCards({ customerId }: { customerId: string }) {
  const manages = useManagesMembers();
  const { query, act } = useMemberRecord(customerId);
  if (query.isPending) {
    return (
      <Card>
        <SkeletonLines lines={6} />
      </Card>
    );
  }
  if (query.isError && !query.data) {
    return (
      <Card padding="plain">
        <RetryList
          action="Loading notes and tags"
          error={query.error}
          busy={query.isFetching}
          onRetry={() => query.refetch()}
        />
      </Card>
    );
  }
  const parts = { customerId, record: query.data, act, manages };
  return (
    <>
      <AboutCard {...parts} />
      <NotesCard {...parts} />
      <TagsCard {...parts} />
    </>
  );
}
