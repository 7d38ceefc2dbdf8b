import { createLazyFileRoute, useLocation } from '@tanstack/react-router';
import { ChangeEmailPage } from '../visitor/change-email-page.tsx';

export const Route = createLazyFileRoute('/change-email')({ component: ChangeEmail });

function ChangeEmail() {
  // After the #, where it reaches neither the server's log nor another site.
  const token = useLocation({ select: ({ hash }) => hash });
  return <ChangeEmailPage key={token} token={token} />;
}
