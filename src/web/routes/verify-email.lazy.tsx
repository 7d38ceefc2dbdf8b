import { createLazyFileRoute } from '@tanstack/react-router';
import { useLinkSecret } from '../visitor/links/use-link.ts';
import { VerifyEmailPage } from '../visitor/verify-email-page.tsx';

export const Route = createLazyFileRoute('/verify-email')({ component: VerifyEmail });

function VerifyEmail() {
  const token = useLinkSecret();
  return <VerifyEmailPage key={token} token={token} />;
}
