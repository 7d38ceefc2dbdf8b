import { createFileRoute, useLocation } from '@tanstack/react-router';
import { JoinPage } from '../visitor/join/join-page.tsx';

/** Set on return from the payment page: 'done' if it was paid. */
type Payment = 'done' | 'back';

export const Route = createFileRoute('/join')({
  validateSearch: ({ payment }: Record<string, unknown>): { payment?: Payment } =>
    payment === 'done' || payment === 'back' ? { payment } : {},
  component: Join,
});

function Join() {
  // After the #, where it reaches neither the server's log nor another site.
  const token = useLocation({ select: ({ hash }) => hash });
  const { payment } = Route.useSearch();
  return <JoinPage key={token} token={token} payment={payment} />;
}
