import { createLazyFileRoute } from '@tanstack/react-router';
import { AccountPage } from '../../member/account/account-page.tsx';

export const Route = createLazyFileRoute('/_member/account/')({ component: Account });

function Account() {
  return <AccountPage user={Route.useRouteContext().user} />;
}
