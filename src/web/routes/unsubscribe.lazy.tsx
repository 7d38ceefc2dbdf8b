import { createLazyFileRoute, useLocation } from '@tanstack/react-router';
import { UnsubscribePage } from '../visitor/unsubscribe-page.tsx';

export const Route = createLazyFileRoute('/unsubscribe')({ component: Unsubscribe });

function Unsubscribe() {
  // The secret is after the # of the link in the email. Mail programs open the URL of its header, where the secret has to
  // be in the query.
  const token = useLocation({
    select: ({ hash, searchStr }) => hash || (new URLSearchParams(searchStr).get('token') ?? ''),
  });
  return <UnsubscribePage key={token} token={token} />;
}
