import { SignOutButton } from '../../account/sign-out-button.tsx';
import { SupportLink } from '../../brand/support-link.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyGlassPicture } from '../../ui/illustrations.tsx';
import { LinkButton } from '../../ui/link-button.tsx';

interface RenewCardProps {
  memberBefore: boolean;
}

export function RenewCard({ memberBefore }: RenewCardProps) {
  return (
    <Card raised className="flex flex-col items-center text-center">
      <EmptyGlassPicture className="mb-3" />
      <h2 className="text-2xl">No Active Membership</h2>
      <p className="mt-2 max-w-narrow text-ink-muted">
        {memberBefore
          ? 'Your membership has ended. Renew it, and your glass is waiting where you left it.'
          : 'Your membership is not active at the moment. Renew it to be poured for again.'}
      </p>
      <LinkButton to="/apply" size="lg" className="mt-6 w-full sm:w-auto">
        Renew Membership
      </LinkButton>
      <p className="mt-6 mb-2 text-ink-muted text-sm">
        Does that surprise you? <SupportLink>Contact support</SupportLink>
      </p>
      <SignOutButton />
    </Card>
  );
}
