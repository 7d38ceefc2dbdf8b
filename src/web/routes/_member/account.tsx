import { createFileRoute } from '@tanstack/react-router';
import { AccountScreen } from '../../features/account/account-screen.tsx';

export const Route = createFileRoute('/_member/account')({ component: Account });

function Account() {
  return <AccountScreen user={Route.useRouteContext().user} />;
}
