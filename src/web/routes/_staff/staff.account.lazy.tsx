import { createLazyFileRoute } from '@tanstack/react-router';
import { StaffAccountPage } from '../../staff/settings/account-page.tsx';

export const Route = createLazyFileRoute('/_staff/staff/account')({ component: Account });

function Account() {
  return <StaffAccountPage user={Route.useRouteContext().user} next={Route.useSearch().redirect} />;
}
