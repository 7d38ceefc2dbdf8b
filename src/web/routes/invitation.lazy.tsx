import { createLazyFileRoute } from '@tanstack/react-router';
import { InvitationPage } from '../visitor/invitation-page.tsx';
import { useLinkSecret } from '../visitor/links/use-link.ts';

export const Route = createLazyFileRoute('/invitation')({ component: Invitation });

function Invitation() {
  const token = useLinkSecret();
  return <InvitationPage key={token} token={token} />;
}
