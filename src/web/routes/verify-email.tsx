import { createFileRoute, useLocation } from '@tanstack/react-router';
import { VerifyEmailScreen } from '../visitor/verify-email-page.tsx';

export const Route = createFileRoute('/verify-email')({ component: VerifyEmail });

function VerifyEmail() {
  // After the #, where it reaches neither the server's log nor another site.
  const token = useLocation({ select: ({ hash }) => hash });
  return <VerifyEmailScreen key={token} token={token} />;
}
