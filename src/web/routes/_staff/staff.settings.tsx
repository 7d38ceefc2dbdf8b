import { createFileRoute } from '@tanstack/react-router';
import { StaffSettingsPage } from '../../staff/settings/settings-page.tsx';
import { readReturn } from '../../visitor/oauth-return.ts';

export const Route = createFileRoute('/_staff/staff/settings')({
  validateSearch: readReturn,
  component: StaffSettings,
});

function StaffSettings() {
  return <StaffSettingsPage user={Route.useRouteContext().user} />;
}
