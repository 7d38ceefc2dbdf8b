import { createLazyFileRoute, useLocation } from '@tanstack/react-router';
import { GuestPage } from '../visitor/guest-page.tsx';

export const Route = createLazyFileRoute('/guest')({ component: Guest });

function Guest() {
  // After the #, where it reaches neither the server's log nor another site.
  const token = useLocation({ select: ({ hash }) => hash });
  return <GuestPage key={token} token={token} />;
}
