import { createLazyFileRoute, useLocation } from '@tanstack/react-router';
import { ResetPasswordPage } from '../visitor/reset-password-page.tsx';

export const Route = createLazyFileRoute('/reset-password')({ component: ResetPassword });

function ResetPassword() {
  // After the #, where it reaches neither the server's log nor another site.
  const token = useLocation({ select: ({ hash }) => hash });
  return <ResetPasswordPage key={token} token={token} />;
}
