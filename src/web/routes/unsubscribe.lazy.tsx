import { createLazyFileRoute, useLocation } from '@tanstack/react-router';
import { UnsubscribePage } from '../visitor/unsubscribe-page.tsx';

export const Route = createLazyFileRoute('/unsubscribe')({ component: Unsubscribe });

function Unsubscribe() {
  // After the # in the email. Mail programs open the address of its header, where the secret has to be in the query.
  const token = useLocation({
    select: ({ hash, searchStr }) => hash || (new URLSearchParams(searchStr).get('token') ?? ''),
  });
  return <UnsubscribePage key={token} token={token} />;
}
