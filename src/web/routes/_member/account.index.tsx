import { createFileRoute } from '@tanstack/react-router';
import { AccountPage } from '../../member/account/account-page.tsx';

export const Route = createFileRoute('/_member/account/')({ component: Account });

function Account() {
  return <AccountPage user={Route.useRouteContext().user} />;
}
