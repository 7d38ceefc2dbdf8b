import { createLazyFileRoute } from '@tanstack/react-router';
import { JoinPage } from '../visitor/join/join-page.tsx';
import { useLinkSecret } from '../visitor/links/link-page.tsx';

export const Route = createLazyFileRoute('/join')({ component: Join });

function Join() {
  const token = useLinkSecret();
  const { payment } = Route.useSearch();
  return <JoinPage key={token} token={token} payment={payment} />;
}
