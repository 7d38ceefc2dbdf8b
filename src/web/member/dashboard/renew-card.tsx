import { Link } from '@tanstack/react-router';
import type { OwnHousehold } from '../../../contract/members.ts';
import { SignOutButton } from '../../account/sign-out-button.tsx';
import { SupportLink } from '../../brand/support-link.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyGlassPicture } from '../../ui/illustrations.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { GiftLinks } from '../gifts/gift-links.tsx';

interface RenewCardProps {
  wasMember: boolean;
  /** The holder who shares the membership, even while it gives no glasses. */
  household: OwnHousehold | null;
}

export function RenewCard({ wasMember, household }: RenewCardProps) {
  return (
    <Card raised className="flex flex-col items-center text-center">
      <EmptyGlassPicture className="mb-3" />
      <h2 className="text-2xl">No Active Membership</h2>
      <p className="mt-2 max-w-narrow text-ink-muted">
        {household?.role === 'partner' ? (
          <>
            You share {household.first_name}’s membership, and it is not active now. Your card works again
            once it is. You can also{' '}
            <Link to="/household" className="link">
              leave the household
            </Link>
            , or join with a membership of your own.
          </>
        ) : wasMember ? (
          'Your membership has ended. Renew it to enjoy your monthly pours again.'
        ) : (
          'Your membership is not active. Renew it to enjoy your monthly pours again.'
        )}
      </p>
      <LinkButton to="/apply" size="lg" className="mt-6 w-full sm:w-auto">
        Renew Membership
      </LinkButton>
      <GiftLinks className="mt-4" />
      <p className="mt-6 mb-2 text-ink-muted text-sm">
        Not what you expected? <SupportLink>Contact support</SupportLink>
      </p>
      <SignOutButton />
    </Card>
  );
}
