import { createLazyFileRoute } from '@tanstack/react-router';
import { ChangeEmailPage } from '../visitor/change-email-page.tsx';
import { useLinkSecret } from '../visitor/links/use-link.ts';

export const Route = createLazyFileRoute('/change-email')({ component: ChangeEmail });

function ChangeEmail() {
  const token = useLinkSecret();
  return <ChangeEmailPage key={token} token={token} />;
}
