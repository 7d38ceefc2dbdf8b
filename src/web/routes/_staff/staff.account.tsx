import { createFileRoute } from '@tanstack/react-router';
import { StaffAccountPage } from '../../staff/settings/account-page.tsx';
import { readReturn } from '../../visitor/oauth-return.ts';

export const Route = createFileRoute('/_staff/staff/account')({
  validateSearch: readReturn,
  component: Account,
});

function Account() {
  return <StaffAccountPage user={Route.useRouteContext().user} />;
}
