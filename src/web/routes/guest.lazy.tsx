import { createLazyFileRoute } from '@tanstack/react-router';
import { GuestPage } from '../visitor/guest-page.tsx';
import { useLinkSecret } from '../visitor/links/use-link.ts';

export const Route = createLazyFileRoute('/guest')({ component: Guest });

function Guest() {
  const token = useLinkSecret();
  return <GuestPage key={token} token={token} />;
}
