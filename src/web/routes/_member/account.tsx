import { createFileRoute } from '@tanstack/react-router';
import { AccountScreen } from '../../features/account/account-screen.tsx';
import { readReturn } from '../../features/auth/provider-return.ts';

export const Route = createFileRoute('/_member/account')({
  validateSearch: readReturn,
  component: Account,
});

function Account() {
  return <AccountScreen user={Route.useRouteContext().user} />;
}
