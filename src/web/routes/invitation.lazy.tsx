import { createLazyFileRoute, useLocation } from '@tanstack/react-router';
import { InvitationPage } from '../visitor/invitation-page.tsx';

export const Route = createLazyFileRoute('/invitation')({ component: Invitation });

function Invitation() {
  // After the #, where it reaches neither the server's log nor another site.
  const token = useLocation({ select: ({ hash }) => hash });
  return <InvitationPage key={token} token={token} />;
}
