import { createFileRoute } from '@tanstack/react-router';
import { readReturn } from '../../features/auth/provider-return.ts';
import { StaffSettingsPage } from '../../features/staff/staff-settings-page.tsx';

export const Route = createFileRoute('/_staff/staff/settings')({
  validateSearch: readReturn,
  component: StaffSettings,
});

function StaffSettings() {
  return <StaffSettingsPage user={Route.useRouteContext().user} />;
}
