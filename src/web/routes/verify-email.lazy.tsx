import { createLazyFileRoute, useLocation } from '@tanstack/react-router';
import { VerifyEmailPage } from '../visitor/verify-email-page.tsx';

export const Route = createLazyFileRoute('/verify-email')({ component: VerifyEmail });

function VerifyEmail() {
  // After the #, where it reaches neither the server's log nor another site.
  const token = useLocation({ select: ({ hash }) => hash });
  return <VerifyEmailPage key={token} token={token} />;
}
