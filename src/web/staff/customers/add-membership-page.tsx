import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LetterPicture } from '../../ui/illustrations.tsx';
import { BackLink, PageShell } from '../../ui/page-shell.tsx';

export function AddMembershipPage({ id }: { id: string }) {
  return (
    <PageShell
      title="Add Membership"
      back={
        <BackLink to="/staff/customers/$id" params={{ id }}>
          Back to Customer
        </BackLink>
      }
    >
      <Card>
        <EmptyState picture={<LetterPicture />} title="Add Membership - Coming soon" />
      </Card>
    </PageShell>
  );
}
