import { createFileRoute } from '@tanstack/react-router';
import { StaffSettingsPage } from '../../features/staff/staff-settings-page.tsx';

export const Route = createFileRoute('/_staff/staff/settings')({ component: StaffSettings });

function StaffSettings() {
  return <StaffSettingsPage user={Route.useRouteContext().user} />;
}
