import { Loaded } from '../../ui/loaded.tsx';
import { AboutCard } from './about-card.tsx';
import { NotesCard } from './notes-card.tsx';
import { TagsCard } from './tags-card.tsx';
import { useManagesMembers, useMemberRecord } from './use-member-record.ts';

/** Staff records about a member. */
export function MemberRecordCards({ customerId }: { customerId: string }) {
  const manages = useManagesMembers();
  const { query, act } = useMemberRecord(customerId);
  return (
    <Loaded query={query} action="Loading notes and tags" card lines={6}>
      {(record) => {
        const parts = { customerId, record, act, manages };
        return (
          <>
            <AboutCard {...parts} />
            <NotesCard {...parts} />
            <TagsCard {...parts} />
          </>
        );
      }}
    </Loaded>
  );
}
