import { createFileRoute, redirect } from '@tanstack/react-router';

/** A former page of the account. */
export const Route = createFileRoute('/_member/account/appearance')({
  beforeLoad() {
    throw redirect({ to: '/account', replace: true });
  },
});
