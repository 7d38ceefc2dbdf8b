import { createFileRoute } from '@tanstack/react-router';
import { AccountPage } from '../../member/account/account-page.tsx';
import { readReturn } from '../../visitor/oauth-return.ts';

export const Route = createFileRoute('/_member/account')({
  validateSearch: readReturn,
  component: Account,
});

function Account() {
  return <AccountPage user={Route.useRouteContext().user} />;
}
