import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { orpc } from '../../api/client.ts';
import { dateOfInstant } from '../../format/dates.ts';
import { Card } from '../../ui/card.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { sharesText } from './shared-pours.tsx';

/** The person who shares the membership, or how to invite one. */
export default function HouseholdPanel() {
  const { data } = useQuery(orpc.households.get.queryOptions());
  if (!data) return null;
  const { role, other, obstacle, invitation, pours } = data;
  if (!other) {
    if (obstacle) return null;
    return (
      <Card title="Share Your Membership">
        <p className="wrap-anywhere">
          {invitation
            ? `Your invitation${invitation.email ? ` to ${invitation.email}` : ''} waits until ${dateOfInstant(invitation.expires_at)}.`
            : 'It is for two. Invite the person you share it with: they get a card of their own and pay nothing.'}
        </p>
        <LinkButton to="/household" variant="secondary" className="mt-4">
          {invitation ? 'See Your Invitation' : 'Invite Your Partner'}
        </LinkButton>
      </Card>
    );
  }
  return (
    <Card
      title={role === 'holder' ? `Shared with ${other.first_name}` : `${other.first_name}’s membership`}
      aside={
        <Link to="/household" className="link">
          Household
        </Link>
      }
    >
      <p>
        This month: <strong>{sharesText(pours, other.first_name)}</strong>
      </p>
    </Card>
  );
}
