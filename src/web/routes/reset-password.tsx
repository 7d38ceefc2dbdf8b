import { createFileRoute, useLocation } from '@tanstack/react-router';
import { ResetPasswordScreen } from '../visitor/reset-password-page.tsx';

export const Route = createFileRoute('/reset-password')({ component: ResetPassword });

function ResetPassword() {
  // After the #, where it reaches neither the server's log nor another site.
  const token = useLocation({ select: ({ hash }) => hash });
  return <ResetPasswordScreen key={token} token={token} />;
}
