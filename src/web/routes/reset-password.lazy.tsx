import { createLazyFileRoute } from '@tanstack/react-router';
import { useLinkSecret } from '../visitor/links/use-link.ts';
import { ResetPasswordPage } from '../visitor/reset-password-page.tsx';

export const Route = createLazyFileRoute('/reset-password')({ component: ResetPassword });

function ResetPassword() {
  const token = useLinkSecret();
  return <ResetPasswordPage key={token} token={token} />;
}
