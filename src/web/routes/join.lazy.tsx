import { createLazyFileRoute, useLocation } from '@tanstack/react-router';
import { JoinPage } from '../visitor/join/join-page.tsx';

export const Route = createLazyFileRoute('/join')({ component: Join });

function Join() {
  // After the #, where it reaches neither the server's log nor another site.
  const token = useLocation({ select: ({ hash }) => hash });
  const { payment } = Route.useSearch();
  return <JoinPage key={token} token={token} payment={payment} />;
}
