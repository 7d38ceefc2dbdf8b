import { useParams } from '@tanstack/react-router';
import { BackLink } from '../../ui/back-link.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { EnvelopePicture } from '../../ui/illustrations.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { PageShell } from '../../ui/page-shell.tsx';
import { useManagesMembers } from '../record/use-member-record.ts';

export default function AddMembershipPage() {
  const { id } = useParams({ from: '/_staff/staff/customers/$id/add-membership' });
  const manages = useManagesMembers();
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
        <EmptyState
          picture={<EnvelopePicture />}
          title="Add Membership - Coming soon"
          action={
            manages && (
              <LinkButton to="/staff/members/new" variant="secondary">
                Add Member
              </LinkButton>
            )
          }
        />
      </Card>
    </PageShell>
  );
}
